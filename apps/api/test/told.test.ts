import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestApp } from './harness.ts';
import { everyChangeIsTold, ofOtherSignals, untold, unwatched, watched } from './told.ts';

const app = useTestApp();

describe('what screens show', () => {
  it('is decided for every table: told to somebody, or a reason why not', async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by tablename`.execute(app.db);
    const names = rows.map(({ name }) => name).filter((name) => !/^(test_|sandbox_|kysely_|migration_)/.test(name) && !ofOtherSignals.test(name));
    expect(names.filter((name) => !(name in watched) && !(name in unwatched))).toEqual([]);
  });

  it('has every table of moves among the watched ones', async () => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' and tablename like '%\\_moves'`.execute(
      app.db,
    );
    expect(rows.map(({ name }) => name).filter((name) => !(name in watched))).toEqual([]);
  });
});

void everyChangeIsTold;
void untold;
