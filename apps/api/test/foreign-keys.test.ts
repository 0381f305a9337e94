import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { useTestApp } from './harness.ts';

const app = useTestApp();
const source = path.resolve(import.meta.dirname, '../src');

async function deletedFrom(): Promise<Set<string>> {
  const names = await readdir(source, { recursive: true });
  const texts = await Promise.all(
    names
      .filter(
        (name) => name.endsWith('.ts') && !/\.(test|fixtures)\.ts$/.test(name) && !name.startsWith('seed'),
      )
      .map((name) => readFile(path.join(source, name), 'utf8')),
  );
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/deleteFrom\('(\w+)'|delete from (\w+)/g)].map((found) => found[1] ?? found[2] ?? ''),
    ),
  );
}

/** PostgreSQL reads the whole referencing table for each deleted row if there is no index (ADR 143). */
it('have an index for every reference to a row that can be deleted', async () => {
  const { rows } = await app.pool.query<{ to: string; from: string; columns: string }>(
    `select key.confrelid::regclass::text as to, key.conrelid::regclass::text as from, key.conname as columns
     from pg_constraint key
     where key.contype = 'f' and key.connamespace = 'public'::regnamespace and not exists (
       select from pg_index index where index.indrelid = key.conrelid
         and (index.indkey::int2[])[0:cardinality(key.conkey) - 1] @> key.conkey
         and (index.indpred is null or pg_get_expr(index.indpred, index.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))
     order by 1, 2, 3`,
  );
  const deleted = await deletedFrom();
  expect(deleted).toContain('files');
  expect(rows.filter(({ to }) => deleted.has(to))).toEqual([]);
});
