import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import { errorText, StartRefusedError } from '../platform/start-refused.ts';

const run = promisify(execFile);

/** Above this, advancing the counter by using up transaction numbers takes hours; pg_resetwal takes a second. */
const advancedMax = 50_000_000;

/**
 * Dumps a database into a file and verifies that the dump can be read.
 * @throws StartRefusedError if a program is missing
 */
export async function dumpDatabase(url: string, file: string): Promise<void> {
  await requireProgram('pg_dump', url);
  await runProgram('pg_dump', url, ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`]);
  // Verify the dump: pg_restore must be able to list it.
  await runProgram('pg_restore', url, ['--list', file]);
}

/** @throws StartRefusedError if the server is older than the backup's, which pg_restore does not support */
export async function requireAsNew(url: string, backedUp: string): Promise<void> {
  const version = await serverVersion(url);
  if (Number.parseInt(version, 10) >= Number.parseInt(backedUp, 10)) return;
  throw new StartRefusedError(
    `This backup is of PostgreSQL ${backedUp}, and that of DATABASE_URL is version ${version}: restore into ${Number.parseInt(backedUp, 10)} or newer.`,
  );
}

/** Restores a dump atomically into an empty database, and advances the transaction counter. */
export async function restoreDump(url: string, file: string): Promise<void> {
  await requireProgram('pg_restore', url);
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      `select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`,
    );
    if (rows.length > 0)
      throw new StartRefusedError(
        'The database of DATABASE_URL has tables already; nothing was changed: restore into an empty one.',
      );
  });
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction'];
  await runProgram('pg_restore', url, [...options, `--dbname=${new URL(url).pathname.slice(1)}`, file]);
  await withClient(url, async (client) => {
    await advanceCounter(client);
    await client.query('analyze');
  });
}

/** Returns the version of the database server, such as `17.5`; empty if it doesn't say. */
export async function serverVersion(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? '';
  });
}

/** A dump restarts the counter below the transaction numbers stored by the ledger (ADR 64). */
async function advanceCounter(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ missing: number }>(
    `select greatest((select max(xact) from ledger_entries), (select max(upto) from ledger_seals))::text::numeric
       - pg_current_xact_id()::text::numeric as missing`,
  );
  if (Number(rows[0]?.missing ?? 0) > advancedMax)
    throw new StartRefusedError(
      `The dump is restored, but this PostgreSQL's transaction counter is ${rows[0]?.missing} behind: see "The transaction counter" in docs/operations.md, then run npm run audit.`,
    );
  await client.query(`do $$
    declare past xid8 := greatest((select max(xact) from ledger_entries), (select max(upto) from ledger_seals));
    begin
      while pg_current_xact_id() <= past loop commit; end loop;
    end $$`);
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'nearhand backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** @throws StartRefusedError if the program is missing or older than the server */
async function requireProgram(name: string, url: string): Promise<void> {
  const server = Number.parseInt(await serverVersion(url), 10);
  // Debian's wrapper chooses among the installed versions by the address.
  const versionOutput = await run(name, ['--version'], { env: environmentFor(url) }).catch(() => null);
  const version = Number(/\) (\d+)/.exec(versionOutput?.stdout ?? '')?.[1] ?? 0);
  if (versionOutput !== null && version >= server) return;
  const problem = versionOutput
    ? `This ${name} is version ${version}, older than the server's ${server}`
    : `There is no ${name}`;
  throw new StartRefusedError(
    `${problem}: install PostgreSQL's client programs of version ${server} or newer.`,
  );
}

/** Passes the address by environment, since process arguments are public. */
function environmentFor(url: string): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const parameters = Object.fromEntries(
    ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'].flatMap((key) => {
      const value = searchParams.get(key);
      return value === null ? [] : [[`PG${key.toUpperCase()}`, value]];
    }),
  );
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LC_ALL: 'C',
    PGAPPNAME: 'nearhand backup',
    PGHOST: decodeURIComponent(hostname) || searchParams.get('host') || '',
    PGPORT: port || '5432',
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    ...parameters,
  };
}

async function runProgram(name: string, url: string, args: readonly string[]): Promise<void> {
  try {
    await run(name, args, { env: environmentFor(url), maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const output = String((error as { stderr?: unknown }).stderr ?? '').trim();
    throw new StartRefusedError(`${name} failed: ${output.split('\n')[0] || errorText(error)}`);
  }
}
