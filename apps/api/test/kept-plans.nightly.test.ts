import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPool } from '../src/platform/db.ts';
import { makeWorld, type World } from './all-records.fixtures.ts';
import { callInWorld } from './call-in-world.ts';
import { contractOperations } from './contract-operations.ts';
import { useTestApp } from './harness.ts';

/**
 * Statements marked with `keptPlan` are planned again for every call unless PostgreSQL finds its generic plan as
 * cheap as the plans for single values (ADR 116). An array parameter, whose length it sees, is enough to lose that.
 */
const app = useTestApp();
const mark = '/* kept plan */';
const source = path.resolve(import.meta.dirname, '../src');
const runs = 10;

/** The last values of each marked statement that the tests' world ran. */
const marked = new Map<string, readonly unknown[]>();

type Wire = {
  parse(statement: { name: string; text: string }, ...rest: unknown[]): void;
  bind(portal: { statement: string; values?: unknown[] }, ...rest: unknown[]): void;
};
// The driver's own connection, which every way of sending a statement ends in.
const wire = pg.Connection.prototype as unknown as Wire;
const { parse, bind } = wire;
const statementTexts = new Map<string, string>();

beforeAll(async () => {
  wire.parse = function (this: Wire, statement, ...rest) {
    if (statement.text.includes(mark)) statementTexts.set(statement.name, statement.text);
    return parse.call(this, statement, ...rest);
  };
  wire.bind = function (this: Wire, portal, ...rest) {
    const text = statementTexts.get(portal.statement);
    if (text !== undefined) marked.set(text, portal.values ?? []);
    return bind.call(this, portal, ...rest);
  };
  await useEveryStatement(await makeWorld(app));
}, 240_000);
afterAll(() => Object.assign(wire, { parse, bind }));

async function useEveryStatement(world: World): Promise<void> {
  const { owner, worker, rival, ids } = world;
  await app.db
    .insertInto('notifications')
    .values({
      id: crypto.randomUUID(),
      accountId: owner.accountId,
      topic: 'payment-failed',
      data: '{}',
      path: '/',
      dedupeKey: 'payment-failed/1',
      createdAt: app.clock.now(),
    })
    .execute();
  const choice = { topic: 'job-changed', channel: 'email', choice: 'off' } as const;
  await owner.api.notificationSettings.update({ topics: [choice] });
  for (const operation of contractOperations)
    if (operation.method === 'GET' && operation.meta.access !== 'operator')
      for (const who of [worker, owner]) await callInWorld(app, world, who, operation);
  await owner.api.nearby.search({ lat: 52.38, lng: 4.64, q: 'barrista', widen: 'false' });
  const application = { coverNote: '', answers: [], cvFileId: null };
  await rival.api.applications.submit({ ...application, jobId: String(ids.jobId) });
  const inConversation = { conversationId: String(ids.conversationId) };
  await owner.api.conversations.messages({ ...inConversation, since: 0 });
  await owner.api.conversations.acknowledge({ items: [{ ...inConversation, deliveredSeq: 1, readSeq: 1 }] });
  await worker.api.payouts.refresh({});
  await app.runDue();
}

type Statement = readonly [text: string, values: readonly unknown[]];

/**
 * A small table costs the same to read with any plan, so the planner is told that each table has 100,000
 * rows.
 */
const asLargeTables = `select pg_restore_relation_stats('schemaname', 'public', 'relname', relname::text,
    'relpages', 1, 'reltuples', 100000::real)
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;

/** @returns how often each statement ran with its generic plan, on a new connection */
async function genericPlans(statements: readonly Statement[]): Promise<Map<string, number>> {
  await app.pool.query('analyze');
  await app.pool.query(asLargeTables);
  const { pool, close } = openPool(app.directUrl, 1, () => {});
  const client = await pool.connect();
  for (const [text, values] of statements)
    for (let run = 0; run < runs; run += 1) {
      await client.query('begin');
      // A repeated insert fails after it was planned.
      await client.query(text, [...values]).catch(() => {});
      await client.query('rollback');
    }
  const { rows } = await client.query<{ statement: string; generic: number }>(
    'select statement, generic_plans::integer as generic from pg_prepared_statements',
  );
  client.release();
  await close();
  return new Map(rows.map(({ statement, generic }) => [statement, generic]));
}

async function withoutGenericPlan(statements: readonly Statement[]): Promise<string[]> {
  const generic = await genericPlans(statements);
  return statements.map(([text]) => text).filter((text) => !generic.get(text));
}

const oneSpace = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The first words after each mark in the sources, which identify its statement. */
function markedPlaces(): string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  return files.flatMap((name) =>
    [
      ...readFileSync(path.join(source, name), 'utf8').matchAll(
        /\$\{keptPlan\}\s*(?:\$\{[^`]*?\}\s*)?([^`$]+)/g,
      ),
    ].map(([, words = '']) => oneSpace(words)),
  );
}

describe('a statement marked for a kept plan', () => {
  it('runs in this test, wherever it is marked', () => {
    const texts = [...marked.keys()].map(oneSpace);
    const places = markedPlaces();
    expect(places.length).toBeGreaterThan(25);
    expect(places.filter((words) => !texts.some((text) => text.includes(words)))).toEqual([]);
  });

  it('gets a generic plan within ten runs', async () => {
    expect(await withoutGenericPlan([...marked])).toEqual([]);
  });

  it('compares no array parameter, which prevents a generic plan where a table or an index makes it matter', () => {
    const arrays = [...marked.keys()].filter((text) => /\b(any|unnest)\s*\(\s*\$\d/.test(text));
    expect(arrays).toEqual([]);
  });

  it('is detected when its plan depends on the length of an array', async () => {
    const dependent = `${mark} select id from accounts where name = any($1::text[]) or email = any($1::text[])`;
    expect(await withoutGenericPlan([[dependent, [['one']]]])).toEqual([dependent]);
  });
});
