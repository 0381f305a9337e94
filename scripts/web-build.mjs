// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { capture, projectEnvironment, Refused, root, step } from './steps.mjs';

const sources = ['apps/web', 'packages/contract', 'package-lock.json'];
/** Outputs of the build or of tests. */
const notSources = new Set(['node_modules', 'dist', 'generated', 'coverage']);
const dist = path.join(root, 'apps', 'web', 'dist');
const stampFile = path.join(dist, '.stamp');

/**
 * Builds the web app if its sources have changed, and prints the size of a first visit.
 * @param {AbortSignal} [signal]
 */
export async function ensureWebBuild(signal) {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceHash()) return;
  const built = await step('Building the web app', async () => {
    const { code, output } = await capture(
      process.execPath,
      npmArguments(['run', 'build', '-w', '@nearhand/web']),
      // NODE_ENV=test, which is for the server's clock, would build React for development.
      { env: { ...projectEnvironment(), NODE_ENV: 'production' }, signal },
    );
    if (code !== 0) throw new Refused(`${output.trim()}\nThe web app could not be built.`);
    return output;
  });
  writeFileSync(stampFile, sourceHash());
  for (const [sentence] of built.matchAll(/First load of .*/g)) console.log(sentence);
}

/** @param {string[]} args */
function npmArguments(args) {
  if (!process.env.npm_execpath) throw new Refused('Start this through npm, as in `npm start`.');
  return [process.env.npm_execpath, ...args];
}

function sourceHash() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesIn(path.join(root, source)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} entry @returns {string[]} */
function filesIn(entry) {
  if (path.extname(entry) === '.json' && existsSync(entry)) return [entry];
  return readdirSync(entry, { withFileTypes: true })
    .filter(({ name }) => !notSources.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((match) => {
      const full = path.join(entry, match.name);
      return match.isDirectory() ? filesIn(full) : [full];
    });
}
