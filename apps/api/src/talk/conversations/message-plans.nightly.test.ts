import { sumOf } from '@nearhand/contract/arithmetic';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { onOneConnection } from '../../../test/pages-read.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeConversation, makeManyMessages } from '../messages/messages.fixtures.ts';
import { findBefore, findChangedSince } from './message-views.ts';

const app = useTestApp();

/** The number of pages that the connection's cached plan reads. */
async function keptPages(client: pg.PoolClient, values: readonly string[]): Promise<number[]> {
  await client.query('set plan_cache_mode = force_generic_plan');
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_prepared_statements where statement like '%newest limit%' order by statement like '%order by rev%' desc`,
  );
  const pages: number[] = [];
  for (const [n, { name }] of rows.entries()) {
    const plan = await client.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, timing off) execute ${name} (${values[n]})`,
    );
    const line = plan.rows.map((row) => row['QUERY PLAN']).find((text) => text.includes('Buffers: shared'));
    pages.push(sumOf([...(line ?? '').matchAll(/(?:hit|read)=(\d+)/g)], ([, count]) => Number(count)));
  }
  await client.query('reset plan_cache_mode');
  return pages;
}

describe('a page of messages', () => {
  it('keeps its plan, which reads only the page of a long conversation (ADR 116)', async () => {
    const owner = await app.person();
    const worker = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    await makeApplication(app.db, app.scopeOf(worker), job.id);
    const { id } = await makeConversation(app.db, app.scopeOf(worker), job.id);
    await makeManyMessages(app.db, id, 20_000);
    await onOneConnection(app.pool, async (db, client) => {
      for (let n = 1; n <= 12; n += 1) {
        await findChangedSince(db, owner.accountId, id, 19_000 + n, 201);
        await findBefore(db, owner.accountId, id, 19_000 - n, 21);
      }
      const { rows } = await client.query<{ generic: number }>(
        `select generic_plans::integer as generic from pg_prepared_statements where statement like '%newest limit%'`,
      );
      expect(rows).toHaveLength(2);
      for (const { generic } of rows) expect(generic).toBeGreaterThan(3);
      const [since, before] = await keptPages(client, [
        `'${owner.accountId}', '${id}', 19999, 201`,
        `'${owner.accountId}', '${id}', 5000, 21`,
      ]);
      expect(since).toBeLessThan(30);
      expect(before).toBeLessThan(250);
    });
  });
});
