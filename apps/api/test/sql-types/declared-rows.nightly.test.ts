import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DB } from '../../src/platform/tables.gen.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { checkRows, type Faults } from './declared-rows.ts';
import { kindOf, type Recorded, shapeOf } from './recorded.ts';
import { selectedValues } from './selected-values.ts';
import { statementsOf } from './statement-sources.ts';

const sample = `import { sql } from 'kysely';
type Status = 'draft' | 'open';
export const right = [
  sql<{ id: string; status: Status; startsAt: Date | null; skills: string[] }>\`
    select id, status, starts_at, skills from jobs where id = \${1}\`,
  sql<{ questions: { id: string }[] }>\`select questions from applications\`,
  sql<{ due: Date }>\`select starts_at as due from jobs where starts_at is not null\`,
  sql<{ due: Date }>\`
    select starts_at as due from jobs where starts_at is not null and pay_minor > (select min(pay_minor) from jobs) order by starts_at\`,
  sql<{ found: true; at: Date } | { found: false; at: null }>\`select id is not null as found, starts_at as at from jobs\`,
  sql<Record<Status, number>>\`select 1 as draft, 2 as open\`,
  sql<{ name: string; jobId: string | null }>\`select name, job.id as job_id from accounts left join jobs job on false\`,
  sql<number>\`count(*) + \${1}\`.as('value'), sql<Date | null>\`max(starts_at)\`.as('value'), sql<Status>\`min(status)\`.as('value'),
];
export const wrong = [
  sql<{ id: string; total: number }>\`select id, avg(pay_minor) as total from jobs group by id\`,
  sql<{ id: string; title: string }>\`select id from jobs\`,
  sql<{ id: string }>\`select id, title from jobs\`,
  sql<{ startsAt: Date }>\`select starts_at from jobs\`,
  sql<{ startsAt: string }>\`select starts_at from jobs where starts_at is not null\`,
  sql<{ name: string }>\`select (select name from accounts where id = \${1}) as name\`,
  sql<{ id: string }>\`select id from no_such_table\`,
  sql<number>\`avg(pay_minor)\`.as('value'),
  sql<number>\`min(starts_at)\`,
];
export const part = sql<boolean>\`exists (select from jobs)\`;
export const notRun = sql<{ id: string }>\`select id from accounts\`;
`;
const folder = path.resolve(import.meta.dirname, `../../.cache/sample-${process.pid}`);

describe('checkRows', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let faults: Faults;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client(database.url);
    await client.connect();
    await mkdir(path.join(folder, 'src'), { recursive: true });
    await writeFile(path.join(folder, 'src/sample.ts'), sample);
    const ran = statementsOf('sample.ts', sample).slice(0, -1);
    const recorded = ran.map(({ template, declared, kind }): Recorded => {
      if (kind !== 'statement')
        return {
          template,
          value: 'value',
          text: `select ${template.join('1')} as value from jobs`,
          seen: {},
        };
      const seen: Recorded['seen'] = declared.text === '{ name: string }' ? { name: ['null'] } : {};
      return { template, text: template.join('$1'), seen };
    });
    faults = await checkRows(client, path.join(folder, 'src'), recorded);
  }, 120_000);
  afterAll(async () => {
    await client.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it("returns exactly the declarations that differ from their statement's rows", () => {
    const words = faults.wrong.map((fault) => fault.replace(/^\s*/gm, '').split('\n').slice(0, 4).join(' '));
    expect(words).toEqual([
      expect.stringMatching(/^sample\.ts:\d+: relation "no_such_table" does not exist/),
      expect.stringMatching(/'total' are incompatible/),
      expect.stringMatching(/"title"|'title' is missing/),
      expect.stringMatching(/Type '"title"'/),
      expect.stringMatching(/'(startsAt|due)' are incompatible\. Type 'Date \| null'/),
      expect.stringMatching(/'(startsAt|due)' are incompatible\. Type 'Date'/),
      expect.stringMatching(/'name' are incompatible\. Type 'string \| null'/),
      expect.stringMatching(/Type 'string' does not satisfy the constraint 'number'/),
      expect.stringMatching(/Type 'Date' does not satisfy the constraint 'number'/),
    ]);
    const lines = faults.wrong.slice(1).map((fault) => Number(/^src\/sample\.ts\((\d+)/.exec(fault)?.[1]));
    expect(lines).toEqual([16, 17, 18, 19, 20, 21, 23, 24]);
  });

  it("names statements that never ran, and doesn't mistake conditions for statements", () => {
    expect(faults.unseen.map(({ template }) => template)).toEqual([['select id from accounts']]);
  });
});

describe('recorded rows', () => {
  it('include the raw values that built queries select', () => {
    const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: {} as pg.Pool }) });
    const query = db
      .updateTable('jobs')
      .set({ title: 'Barista' })
      .returning((eb) => [
        'id',
        sql<number>`hired_count + ${1}`.as('next'),
        eb.selectFrom('offers').select(sql<number>`count(*)`.as('inner')).as('offers'),
      ]);
    expect(selectedValues(query.toOperationNode())).toEqual([
      { template: ['hired_count + ', ''], value: 'next' },
      { template: ['count(*)'], value: 'offers' },
    ]);
  });

  it('distinguish values as row types do', () => {
    const values = [null, 'a', 1, true, new Date(), Buffer.from('a'), [1], { a: 1 }];
    expect(values.map(kindOf)).toEqual([
      'null',
      'string',
      'number',
      'boolean',
      'date',
      'bytes',
      'array',
      'object',
    ]);
  });

  it('treat lists of any length as one statement', () => {
    expect(shapeOf('a in ($1, $2, $3) and b = $4')).toBe(shapeOf('a in ($1) and b = $2'));
    expect(shapeOf('values ($1, $2), ($3, $4)')).toBe(shapeOf('values ($1, $2)'));
    expect(shapeOf('a = $1 and b = $2')).not.toBe(shapeOf('a = $1'));
  });
});
