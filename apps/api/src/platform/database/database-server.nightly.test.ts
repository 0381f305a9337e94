import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { canMount, onSmallDisk } from '../../../test/small-disk.ts';
import { refusedDisk, refusedPort, StartRefusedError } from '../start-refused.ts';
import { findPostmaster } from './database-cluster.ts';
import { openDatabase } from './database-server.ts';

const asRoot = process.getuid?.() === 0;
const received: string[] = [];
const log = {
  info: (message: string) => received.push(message),
  warn: (message: string) => received.push(message),
};
let parent = '';
let dataDir = '';
const children: ChildProcess[] = [];

beforeEach(async () => {
  received.length = 0;
  // The name lets a later run find and stop the server that this one leaves if it is killed (test/global-setup.ts).
  parent = await mkdtemp(path.join(tmpdir(), `nearhand-test-${process.pid}-`));
  await chmod(parent, 0o711);
  dataDir = path.join(parent, 'postgres');
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  const server = await findPostmaster({ folder: dataDir });
  if (server) {
    process.kill(server.pid, 'SIGQUIT');
    while (await findPostmaster({ folder: dataDir })) await wait(20);
  }
  await chmod(parent, 0o711);
  await rm(parent, { recursive: true, force: true, maxRetries: 10 });
});

const open = (options: { join?: boolean } = {}) => openDatabase({ dataDir, log, ...options });

async function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<Row>(statement);
  await client.end();
  return rows;
}

/**
 * Starts another process that opens the same data and announces an address. It returns the URL, or the reason for its
 * refusal.
 */
async function startElsewhere(): Promise<{ child: ChildProcess; said: string }> {
  const module = path.join(import.meta.dirname, 'database-server.ts');
  const program = `
    import { openDatabase } from ${JSON.stringify(module)};
    const log = { info() {}, warn() {} };
    try {
      const server = await openDatabase({ dataDir: ${JSON.stringify(dataDir)}, log });
      await server.announce('http://127.0.0.1:8080');
      console.log(server.url);
      setInterval(() => {}, 1000);
    } catch (error) {
      console.log(error.name + ': ' + error.message);
    }`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  return { child, said: String(line).trim() };
}

describe('embedded PostgreSQL', () => {
  it('is created once, listens on loopback only, and keeps its data over a restart', async () => {
    const first = await open();
    await query(first.url, `create table kept as select 'Zoë 👷' as name`);
    const [settings] = await query<{ zone: string; encoding: string; addresses: string; super: boolean }>(
      first.url,
      `select current_setting('timezone') as zone, current_setting('server_encoding') as encoding,
        current_setting('listen_addresses') as addresses, rolsuper as super from pg_roles where rolname = current_user`,
    );
    expect(settings).toEqual({ zone: 'UTC', encoding: 'UTF8', addresses: '127.0.0.1', super: false });
    expect(Number(new URL(first.url).port)).toBeLessThan(32_768);
    expect((await stat(path.join(dataDir, 'nearhand.password'))).mode & 0o777).toBe(0o600);
    await first.stop();
    expect(await findPostmaster({ folder: dataDir })).toBeUndefined();

    received.length = 0;
    const second = await open();
    expect(await query(second.url, 'select name from kept')).toEqual([{ name: 'Zoë 👷' }]);
    expect(received).toEqual([]);
    await second.stop();
  });

  it('rejects a second start, naming the first, which continues', async () => {
    const { child, said: url } = await startElsewhere();
    await expect(open()).rejects.toThrow(
      new RegExp(`already running on .+ as process ${child.pid} at http://127.0.0.1:8080;`),
    );
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('lets an import work alongside a running server without stopping it', async () => {
    const { said: url } = await startElsewhere();
    const beside = await open({ join: true });
    expect(beside.url).toBe(url);
    await beside.stop();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('takes over the server that a killed process left, with its data', async () => {
    const { child, said: url } = await startElsewhere();
    await query(url, 'create table kept as select 1 as one');
    const left = await findPostmaster({ folder: dataDir });
    child.kill('SIGKILL');
    await once(child, 'exit');

    const next = await open();
    expect(next.url).toBe(url);
    expect(await findPostmaster({ folder: dataDir })).toEqual(left);
    expect(await query(next.url, 'select one from kept')).toEqual([{ one: 1 }]);
    await next.stop();
    expect(await findPostmaster({ folder: dataDir })).toBeUndefined();
  });

  it("starts despite a postmaster.pid with another program's process id", async () => {
    await (await open()).stop();
    await writeFile(path.join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n0\n15432\n`);
    const again = await open();
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await again.stop();
  });

  it('recovers when the server itself is killed', async () => {
    const server = await open();
    await query(server.url, 'create table kept as select 1 as one');
    const before = await findPostmaster({ folder: dataDir });
    process.kill(before?.pid ?? 0, 'SIGKILL');
    await expect
      .poll(() => query(server.url, 'select one from kept').catch(String), { timeout: 15_000, interval: 100 })
      .toEqual([{ one: 1 }]);
    await server.stop();
  });

  it('is created by one of two concurrent processes, and the other fails', async () => {
    const said = (await Promise.all([startElsewhere(), startElsewhere()])).map((start) => start.said).sort();
    expect(said[0]).toMatch(/^StartRefusedError: Nearhand is already running on/);
    expect(await query(said[1] ?? '', 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readdir(parent)).toEqual(['postgres']);
  });

  it('skips a port in use', async () => {
    const first = await open();
    const port = Number(new URL(first.url).port);
    const next = net.createServer();
    next.on('error', () => {}); // If it fails, another program uses the port, which serves the test as well.
    next.listen({ port: port + 1, host: '127.0.0.1' });
    const other = await openDatabase({ dataDir: path.join(parent, 'other'), log });
    expect(Number(new URL(other.url).port)).toBeGreaterThan(port + 1);
    await other.stop();
    await first.stop();
    next.close();
  });

  it('cleans up an interrupted creation', async () => {
    await mkdir(`${dataDir}.new-4194999/base`, { recursive: true });
    const server = await open();
    await server.stop();
    expect(await readdir(parent)).toEqual(['postgres']);
  });

  it('leaves data of another PostgreSQL version alone', async () => {
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'PG_VERSION'), '17\n');
    await expect(open()).rejects.toThrow(
      /was written by PostgreSQL 17 and this is PostgreSQL 18; nothing was changed/,
    );
    expect(await readdir(dataDir)).toEqual(['PG_VERSION']);
  });

  it('leaves a folder with other files alone', async () => {
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'letter.txt'), 'mine');
    await expect(open()).rejects.toThrow(/contains other files; nothing was changed/);
    expect(await readFile(path.join(dataDir, 'letter.txt'), 'utf8')).toBe('mine');
  });

  it('names the folder when its parent is inaccessible or not a folder', async () => {
    if (asRoot) {
      await chmod(parent, 0o700);
      await expect(open()).rejects.toThrow(`Only root can enter the folder ${parent}`);
      await chmod(parent, 0o711);
    }
    await writeFile(dataDir, 'a file');
    await expect(openDatabase({ dataDir: path.join(dataDir, 'postgres'), log })).rejects.toThrow(
      /The data folder .+ cannot be created or read/,
    );
  });

  it('explains a missing password file', async () => {
    await (await open()).stop();
    await rm(path.join(dataDir, 'nearhand.password'));
    await expect(open()).rejects.toThrow(
      /password cannot be read from .+; put that file back from a backup\./,
    );
  });
});

// Skipped, and listed as skipped, if no file system can be mounted.
describe.skipIf(!canMount)('a full disk', () => {
  const sentence = () =>
    new StartRefusedError(
      `The disk of the data folder ${dataDir} is full; make room on it and start again, nothing was lost.`,
    );

  it('fails to create the database with one sentence, and leaves nothing behind', () =>
    onSmallDisk(parent, 20, async () => {
      await expect(open()).rejects.toEqual(sentence());
      expect(await readdir(parent)).toEqual([]);
    }));

  it('fails to start the database with one sentence, and starts once there is room', () =>
    onSmallDisk(parent, 150, async () => {
      await (await open()).stop();
      const ballast = path.join(parent, 'ballast');
      await expect(writeFile(ballast, Buffer.alloc(150_000_000))).rejects.toMatchObject({ code: 'ENOSPC' });
      await expect(open()).rejects.toEqual(sentence());
      await rm(ballast);
      const server = await open();
      expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      await server.stop();
    }));
});

describe('an external PostgreSQL', () => {
  it('is never changed or stopped', async () => {
    const databaseUrl = inject('testServer').superuserUrl;
    const server = await openDatabase({ config: { DATABASE_URL: databaseUrl }, dataDir, log });
    expect(server).toMatchObject({ url: databaseUrl, kind: 'given' });
    await server.stop();
    expect(await query(databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readdir(parent)).toEqual([]);
  });

  it('fails when it is too old', async () => {
    const databaseUrl = `${inject('testServer').superuserUrl}?options=-c%20search_path%3Dolder,pg_catalog`;
    await query(
      inject('testServer').superuserUrl,
      `create schema if not exists older;
       create or replace function older.current_setting(name text) returns text language sql as
       $$ select case name when 'server_version' then '16.9' else pg_catalog.current_setting(name) end $$;`,
    );
    await expect(openDatabase({ config: { DATABASE_URL: databaseUrl }, dataDir, log })).rejects.toThrow(
      /is version 16\.9; Nearhand needs 17 or newer\./,
    );
  });

  it('fails with one sentence without its password when it is unreachable', async () => {
    const refused = openDatabase({
      config: { DATABASE_URL: 'postgres://me:hush@127.0.0.1:9/town' },
      dataDir,
      log,
    });
    await expect(refused).rejects.toThrow(
      'The PostgreSQL of DATABASE_URL (127.0.0.1:9/town) cannot be reached: connect ECONNREFUSED 127.0.0.1:9.',
    );
    await expect(
      openDatabase({ config: { DATABASE_URL: 'mysql://me:hush@here' }, dataDir, log }),
    ).rejects.toThrow('DATABASE_URL must look like postgres://user:password@host:5432/name.');
  });
});

describe('refusedDisk', () => {
  it("recognizes a full disk by its code, ours and PostgreSQL's, and by its message", () => {
    const sentence = new StartRefusedError(
      'The disk of us is full; make room on it and start again, nothing was lost.',
    );
    for (const code of ['ENOSPC', 'EDQUOT', '53100'])
      expect(refusedDisk(Object.assign(new Error('x'), { code }), 'us')).toEqual(sentence);
    expect(refusedDisk(new Error('exit 1'), 'us', 'FATAL: No space left on device')).toEqual(sentence);
    const other = new Error('exit 1');
    expect(refusedDisk(other, 'us', 'FATAL: out of memory')).toBe(other);
  });
});

describe('refusedPort', () => {
  it('names the port and how to pick another', () => {
    expect(refusedPort(Object.assign(new Error('listen'), { code: 'EADDRINUSE' }), 8080)).toEqual(
      new StartRefusedError(
        'Port 8080 is in use by another program; choose another with PORT, for example PORT=8081 npm start.',
      ),
    );
    const other = new Error('other');
    expect(refusedPort(other, 8080)).toBe(other);
  });
});
