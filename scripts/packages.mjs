// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { capture, projectNode, Refused, root, step } from './steps.mjs';

/** @type {[number, number]} */
const OLDEST_NODE = [20, 19];
const lockFile = path.join(root, 'package-lock.json');
const stampFile = path.join(root, 'node_modules', '.nearhand-stamp');

/** Installs the packages if they are missing or don't match package-lock.json. */
export async function ensurePackages() {
  checkNode();
  // In production `npm ci` has installed them, and the server's user may not write here (docs/operations.md).
  if (process.env.NODE_ENV === 'production' && existsSync(projectNode)) return;
  if (readStamp() === lockHash() && existsSync(projectNode)) return;
  // Removed until the installation is complete, so that an interrupted one is repeated.
  rmSync(stampFile, { force: true });
  await step(
    existsSync(projectNode) ? 'Updating packages' : 'Installing packages, which can take a few minutes',
    install,
  );
  writeFileSync(stampFile, lockHash());
}

async function install() {
  // `npm ci` deletes node_modules, from which a server may be running, so update in place.
  const command = existsSync(path.join(root, 'node_modules')) ? 'install' : 'ci';
  const args = [command, '--include=dev', '--loglevel=error', '--no-fund', '--no-audit'];
  const npm = process.env.npm_execpath;
  const { code, output } = npm
    ? await capture(process.execPath, [npm, ...args], { env: process.env })
    : await capture('npm', args, { env: process.env });
  if (code !== 0)
    throw new Refused(`${output.trim()}\nThe packages could not be installed; mend that and start again.`);
  if (!existsSync(projectNode)) {
    throw new Refused(
      `npm installed no Node into ${projectNode}: allow install scripts (npm config get ignore-scripts) and start again.`,
    );
  }
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Refused(
    `Nearhand needs Node ${OLDEST_NODE.join('.')} or newer to start, and this is ${process.versions.node}.`,
  );
}

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}
