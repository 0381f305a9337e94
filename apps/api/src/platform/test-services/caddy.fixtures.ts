import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.fixtures.ts';

const program = '/usr/bin/caddy';

export const hasCaddy = (() => {
  try {
    execFileSync(program, ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The example of docs/operations.md, with the test's ports and Caddy's own authority. */
export async function startCaddy(backends: readonly number[]) {
  const folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-caddy-`));
  const file = path.resolve(import.meta.dirname, '../../../../../docs/operations.md');
  const example = /```caddyfile\n([\s\S]*?)```/.exec(await readFile(file, 'utf8'))?.[1];
  if (!example) throw new Error('docs/operations.md has no Caddy example');
  const port = await freePort();
  const plainPort = await freePort();
  const site = example
    .replaceAll('nearhand.example', 'localhost')
    .replace(/reverse_proxy [^{]*\{/, `reverse_proxy ${backends.map((to) => `127.0.0.1:${to}`).join(' ')} {`);
  const own = [
    'admin off',
    `http_port ${plainPort}`,
    `https_port ${port}`,
    'local_certs',
    'skip_install_trust',
  ];
  await writeFile(path.join(folder, 'Caddyfile'), `{\n${own.join('\n')}\n}\n${site}`);
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child: ChildProcess = spawn(program, ['run', '--config', path.join(folder, 'Caddyfile')], {
    env,
    stdio: 'ignore',
  });
  const root = path.join(folder, 'caddy/pki/authorities/local/root.crt');
  let cert = '';
  for (let tries = 0; tries < 200 && cert === ''; tries += 1) {
    await wait(50);
    cert = await readFile(root, 'utf8').catch(() => '');
  }
  // The certificate is made after the authority's.
  await wait(1_000);
  return {
    port,
    plainPort,
    cert,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
