import type pg from 'pg';

/** What only migrations write: the serving role reads them to see whether a process may start. */
const ofMigrations = ['migration_checksum', 'kysely_migration', 'kysely_migration_lock'];

/**
 * Lets another role than the owner's serve: it reads and writes rows, but cannot change tables, triggers or functions, so it cannot get
 * past the guards of the ledger and the logs (docs/operations.md, Role that serves). A no-op where one role does both. Call it as the owner, after migrating.
 */
export async function grantToServe(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ owner: string }>('select current_user as owner');
  if (role === '' || rows[0]?.owner === role) return;
  const name = client.escapeIdentifier(role);
  for (const schema of ['public', 'graphile_worker'])
    await client.query(`
      grant usage on schema ${schema} to ${name};
      grant select, insert, update, delete on all tables in schema ${schema} to ${name};
      grant usage, select on all sequences in schema ${schema} to ${name};
      grant execute on all functions in schema ${schema} to ${name};`);
  await client.query(`revoke insert, update, delete on ${ofMigrations.join(', ')} from ${name}`);
  // The queue's library switches row security on without a policy, which hides every row from all but the owner.
  await client.query(`
    do $$
    declare hidden regclass;
    begin
      for hidden in
        select oid from pg_class where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity
      loop
        execute format('alter table %s disable row level security', hidden);
      end loop;
    end $$`);
}

/** The role of an address; empty where the system's user is one. */
export const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);
