import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.fixtures.ts';
import { testCertificate } from './test-certificate.fixtures.ts';

const program = '/usr/sbin/nginx';

export const hasNginx = (() => {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** The example of docs/operations.md with the test's ports; `change` is for negative controls. */
export async function startNginx(backends: readonly number[], change = (sites: string): string => sites) {
  const folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-nginx-`));
  // The workers run as another user and buffer large bodies here.
  await chmod(folder, 0o711);
  const document = await readFile(
    path.resolve(import.meta.dirname, '../../../../../docs/operations.md'),
    'utf8',
  );
  const example = /```nginx\n([\s\S]*?)```/.exec(document)?.[1];
  if (!example) throw new Error('docs/operations.md has no nginx example');
  const { key, cert } = testCertificate();
  await writeFile(path.join(folder, 'key.pem'), key);
  await writeFile(path.join(folder, 'cert.pem'), cert);
  const port = await freePort();
  const plainPort = await freePort();
  const sites = example
    .replace(/( +server 127\.0\.0\.1:)\d+([^;]*;\n)(?: +server .*\n)*/, (_, start: string, end: string) =>
      backends.map((backend) => start + backend + end).join(''),
    )
    .replace(/listen 443 ssl/g, `listen 127.0.0.1:${port} ssl`)
    .replace(/listen 80;/g, `listen 127.0.0.1:${plainPort};`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${folder}/cert.pem;`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${folder}/key.pem;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  await writeFile(
    path.join(folder, 'nginx.conf'),
    `pid ${folder}/pid; error_log ${folder}/error.log; daemon off; worker_processes 1;
     events { worker_connections 512; } http { access_log off; ${temporary} ${change(sites)} }`,
  );
  execFileSync(program, ['-t', '-q', '-c', path.join(folder, 'nginx.conf')]);
  const child: ChildProcess = spawn(program, ['-c', path.join(folder, 'nginx.conf')], { stdio: 'ignore' });
  await wait(300);
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
