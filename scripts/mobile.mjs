// @ts-check
// Runs `npm run mobile -- sync | android | ios | icons | check` (docs/mobile.md).
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readServer, webVariables } from './mobile/server.mjs';
import { ensurePackages } from './packages.mjs';
import { capture, main, projectEnvironment, projectNode, Refused, root, runHere, step } from './steps.mjs';

const usage = `Usage: npm run mobile -- COMMAND
  sync      builds the web app for NEARHAND_SERVER and copies it into both projects
  android   syncs, then builds and starts the app on a phone or emulator
  ios       the same for iOS, on a Mac
  icons     draws icons and splash screens again
  check     syncs in a fresh clone and fails if a committed file changes`;

const mobile = path.join(root, 'apps', 'mobile');

await main(async () => {
  const [command, ...rest] = process.argv.slice(2);
  switch (command) {
    case 'sync':
      return sync();
    case 'android':
    case 'ios':
      return (await sync()) || run(command, rest);
    case 'icons':
      await ensurePackages();
      return step('Drawing icons and splash screens', async () => {
        const { writeIcons } = await import('./mobile/icons.mjs');
        console.log(`${await writeIcons()} files`);
      });
    case 'check':
      return check();
    default:
      throw new Refused(usage);
  }
});

async function sync() {
  const server = readServer(process.env.NEARHAND_SERVER);
  await ensurePackages();
  await ensureMobilePackages(mobile);
  await step(`Building the web app for ${server.origin}`, () => buildWeb(server));
  writeFileSync(path.join(mobile, 'android', 'server.properties'), `host=${server.host}\n`);
  writeFileSync(path.join(mobile, 'ios', 'server.local.xcconfig'), `NEARHAND_HOST = ${server.host}\n`);
  await step('Copying it into the Android and iOS projects', () => capacitor(mobile, ['sync']));
  return 0;
}

/**
 * Runs an app on a phone or emulator.
 * @param {'android' | 'ios'} platform
 * @param {string[]} rest
 */
function run(platform, rest) {
  const cli = path.join(mobile, 'node_modules', '@capacitor', 'cli', 'bin', 'capacitor');
  return runHere(projectNode, [cli, 'run', platform, '--no-sync', ...rest], {
    env: projectEnvironment(),
    cwd: mobile,
  });
}

/**
 * Builds the web app with the server's address, without server-only files.
 * @param {import('./mobile/server.mjs').Server} server
 */
async function buildWeb(server) {
  const web = path.join(root, 'apps', 'web');
  const www = path.join(mobile, 'www');
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const env = { ...projectEnvironment(), ...webVariables(server, mobile) };
  const { code, output } = await capture(
    projectNode,
    [vite, 'build', '--outDir', path.relative(web, www), '--emptyOutDir'],
    {
      env,
      cwd: web,
    },
  );
  if (code !== 0) throw new Refused(`${output.trim()}\nThe web app could not be built.`);
  for (const file of globSync(['**/*.{br,gz}', 'operator.html', 'assets/operator-*', 'service-worker*.js'], {
    cwd: www,
  }))
    rmSync(path.join(www, file));
}

/**
 * Installs the apps' packages, which the project's `npm ci` omits.
 * @param {string} folder
 */
async function ensureMobilePackages(folder) {
  const stamp = path.join(folder, 'node_modules', '.nearhand-stamp');
  const lock = createHash('sha256')
    .update(readFileSync(path.join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  await step('Installing the packages of the apps', async () => {
    const npm = process.env.npm_execpath;
    if (!npm) throw new Refused('Start this through npm, as in `npm run mobile -- sync`.');
    const { code, output } = await capture(process.execPath, [npm, 'ci', '--no-fund', '--no-audit'], {
      cwd: folder,
    });
    if (code !== 0) throw new Refused(`${output.trim()}\nThe packages of the apps could not be installed.`);
    writeFileSync(stamp, lock);
  });
}

/** @param {string} folder @param {string[]} args */
async function capacitor(folder, args) {
  const cli = path.join(folder, 'node_modules', '@capacitor', 'cli', 'bin', 'capacitor');
  const { code, output } = await capture(projectNode, [cli, ...args], { cwd: folder });
  if (code !== 0) throw new Refused(`${output.trim()}\nCapacitor could not finish: ${args.join(' ')}.`);
}

/** Requires that Capacitor's output in a fresh clone equals the committed files. */
async function check() {
  const clone = mkdtempSync(path.join(tmpdir(), 'nearhand-mobile-'));
  try {
    await git(['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
    const folder = path.join(clone, 'apps', 'mobile');
    const installed = path.join(mobile, 'node_modules');
    await ensureMobilePackages(mobile);
    cpSync(installed, path.join(folder, 'node_modules'), { recursive: true });
    mkdirSync(path.join(folder, 'www'));
    writeFileSync(path.join(folder, 'www', 'index.html'), '<!doctype html><title>Nearhand</title>');
    await step('Syncing in a fresh clone', () => capacitor(folder, ['sync']));
    const changed = await git(['-C', clone, 'status', '--porcelain']);
    if (changed !== '') throw new Refused(`${changed}Commit what \`npm run mobile -- sync\` changes.`);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
  return 0;
}

/** @param {string[]} args */
async function git(args) {
  const { code, output } = await capture('git', args);
  if (code !== 0) throw new Refused(output.trim());
  return output;
}
