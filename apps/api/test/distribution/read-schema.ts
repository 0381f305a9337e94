import type { Pool } from 'pg';
import type { Placement } from './distributed-tables.ts';
import type { Schema } from './statement-keys.ts';

/** A function of ours: its body, and for PL/pgSQL the whole definition. */
export type Body = { language: string; source: string; definition: string };
export type WholeSchema = Schema & {
  functions: ReadonlyMap<string, readonly Body[]>;
  /** The functions that run on changes of each table. */
  triggers: ReadonlyMap<string, readonly string[]>;
};

/** What the database knows about its tables' columns, functions and triggers. */
export async function readSchema(pool: Pool, placements: Record<string, Placement>): Promise<WholeSchema> {
  const rowsOf = async <Row>(text: string) => (await pool.query(text)).rows as Row[];
  const columns = await rowsOf<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(column_name::text order by ordinal_position) as columns from information_schema.columns
     where table_schema = 'public' group by 1`,
  );
  const functions = await rowsOf<Body & { name: string }>(
    `select proname as name, lanname as language, prosrc as source, pg_get_functiondef(function.oid) as definition
     from pg_proc function join pg_language language on language.oid = function.prolang
     where pronamespace = 'public'::regnamespace and lanname in ('sql', 'plpgsql')`,
  );
  const triggers = await rowsOf<{ table: string; functions: string[] }>(
    `select tgrelid::regclass::text as table, array_agg(distinct proname::text) as functions
     from pg_trigger join pg_proc on pg_proc.oid = tgfoid where not tgisinternal group by 1`,
  );
  return {
    placements,
    columns: new Map(columns.map((row) => [row.table, new Set(row.columns)])),
    functions: Map.groupBy(functions, ({ name }) => name),
    triggers: new Map(triggers.map((row) => [row.table, row.functions])),
  };
}
