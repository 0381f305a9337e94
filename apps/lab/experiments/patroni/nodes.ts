import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  blockedFolder,
  chooseRunUser,
  findBinaries,
  type RunUser,
} from '@nearhand/api/src/platform/database/database-binaries.ts';
import { exampleOf, onThisMachine, type Ports, patroniConfig } from './examples.ts';

const needed = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' } as const;
const nodes = [1, 2, 3] as const;

/** The Debian packages that are missing here. */
export async function missingPackages(): Promise<string[]> {
  const there = (program: string) => {
    try {
      execFileSync('which', [program], { env: searchPath, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  const missing: string[] = Object.entries(needed).flatMap(([program, name]) =>
    there(program) ? [] : [name],
  );
  return (await findIsReady()) ? missing : [...missing, 'postgresql-client'];
}

const searchPath = { PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${process.env.PATH}` };

async function findIsReady(): Promise<string | undefined> {
  for (const version of await readdir('/usr/lib/postgresql').catch(() => [])) {
    const folder = `/usr/lib/postgresql/${version}/bin`;
    const names: string[] = await readdir(folder).catch(() => []);
    if (names.includes('pg_isready')) return `${folder}/pg_isready`;
  }
  return undefined;
}

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string };
export type PatroniCluster = Awaited<ReturnType<typeof startPatroni>>;

/** Three nodes of etcd, Patroni and PostgreSQL and an HAProxy, each a process of its own, set up as docs/operations.md says. */
export async function startPatroni(firstPort: number) {
  const ports: Ports = {
    sql: [firstPort, firstPort + 1, firstPort + 2],
    rest: [firstPort + 3, firstPort + 4, firstPort + 5],
    etcd: [firstPort + 6, firstPort + 7, firstPort + 8],
    peer: [firstPort + 9, firstPort + 10, firstPort + 11],
    proxy: firstPort + 12,
  };
  const folder = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-patroni-`));
  await chmod(folder, 0o755);
  const user = await chooseRunUser(folder);
  if (blockedFolder(import.meta.dirname, user))
    throw new Error('PostgreSQL runs as the user postgres, who must be able to read this checkout');
  if (user) await chown(folder, user.uid, user.gid);
  const programs = await placePrograms(folder, user);
  const [patroni, haproxy] = [await exampleOf('yaml'), await exampleOf('haproxy')];
  const cloneCommand = `${process.execPath} ${path.join(import.meta.dirname, 'clone-replica.ts')}`;
  for (const node of nodes) {
    const data = path.join(folder, `data${node}`);
    const at = { data, programs, pgpass: path.join(folder, `pgpass${node}`), cloneCommand };
    await writeFile(path.join(folder, `patroni${node}.yml`), patroniConfig(patroni, ports, node, at));
  }
  await writeFile(path.join(folder, 'haproxy.cfg'), onThisMachine(haproxy, ports));

  const { run, end, running } = createProcesses(folder, user);
  const startEtcd = (node: number) => {
    const [client, peer] = [
      `http://127.0.0.1:${ports.etcd[node - 1]}`,
      `http://127.0.0.1:${ports.peer[node - 1]}`,
    ];
    const all = nodes.map((one) => `node${one}=http://127.0.0.1:${ports.peer[one - 1]}`).join(',');
    run(`etcd${node}`, 'etcd', [
      ...['--name', `node${node}`, '--data-dir', path.join(folder, `etcd${node}`)],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', all],
    ]);
  };
  const startNode = (node: number) =>
    run(`patroni${node}`, 'patroni', [path.join(folder, `patroni${node}.yml`)]);

  const members = () => membersBy(ports.rest);
  /** The number of the leading node, 0 without one. */
  const leader = async () =>
    Number((await members()).find(({ role }) => role === 'leader')?.name.slice(-1) ?? 0);

  for (const node of nodes) startEtcd(node);
  await wait(2_000);
  for (const node of nodes) startNode(node);
  run('haproxy', 'haproxy', ['-db', '-f', path.join(folder, 'haproxy.cfg')]);

  return {
    folder,
    urlOf: (user: string, password: string, database: string) =>
      `postgres://${user}:${password}@127.0.0.1:${ports.proxy}/${database}`,
    /** Over when one node leads, both others follow, and one of them synchronously unless that is off. */
    async whole(synchronous = true): Promise<void> {
      const until = performance.now() + 240_000;
      while (performance.now() < until) {
        const all = await members();
        const follow = all.filter(({ state, lag }) => /streaming|running/.test(state) && lag === 0).length;
        const leads = all.some(({ role, state }) => role === 'leader' && state === 'running');
        const safe = !synchronous || all.some(({ role }) => role === 'sync_standby');
        if (leads && follow === 2 && safe && all.length === 3) return;
        await wait(200);
      }
      throw new Error(`the cluster is not whole: ${JSON.stringify(await members())}; logs in ${folder}`);
    },
    /** Kills PostgreSQL, Patroni and etcd of the leading node with SIGKILL, as a power cut does. @returns the node */
    async killPrimary(): Promise<number> {
      const node = await leader();
      if (!node) throw new Error('no node leads');
      const postmaster = await postmasterOf(path.join(folder, `data${node}`));
      const children = await childrenOf(postmaster);
      running.get(`patroni${node}`)?.kill('SIGKILL');
      for (const pid of [postmaster, ...children.map(({ pid }) => pid)]) killIfThere(pid, 'SIGKILL');
      await Promise.all([end(`patroni${node}`, 'SIGKILL'), end(`etcd${node}`, 'SIGKILL')]);
      return node;
    },
    /** Starts the node as a machine that has power again. */
    bringBack(node: number): void {
      startEtcd(node);
      startNode(node);
    },
    /** Stops, ends or continues what receives the primary's log on the replicas. */
    async holdReplicas(signal: 'SIGSTOP' | 'SIGTERM' | 'SIGCONT'): Promise<number> {
      let held = 0;
      for (const node of nodes) {
        const postmaster = await postmasterOf(path.join(folder, `data${node}`)).catch(() => 0);
        if (!postmaster) continue;
        for (const { pid, title } of await childrenOf(postmaster))
          if (title.includes('walreceiver')) held += killIfThere(pid, signal) ? 1 : 0;
      }
      return held;
    },
    async change(settings: unknown): Promise<void> {
      const port = ports.rest[(await leader()) - 1];
      const answer = await fetch(`http://127.0.0.1:${port}/config`, {
        method: 'PATCH',
        headers: { authorization: `Basic ${btoa('patroni:RESTAPI')}`, 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      });
      if (!answer.ok) throw new Error(`Patroni refused the settings: ${answer.status}`);
    },
    async close({ keepLogs }: { keepLogs: boolean }): Promise<void> {
      await Promise.all(nodes.map((node) => end(`patroni${node}`, 'SIGTERM')));
      await end('haproxy', 'SIGTERM');
      await Promise.all(nodes.map((node) => end(`etcd${node}`, 'SIGTERM')));
      if (!keepLogs) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What the first node that answers says of all. */
async function membersBy(restPorts: readonly number[]): Promise<Member[]> {
  for (const port of restPorts) {
    // A node that is being killed answers nothing, or half: the next one knows the same.
    const known = await fetch(`http://127.0.0.1:${port}/cluster`, { signal: AbortSignal.timeout(4_000) })
      .then((answer) => answer.json() as Promise<{ members?: Member[] }>)
      .catch(() => null);
    if (known?.members) return known.members;
  }
  return [];
}

/** Processes by name, each with a log of its own in the folder. */
function createProcesses(folder: string, user: RunUser) {
  const running = new Map<string, ChildProcess>();
  const run = (name: string, program: string, args: readonly string[]) => {
    const log = createWriteStream(path.join(folder, `${name}.log`), { flags: 'a' });
    const child = spawn(program, args, {
      ...user,
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...searchPath, LC_ALL: 'C.UTF-8', HOME: folder, SUPERUSER_PASSWORD: 'SUPERUSER' },
    });
    child.stdout?.pipe(log, { end: false });
    child.stderr?.pipe(log, { end: false });
    running.set(name, child);
  };
  const end = async (name: string, signal: 'SIGKILL' | 'SIGTERM') => {
    const child = running.get(name);
    running.delete(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  };
  return { run, end, running };
}

/** A folder with the programs that Patroni calls: those of npm's PostgreSQL, Debian's pg_isready, and our pg_controldata. */
async function placePrograms(folder: string, user: RunUser): Promise<string> {
  const binaries = await findBinaries(path.join(folder, 'data'), user);
  const programs = path.join(folder, 'bin');
  await mkdir(programs, { mode: 0o755 });
  for (const name of ['initdb', 'pg_ctl', 'postgres'])
    await symlink(path.join(binaries.folder, 'bin', name), path.join(programs, name));
  await symlink((await findIsReady()) ?? '', path.join(programs, 'pg_isready'));
  const script = path.join(import.meta.dirname, 'pg-controldata.ts');
  const control = path.join(programs, 'pg_controldata');
  await writeFile(control, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 });
  return programs;
}

async function postmasterOf(data: string): Promise<number> {
  return Number((await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function childrenOf(parent: number): Promise<{ pid: number; title: string }[]> {
  const found: { pid: number; title: string }[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(stat.slice(stat.lastIndexOf(')') + 1).split(' ')[2]) !== parent) continue;
    const title = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    found.push({ pid: Number(name), title });
  }
  return found;
}

function killIfThere(pid: number, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGTERM' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
