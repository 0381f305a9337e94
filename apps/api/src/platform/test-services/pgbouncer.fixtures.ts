import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.fixtures.ts';

const program = '/usr/sbin/pgbouncer';

export const hasPgbouncer = (() => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** PgBouncer in transaction mode, as in docs/operations.md with `more` lines. */
export async function createPgbouncer(
  target: { host: string; port: number; user: string; password: string },
  more: readonly string[] = [],
) {
  const folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-pgbouncer-`));
  // PgBouncer refuses to run as root, and reads its settings as another user.
  await chmod(folder, 0o755);
  const port = await freePort();
  const { host, user, password } = target;
  const lines = [
    '[databases]',
    `* = host=${host} port=${target.port} user=${user} password=${password}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'server_login_retry = 1',
    'default_pool_size = 4',
    'max_client_conn = 200',
    ...more,
  ];
  const settings = path.join(folder, 'pgbouncer.ini');
  await writeFile(settings, `${lines.join('\n')}\n`, { mode: 0o644 });
  const asUser = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const child: ChildProcess = spawn(program, [...asUser, settings], { stdio: 'ignore' });
  for (let tries = 0; tries < 200 && !(await answers(port)); tries += 1) await wait(50);
  if (!(await answers(port))) throw new Error('pgbouncer did not start');
  return {
    port,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGKILL')) await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
