import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { onOneConnection, pagesRead } from '../../../test/pages-read.ts';
import type { Db } from '../../platform/db.ts';
import { findReaders } from '../notification-settings/readers.sql.ts';
import { findDelivery } from './deliveries.ts';
import {
  countUnread,
  findNotice,
  listNotices,
  listWaiting,
  markOpened,
  markRead,
} from './notifications.sql.ts';

const app = useTestApp();
const max = 20_000;
let leila: Person;
let group: string;

/** A test for an inbox of several years: one notice in ten is unread, one in ten a message. */
beforeAll(async () => {
  leila = await app.person();
  await sql`insert into notifications (id, account_id, topic, data, path, dedupe_key, group_key, replaceable, asks, created_at, read_at)
    select gen_random_uuid(), ${leila.accountId}, case n % 10 when 0 then 'message-received' when 1 then 'hours-to-submit' else 'application-viewed' end, '{}',
      '/tabs/menu/my-work/engagement/' || md5((n / 20)::text)::uuid, n, case n % 10 when 0 then 'chat:' || n / 10 end, n % 10 = 0, n % 10 = 1,
      now() - n * interval '10 minutes', case when n % 100 >= 10 then now() end
    from generate_series(1::integer, ${max}::integer) n`.execute(app.db);
  group = 'chat:10';
  await sql`vacuum analyze notifications`.execute(app.db);
}, 60_000);

const now = () => app.clock.now();
const read = async (work: Parameters<typeof pagesRead>[1]) => (await pagesRead(app.pool, work)).pages;
const noticeId = async (where: { path?: string; group_key?: string; topic?: string }) => {
  let query = app.db.selectFrom('notifications').select('id').where('accountId', '=', leila.accountId);
  for (const [column, value] of Object.entries(where)) query = query.where(column as 'path', '=', value);
  return (await query.orderBy('createdAt').limit(1).executeTakeFirstOrThrow()).id;
};

describe('with 20,000 notices', () => {
  it('reads only the rows of a page and its count', async () => {
    expect(await countUnread(app.db, leila.accountId)).toBe((max * 9) / 100);
    expect(await read((tx) => countUnread(tx, leila.accountId))).toBeLessThan(300);
    const page = (list: typeof listNotices) =>
      pagesRead(app.pool, (tx) => list(tx, leila.accountId, { after: null, limit: 21, now: now() }));
    expect((await page(listNotices)).pages).toBeLessThan(150);
    const { pages, plans } = await page(listWaiting);
    expect(pages).toBeLessThan(1_500);
    // A hash plan would read everyone's records first.
    expect(plans).toMatch(/SubPlan/);
    expect(plans).not.toMatch(/hashed SubPlan/);
  });

  it('plans pending and recipient queries once per connection, for any number', async () => {
    const plans = await onOneConnection(app.pool, async (db, client) => {
      for (let n = 1; n <= 12; n += 1) {
        await listNotices(db, leila.accountId, { after: null, limit: n * 5, now: now() });
        await findReaders(db, [leila.accountId], ['job-changed'], now());
      }
      const { rows } = await client.query<{ generic: number }>(
        `select generic_plans::integer as generic from pg_prepared_statements where statement like '%jsonb_array_elements_text%'`,
      );
      return rows.map(({ generic }) => generic);
    });
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toBeGreaterThan(3);
  });

  it('looks up pending ones by id, for any planner estimate', async () => {
    let statement = '';
    const list = (db: Db) => listNotices(db, leila.accountId, { after: null, limit: 20, now: now() });
    await onOneConnection(app.pool, list, ({ sql }) => {
      if (sql.includes('kept plan')) statement = sql;
    });
    for (const expected of [50, 500, 2_000, 20_000, 1_000_000]) {
      await sql`select pg_restore_relation_stats('schemaname', 'public', 'relname', 'notifications', 'reltuples', ${expected}::real)`.execute(
        app.db,
      );
      const { rows } = await app.pool.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${statement}`);
      const condition = rows[3]?.['QUERY PLAN'].trim();
      expect(condition).toMatch(/^(Index|Recheck) Cond: \(id = ANY \(\(InitPlan \d+\)\.col1\)\)$/);
    }
    await sql`analyze notifications`.execute(app.db);
  });

  it("doesn't read the others to follow a link or view a conversation", async () => {
    const followed = await noticeId({ group_key: group });
    expect(await read((tx) => markOpened(tx, leila.accountId, followed, now()))).toBeLessThan(60);
    expect(await read((tx) => findNotice(tx, leila.accountId, followed, now()))).toBeLessThan(20);
    expect(await read((tx) => markRead(tx, leila.accountId, { group }, now()))).toBeLessThan(40);
  });

  it('checks whether the oldest is pending without reading newer ones', async () => {
    const asking = await noticeId({ topic: 'hours-to-submit' });
    const id = crypto.randomUUID();
    await sql`insert into notification_deliveries (id, notification_id, account_id, channel, state, due_at, created_at)
      values (${id}, ${asking}, ${leila.accountId}, 'email', 'queued', ${now()}, ${now()})`.execute(app.db);
    expect(await read((tx) => findDelivery(tx, id, now()))).toBeLessThan(40);
  });
});
