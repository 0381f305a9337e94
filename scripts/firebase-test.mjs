// @ts-check
// Runs `npm run test:firebase`: sign-in journeys against Firebase's emulator (docs/identity.md).
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensurePackages } from './packages.mjs';
import { capture, main, projectNode, Refused, root, runHere, step } from './steps.mjs';
import { ensureWebBuild } from './web-build.mjs';

const version = '15.34.2';
const folder = path.join(root, '.cache', `firebase-tools-${version}`);
/** The emulator accepts any key; a project named `demo-…` never leaves this machine. */
const project = 'demo-nearhand';
const apiKey = 'a-key-of-the-emulator';
const startMs = 180_000;
const emulatorTests = [
  ...[path.join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'api'],
  'apps/api/src/people/firebase-sign-in/accounts-emulator.test.ts',
];
const journeys = [
  ...[path.join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'test', '--config=e2e'],
  ...['--project=phone', '--project=desktop', '--reporter=list'],
];

async function ensureEmulator() {
  const cli = path.join(folder, 'node_modules', 'firebase-tools', 'lib', 'bin', 'firebase.js');
  if (existsSync(cli)) return cli;
  mkdirSync(folder, { recursive: true });
  if (!process.env.npm_execpath) throw new Refused('Start this through npm, as in `npm run test:firebase`.');
  const install = [
    ...[process.env.npm_execpath, 'install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund'],
    ...['--ignore-scripts', `firebase-tools@${version}`],
  ];
  const { code, output } = await step('Installing the Firebase emulator (312 MB)', () =>
    capture(process.execPath, install),
  );
  if (code !== 0) throw new Refused(`${output.trim()}\nThe Firebase emulator could not be installed.`);
  return cli;
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** @param {string} cli */
async function startEmulator(cli) {
  const [port, hub, logging] = await Promise.all([freePort(), freePort(), freePort()]);
  const host = '127.0.0.1';
  const config = path.join(folder, 'firebase.json');
  const emulators = {
    auth: { host, port },
    hub: { host, port: hub },
    logging: { host, port: logging },
    ui: { enabled: false },
  };
  writeFileSync(config, JSON.stringify({ emulators }));
  const args = [cli, 'emulators:start', '--only', 'auth', '--project', project, '--config', config];
  const emulator = spawn(projectNode, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [emulator.stdout, emulator.stderr])
    stream.on('data', (text) => {
      printed += text;
    });
  // The emulator runs on the app's site, since browsers block third-party storage.
  const address = `http://localhost:${port}`;
  const until = Date.now() + startMs;
  while (Date.now() < until && emulator.exitCode === null) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return { address, emulator };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  emulator.kill('SIGTERM');
  throw new Refused(`${printed.trim()}\nThe Firebase emulator did not start.`);
}

await main(async () => {
  await ensurePackages();
  const cli = await ensureEmulator();
  const browser = await ensureBrowser();
  await ensureWebBuild();
  const { address, emulator } = await step('Starting the Firebase emulator', () => startEmulator(cli));
  const env = {
    ...process.env,
    CHROMIUM_PATH: browser,
    IDENTITY_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: project,
    FIREBASE_API_KEY: apiKey,
    FIREBASE_SOCIAL: 'google,facebook',
    FIREBASE_AUTH_EMULATOR: address,
    FIREBASE_TOOLS: path.dirname(path.dirname(path.dirname(cli))),
  };
  const args = process.argv.slice(2);
  try {
    // Omits the server's settings, since each of these tests makes its own.
    const { IDENTITY_PROVIDER: _, FIREBASE_SOCIAL: __, ...plain } = env;
    const moved = args.length > 0 ? 0 : await runHere(projectNode, emulatorTests, { cwd: root, env: plain });
    return moved === 0 ? await runHere(projectNode, [...journeys, ...args], { cwd: root, env }) : moved;
  } finally {
    emulator.kill('SIGTERM');
  }
});
