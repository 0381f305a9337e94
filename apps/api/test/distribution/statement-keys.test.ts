import { expect, it } from 'vitest';
import { readStatement, type Schema } from './statement-keys.ts';

const schema: Schema = {
  placements: {
    jobs: { by: 'area', named: ['id', 'job_id'] },
    offers: { by: 'area', named: ['id', 'job_id'] },
    accounts: { by: 'account', named: ['id', 'account_id'] },
    roles: 'copied',
  },
  columns: new Map([
    ['jobs', new Set(['id', 'title', 'business_id'])],
    ['offers', new Set(['id', 'job_id', 'worker_id'])],
    ['accounts', new Set(['id', 'name'])],
    ['roles', new Set(['id'])],
  ]),
};
const without = (text: string) => readStatement(text, schema).without;

it('finds the rows of a statement that names their place, by a value or by another table', () => {
  for (const text of [
    'select * from jobs where id = $1',
    'select title from jobs where id = any($1) and title <> $2',
    'select * from offers join jobs on jobs.id = offers.job_id where jobs.id in ($1, $2)',
    'select * from offers where job_id = (select id from jobs where id = $1)',
    'select * from offers where job_id in (select jobs.id from jobs where jobs.id = $1)',
    'with one as (select id from jobs where id = $1) update offers set worker_id = $2 from one where offers.job_id = one.id',
    'insert into offers (id, job_id) values ($1, $2)',
    'insert into offers (id, job_id) select gen_random_uuid(), jobs.id from jobs where jobs.id = $1',
    'select * from jobs where id = $1 and exists (select from offers where offers.job_id = jobs.id)',
    'select jobs.* from jsonb_to_recordset($1) as given (id uuid) join jobs on jobs.id = given.id',
    'delete from jobs using offers where jobs.id = offers.job_id and offers.id = $1',
    'select * from roles',
  ])
    expect(without(text), text).toEqual([]);
});

it('names the tables whose rows it would have to look for everywhere', () => {
  expect(without('select * from jobs where business_id = $1')).toEqual(['jobs']);
  expect(without('select * from jobs where id = $1 or title = $2')).toEqual(['jobs']);
  expect(without('select * from jobs where not (id = $1)')).toEqual(['jobs']);
  expect(without('select * from jobs where id <> $1')).toEqual(['jobs']);
  expect(without('select (select count(*) from offers) from jobs where id = $1')).toEqual(['offers']);
  expect(
    without('select * from offers join jobs on jobs.title = offers.id::text where jobs.id = $1'),
  ).toEqual(['offers']);
  expect(without('insert into offers (worker_id) values ($1)')).toEqual(['offers']);
  expect(without('select * from jobs where id = $1 union all select * from jobs where title = $2')).toEqual([
    'jobs',
  ]);
  // The account's own row is found, and says nothing about where the offers are.
  expect(
    without('select * from offers join accounts on accounts.id = offers.worker_id where accounts.id = $1'),
  ).toEqual(['offers']);
});

it('says which groups meet, what is written and which functions are called', () => {
  const read = readStatement(
    'update jobs set title = short_id(name) from accounts where jobs.id = $1 and accounts.id = $2',
    schema,
  );
  expect(read).toEqual({
    tables: ['accounts', 'jobs'],
    groups: ['account', 'area'],
    without: [],
    written: ['jobs'],
    calls: ['short_id'],
  });
});
