import { sumOf } from '@nearhand/contract/arithmetic';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { failRefund } from '../../money/charges/charge-outcomes.ts';
import { fundBusiness } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp();
let operator: Person;

beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
});

async function failedTask(name: string): Promise<string> {
  const { rows } = await app.pool.query(
    `select id::text from graphile_worker.add_job($1, '{}', max_attempts => 3, run_at => '2100-01-01')`,
    [name],
  );
  const id = rows[0].id as string;
  await app.pool.query(
    `update graphile_worker._private_jobs set attempts = 3, last_error = $2 where id = $1`,
    [id, `The mail server said no. ${'x'.repeat(400)}`],
  );
  return id;
}

describe('platformHealth.get', () => {
  it('counts sign-ups, disputes and filled spots per day', async () => {
    const nadia = await app.person();
    const leila = await app.person();
    const { id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia));
    const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
    const task = await makeEngagement(app.db, sides, businessId, { kind: 'task', payMinor: 12_000 });
    await leila.api.timesheets.deliver({ engagementId: task.id, version: 1, note: 'Done.' });
    await nadia.api.disputes.file({
      engagementId: task.id,
      version: 2,
      reason: 'Half is unpainted.',
      amountMinor: 4_000,
    });
    const shift = await makeEngagement(app.db, sides, businessId, { title: 'Wash up' });
    app.clock.set(shift.terms.startsAt ?? '');
    await app.pool.query(`update accounts set created_at = '2026-11-01'`);
    await app.pool.query('update accounts set created_at = $1 where id = $2', [
      app.clock.now(),
      leila.accountId,
    ]);
    const figures = await operator.api.platformHealth.get();
    expect(figures.days).toHaveLength(30);
    const today = app.clock.now().toISOString().slice(0, 10);
    expect(figures.days.at(-1)).toMatchObject({ day: today, signUps: 1, spots: 2, filled: 1 });
    expect(sumOf(figures.days, ({ disputes }) => disputes)).toBe(1);
    expect(figures).toMatchObject({ disputesOpen: 1, payoutsWaiting: [], failedTasks: 0 });
    expect(figures.days[0]?.day).toBe(
      new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10),
    );
  });

  it('returns the latest results of the daily checks', async () => {
    const check = async () => {
      for (const task of ['ledger.audit', 'operator-log.verify', 'statements.check'])
        await app.pool.query('select graphile_worker.add_job($1, $2, run_at => $3)', [
          task,
          '{}',
          app.clock.now(),
        ]);
      await app.runDue();
      return (await operator.api.platformHealth.get()).audits;
    };
    await app.working(operator).api.staffSearch.find({ kind: 'person', words: 'leila' });
    expect(await check()).toMatchObject([
      { name: 'ledger', findings: 0, first: [] },
      { name: 'operators-log', findings: 0 },
      { name: 'statements', findings: 0, checked: null },
    ]);
    await app.pool.query('alter table operator_log disable trigger immutable');
    await app.pool.query(`update operator_log set reason = 'Nobody looked' where no = 1`);
    await app.pool.query('alter table operator_log enable trigger immutable');
    expect((await check()).find(({ name }) => name === 'operators-log')).toMatchObject({
      findings: 1,
      first: ['row_changed 1'],
    });
  });

  it('allows only operators', async () => {
    expect(await failure((await app.person()).api.platformHealth.get())).toMatchObject({ status: 403 });
    expect(await failure(app.apiAs(null).platformHealth.get())).toMatchObject({ status: 401 });
  });
});

describe('platformHealth.failedTasks', () => {
  it('lists tasks that gave up, in pages', async () => {
    const ids = [await failedTask('one.sends'), await failedTask('two.sends')];
    await app.pool.query(`select graphile_worker.add_job('three.sends', '{}', run_at => '2100-01-01')`);
    const first = await operator.api.platformHealth.failedTasks({ limit: 1 });
    expect(first.items).toMatchObject([{ id: ids[1], name: 'two.sends', attempts: 3 }]);
    expect(first.items[0]?.error).toHaveLength(300);
    const second = await operator.api.platformHealth.failedTasks({
      limit: 1,
      cursor: first.nextCursor ?? '',
    });
    expect(second).toMatchObject({ items: [{ id: ids[0] }], nextCursor: null });
    for (const cursor of ['x', 'WyJ4Il0'])
      expect(await failure(operator.api.platformHealth.failedTasks({ cursor }))).toMatchObject({
        status: 400,
        code: 'request/bad-cursor',
      });
    expect((await operator.api.platformHealth.get()).failedTasks).toBe(2);
  });
});

describe('platformHealth.failedRefunds', () => {
  it('lists whose refund failed, the amount and the card, for finance, in pages', async () => {
    const finance = await app.person({ name: 'Mira Adler' });
    await makeOperator(app.db, app, finance, ['finance']);
    const support = await app.person();
    await makeOperator(app.db, app, support, ['support']);
    const nadia = await app.person();
    const scope = app.scopeOf(nadia);
    const fail = async (name: string, amountMinor: number) => {
      const business = await makeBusiness(app.db, scope, { name, funded: false });
      await fundBusiness(app.db, scope, business.id, { amountMinor: 5_000 });
      await nadia.api.charges.refund({ businessId: business.id, amountMinor, currency: 'EUR' });
      await app.runDue();
      const { rows } = await app.pool.query('select id from card_refunds where business_id = $1', [
        business.id,
      ]);
      const refund = { id: String(rows[0]?.id), businessId: business.id };
      app.clock.forward({ minutes: 1 });
      await app.db.transaction().execute((tx) => failRefund(tx, scope, refund.id));
      return refund;
    };
    const first = await fail('Bar Noord', 1_500);
    const second = await fail('Café Zuid', 2_000);
    await app.pool.query(`update businesses set status = 'closed' where id = $1`, [second.businessId]);
    const page = await finance.api.platformHealth.failedRefunds({ limit: 1 });
    expect(page.items).toEqual([
      {
        id: second.id,
        business: { id: second.businessId, name: 'Café Zuid', isClosed: true },
        amountMinor: 2_000,
        currency: 'EUR',
        card: { brand: 'Visa', last4: '4242' },
        failedAt: app.clock.now().toISOString(),
      },
    ]);
    const next = await finance.api.platformHealth.failedRefunds({ limit: 1, cursor: page.nextCursor ?? '' });
    expect(next).toMatchObject({
      items: [{ id: first.id, business: { name: 'Bar Noord', isClosed: false }, amountMinor: 1_500 }],
      nextCursor: null,
    });
    expect(await failure(finance.api.platformHealth.failedRefunds({ cursor: 'x' }))).toMatchObject({
      status: 400,
      code: 'request/bad-cursor',
    });
    for (const person of [support, nadia])
      expect(await failure(person.api.platformHealth.failedRefunds({}))).toMatchObject({ status: 403 });
  });
});

describe('platformHealth.retryTask', () => {
  it('gives a failed task all its attempts again, once', async () => {
    const taskId = await failedTask('four.sends');
    const both = await Promise.allSettled([
      operator.api.platformHealth.retryTask({ taskId }),
      operator.api.platformHealth.retryTask({ taskId }),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { rows } = await app.pool.query(
      'select attempts::int, run_at < now() as due from graphile_worker.jobs where id = $1',
      [taskId],
    );
    expect(rows).toEqual([{ attempts: 0, due: true }]);
  });

  it('rejects tasks that are still retried, unknown ones and nonsense', async () => {
    const { rows } = await app.pool.query(
      `select id::text from graphile_worker.add_job('five.sends', '{}', run_at => '2100-01-01')`,
    );
    for (const taskId of [rows[0].id as string, '999999999'])
      expect(await failure(operator.api.platformHealth.retryTask({ taskId }))).toMatchObject({
        status: 404,
        code: 'task/not-found',
      });
    for (const taskId of ['x', '-1', '1'.repeat(19)])
      expect((await failure(operator.api.platformHealth.retryTask({ taskId }))).status).toBe(400);
    const stranger = await app.person();
    expect(await failure(stranger.api.platformHealth.retryTask({ taskId: '1' }))).toMatchObject({
      status: 403,
    });
  });
});
