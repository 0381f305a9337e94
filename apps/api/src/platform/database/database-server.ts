import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import { errorCode, errorText, StartRefusedError } from '../start-refused.ts';
import { type Cluster, findPostmaster, openCluster, startCluster, stopCluster } from './database-cluster.ts';

export type StartLog = { info(message: string): void; warn(message: string): void };

export type DatabaseServer = {
  /** Contains the password, so it must not be logged. */
  url: string;
  kind: 'embedded' | 'given';
  /** Stores this server's address, which a second start on the same data reports. */
  announce(address: string): Promise<void>;
  /** Stops the embedded server if this process owns it. Close every pool on it first. */
  stop(): Promise<void>;
};

type Addresses = Partial<Pick<Config, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_OWNER_URL'>>;

export type OpenDatabaseOptions = {
  /** Uses PostgreSQL 17 or newer at these addresses instead of starting one. */
  config?: Addresses;
  dataDir: string;
  log: StartLog;
  /** Works alongside a running server, as an import does; otherwise a second start is refused. */
  join?: boolean;
};

/** Migrations change the expressions of generated columns, which older versions can't. */
const OLDEST_VERSION = 17;
/** 'near' in ASCII. The session that holds this lock in the database `postgres` owns the embedded server. */
const OWNER_LOCK = 0x6e656172;
const PATIENCE_MS = 60_000;

/** An advisory lock marks an embedded server's owner: unlike a lock file it can't outlive it (ADR 2). */
export async function openDatabase(options: OpenDatabaseOptions): Promise<DatabaseServer> {
  return options.config?.DATABASE_URL ? openGiven(options.config) : openEmbedded(options);
}

type Given = { name: keyof Addresses; url: string };

/** Checks every address before anything is locked or changed. `url` bypasses the pooler. */
async function openGiven(config: Addresses): Promise<DatabaseServer> {
  const addresses = (['DATABASE_DIRECT_URL', 'DATABASE_URL', 'DATABASE_OWNER_URL'] as const).flatMap(
    (name) => {
      const url = config[name];
      return url === undefined ? [] : [{ name, url }];
    },
  );
  const direct = addresses[0];
  if (!direct) throw new Error('there is no address of a database');
  let first: string | undefined;
  for (const { name, url } of addresses) {
    const id = await checkGiven({ name, url }, name !== 'DATABASE_URL' || direct.name === name);
    first ??= id;
    if (id !== first)
      throw new StartRefusedError(
        `${name} (${describeUrl({ name, url })}) leads to another database than ${direct.name} (${describeUrl(direct)}); all addresses must lead to the same one.`,
      );
  }
  return { url: direct.url, kind: 'given', announce: async () => {}, stop: async () => {} };
}

/** @param needsSessions rejects a pooler in transaction mode @returns an id independent of the address */
async function checkGiven(address: Given, needsSessions: boolean): Promise<string> {
  const { name } = address;
  const target = describeUrl(address);
  const clients = Array.from(
    { length: needsSessions ? 2 : 1 },
    () =>
      new pg.Client({
        connectionString: address.url,
        application_name: 'nearhand start',
        connectionTimeoutMillis: 10_000,
        query_timeout: 10_000,
      }),
  );
  const [client] = clients;
  if (!client) throw new Error('there is no client');
  try {
    for (const client of clients) {
      client.on('error', () => {});
      await client.connect();
    }
    const { rows } = await client.query<{ version: string; encoding: string; id: string }>(
      `select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        extract(epoch from pg_postmaster_start_time()) || ' ' || oid as id
      from pg_database where datname = current_database()`,
    );
    const { version = '0', encoding = '', id = '' } = rows[0] ?? {};
    if (Number.parseInt(version, 10) < OLDEST_VERSION)
      throw new StartRefusedError(
        `The PostgreSQL of ${name} (${target}) is version ${version}; Nearhand needs ${OLDEST_VERSION} or newer.`,
      );
    if (encoding !== 'UTF8')
      throw new StartRefusedError(
        `The database of ${name} (${target}) has encoding ${encoding}; Nearhand needs 'UTF8'.`,
      );
    if (needsSessions && (await sharesSessions(clients)))
      throw new StartRefusedError(
        name === 'DATABASE_URL'
          ? `DATABASE_URL (${target}) leads to a pooler in transaction mode; also set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`
          : `${name} (${target}) leads to a pooler in transaction mode; set it to the address of PostgreSQL itself.`,
      );
    return id;
  } catch (error) {
    if (error instanceof StartRefusedError) throw error;
    throw new StartRefusedError(
      `The PostgreSQL of ${name} (${target}) cannot be reached: ${errorText(error)}.`,
    );
  } finally {
    for (const client of clients) await client.end().catch(() => {});
  }
}

/** Detects a pooler in transaction mode: two clients share a session, or one gets several. */
async function sharesSessions(clients: pg.Client[]): Promise<boolean> {
  const sessions = new Map<number, pg.Client>();
  for (let round = 0; round < 5; round += 1)
    for (const client of clients) {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const pid = rows[0]?.pid ?? 0;
      if ((sessions.get(pid) ?? client) !== client) return true;
      sessions.set(pid, client);
    }
  return sessions.size > clients.length;
}

/** Host, port and name only: a password must not reach the terminal or the log. */
function describeUrl({ name, url }: Given): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw new StartRefusedError(`${name} must look like postgres://user:password@host:5432/name.`);
  }
  return `${parsed.host || 'local socket'}${parsed.pathname}`;
}

async function openEmbedded({ dataDir, log, join }: OpenDatabaseOptions): Promise<DatabaseServer> {
  const cluster = await openCluster({ folder: dataDir, onStep: (message) => log.info(message) });
  let port = await ensureRunning(cluster, log);
  let session = await claim(cluster, port);
  const url = clusterUrl(cluster, port, { user: 'nearhand', database: 'nearhand' });
  if (!session.owner) {
    await session.client.end();
    if (!join) throw alreadyRunning(cluster, session.holder);
    return { url, kind: 'embedded', announce: async () => {}, stop: async () => {} };
  }
  await prepareDatabase(session.client, cluster);

  let stopping = false;
  let address = '';
  const announce = async (served: string) => {
    address = served;
    await session.client.query(`select set_config('application_name', $1, false)`, [ownerName(address)]);
  };
  const watch = () => session.client.once('end', () => void bringBack());
  const bringBack = async () => {
    if (!stopping) log.warn('The embedded PostgreSQL stopped; restarting it.');
    for (let pause = 1; !stopping; pause = Math.min(pause * 2, 60)) {
      try {
        const previous = port;
        port = await ensureRunning(cluster, log, previous);
        if (port !== previous)
          log.warn(`Port ${previous} is in use now: start Nearhand again to reach its database.`);
        session = await claim(cluster, port);
        if (!session.owner) log.warn(alreadyRunning(cluster, session.holder).message);
        if (address) await announce(address);
        watch();
        return;
      } catch (error) {
        log.warn(`${errorText(error)}; retrying in ${pause} s.`);
        await wait(pause * 1000, undefined, { ref: false });
      }
    }
  };
  watch();

  return {
    url,
    kind: 'embedded',
    announce,
    stop: async () => {
      if (stopping) return;
      stopping = true;
      await sessionsEnded(session.client).catch(() => {});
      // The owner's session ends with the server, so no second start can come in between.
      await stopCluster(cluster);
    },
  };
}

export function clusterUrl(
  cluster: Cluster,
  port: number,
  { user, database }: { user: 'postgres' | 'nearhand'; database: string },
): string {
  return `postgres://${user}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

async function ensureRunning(cluster: Cluster, log: StartLog, fromPort?: number): Promise<number> {
  const leftover = await findPostmaster(cluster);
  if (leftover) {
    if (await answers(cluster, leftover.port)) return leftover.port;
    log.warn(`The PostgreSQL of an earlier run (process ${leftover.pid}) does not respond; stopping it.`);
    await stopCluster(cluster);
  }
  return startCluster(cluster, fromPort);
}

async function answers(cluster: Cluster, port: number): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 200) {
    try {
      const client = await connect(cluster, port);
      await client.end();
      return true;
    } catch (error) {
      if (error instanceof StartRefusedError) throw error;
      if (!(await findPostmaster(cluster))) return false;
      if (!['57P03', '57P01', 'ECONNREFUSED', 'ECONNRESET'].includes(errorCode(error) ?? '')) return false;
    }
    await wait(200);
  }
  return false;
}

async function connect(cluster: Cluster, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' }),
    connectionTimeoutMillis: 5000,
    application_name: ownerName(''),
    keepAlive: true,
  });
  // A lost connection is reported by 'end'; without this listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    if (errorCode(error) !== '28P01') throw error;
    throw new StartRefusedError(
      `The PostgreSQL on 127.0.0.1:${port} refuses the password stored in ${cluster.folder}; put that folder's nearhand.password back from a backup.`,
    );
  }
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  if (path.resolve(rows[0]?.data_directory ?? '') === cluster.folder) return client;
  await client.end();
  throw new StartRefusedError(
    `${cluster.folder}/postmaster.pid refers to the PostgreSQL on port ${port}, which serves other data; remove that file if no PostgreSQL runs on this folder.`,
  );
}

type Claim = { client: pg.Client; owner: true } | { client: pg.Client; owner: false; holder: string };

async function claim(cluster: Cluster, port: number): Promise<Claim> {
  const client = await connect(cluster, port);
  // The server needs a moment to notice that its owner was killed.
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query<{ owner: boolean; holder: string | null }>(
      `select pg_try_advisory_lock($1) as owner,
        (select application_name from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and objid = $1 and granted and pid <> pg_backend_pid()) as holder`,
      [OWNER_LOCK],
    );
    if (rows[0]?.owner) return { client, owner: true };
    if (attempt === 10) return { client, owner: false, holder: rows[0]?.holder ?? '' };
    await wait(100);
  }
}

/** Waits for a closed pool to disconnect: stopping earlier would look like a failure. */
async function sessionsEnded(client: pg.Client): Promise<void> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const { rows } = await client.query(`select from pg_stat_activity where usename = 'nearhand' limit 1`);
    if (rows.length === 0) return;
    await wait(25);
  }
}

/** Shown by a second start. PostgreSQL keeps 63 bytes. */
function ownerName(address: string): string {
  return `nearhand pid ${process.pid}${address ? ` at ${address}` : ''}`.slice(0, 63);
}

function alreadyRunning(cluster: Cluster, holder: string): StartRefusedError {
  const [, pid, address] = /pid (\d+)(?: at (.+))?/.exec(holder) ?? [];
  return new StartRefusedError(
    `Nearhand is already running on ${cluster.folder} as process ${pid ?? 'unknown'}${address ? ` at ${address}` : ', still starting'}; stop that one first, or give this one its own DATA_DIR.`,
  );
}

/** The application is not a superuser, so that SQL injection can't take over the machine. */
async function prepareDatabase(client: pg.Client, cluster: Cluster): Promise<void> {
  const { rows } = await client.query<{ role: boolean; database: boolean }>(
    `select exists (select from pg_roles where rolname = 'nearhand') as role,
            exists (select from pg_database where datname = 'nearhand') as database`,
  );
  if (!rows[0]?.role) {
    await client.query(`create role nearhand login password ${client.escapeLiteral(cluster.password)}`);
  }
  if (!rows[0]?.database) await client.query('create database nearhand owner nearhand');
}
