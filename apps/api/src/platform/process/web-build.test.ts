import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { expect, it } from 'vitest';

const file = path.resolve(import.meta.dirname, 'web-build.ts');
const program = `
  import { listenForWebBuild } from ${JSON.stringify(file)};
  const stopped = new AbortController();
  if (process.env.STOPPED) setTimeout(() => stopped.abort(new Error('stopped by hand')), 50);
  process.stdout.write('waiting ');
  await listenForWebBuild(stopped.signal).then(() => console.log('goes on'), ({ message }) => console.log(message));
`;

/**
 * Runs a process that waits for the build.
 * @returns its output until it exits
 */
async function run(args: string[], env: NodeJS.ProcessEnv, deed: 'send' | 'disconnect' | 'nothing') {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  let said = '';
  child.stdout?.on('data', (part) => {
    if (said === '' && deed === 'send') child.send('done');
    if (said === '' && deed === 'disconnect') child.disconnect();
    said += part;
  });
  // 'close' is never emitted by a child that was disconnected from here.
  await Promise.all([once(child, 'exit'), once(child.stdout as Readable, 'end')]);
  return said.trim();
}

const waits = ['--awaits-web-build'];

it('waits for the message that the web app is built', async () => {
  expect(await run(waits, {}, 'send')).toBe('waiting goes on');
});

it('gives up if the builder ends, and when stopped', async () => {
  expect(await run(waits, {}, 'disconnect')).toBe('waiting The web app was not built: start again.');
  expect(await run(waits, { STOPPED: '1' }, 'nothing')).toBe('waiting stopped by hand');
});

it("doesn't wait when started by anything else, even with a channel", async () => {
  expect(await run([], {}, 'nothing')).toBe('waiting goes on');
});
