// @ts-check
// Runs other programs. Uses only Node's own modules, since it runs before anything is installed.
import { spawn } from 'node:child_process';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** The project's own Node, whichever runs this script. */
export const projectNode = path.join(
  root,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** An error printed as a sentence, without a stack. */
export class Refused extends Error {}

/** @param {() => Promise<number | void>} work Returns the exit code. */
export async function main(work) {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/**
 * Prints progress and duration.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  console.log(`→ ${title} …`);
  const heartbeat = setInterval(() => console.log(`  … ${title}: ${seconds()}`), 10_000);
  try {
    const result = await work();
    console.log(`✓ ${title} (${seconds()})`);
    return result;
  } catch (error) {
    console.log(`✗ ${title} (${seconds()})`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Makes `node` and installed programs resolve to the project's own. */
export function projectEnvironment() {
  const bin = path.join(root, 'node_modules', '.bin');
  return { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
}

/**
 * Runs a program and captures its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, signal?: AbortSignal }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function capture(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: projectEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options,
    });
    /** @type {Buffer[]} */
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

/**
 * Runs a program on this terminal and forwards signals.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string }} [options]
 * @returns {Promise<number>}
 */
export const runHere = (command, args, options = {}) =>
  exitCodeOf(spawn(command, args, { cwd: root, env: projectEnvironment(), stdio: 'inherit', ...options }));

/**
 * Runs a program alongside `work`, whose result it gets as a message. Each ends the other on failure.
 * @param {string[]} args
 * @param {(ended: AbortSignal) => Promise<void>} work
 * @param {{ env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export async function runHereBeside(args, work, options = {}) {
  const child = spawn(projectNode, args, {
    cwd: root,
    env: projectEnvironment(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    ...options,
  });
  const ended = new AbortController();
  // The program may end or hang up first, which its exit code shows.
  child.on('error', () => {});
  const code = exitCodeOf(child).finally(() => ended.abort());
  try {
    await work(ended.signal);
    if (child.connected) child.send('done');
  } catch (error) {
    if (ended.signal.aborted) return code;
    child.kill('SIGTERM');
    await code;
    throw error;
  }
  return code;
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    const stop = passSignals((signal) => child.kill(signal));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stop();
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

/**
 * Forwards Ctrl-C unless the terminal already sent it to the process group. npm's shell dies of SIGTERM
 * without forwarding it, which shows as another parent.
 * @param {(signal: NodeJS.Signals) => void} pass
 * @returns {() => void}
 */
export function passSignals(pass) {
  const onInterrupt = () => {
    if (!process.stdin.isTTY) pass('SIGINT');
  };
  const onTerminate = () => pass('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  process.on('SIGHUP', onTerminate);
  const parent = process.ppid;
  const orphaned = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(orphaned);
    onTerminate();
  }, 500);
  return () => {
    clearInterval(orphaned);
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onTerminate);
    process.off('SIGHUP', onTerminate);
  };
}
