import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeReport } from '../reports/reports.fixtures.ts';
import { logCall, logOutcome, verifyLog } from './operator-log.ts';

const app = useTestApp();
let owner: Person;
let other: Person;

beforeAll(async () => {
  owner = await app.person({ name: 'Jonas Weber' });
  other = await app.person({ name: 'Mila Horvat' });
  for (const person of [owner, other]) await makeOperator(app.db, app, person);
});

const scope = { clock: app.clock, sign: createSign(app.secret) };
const call = (accountId: string, subject = crypto.randomUUID()) =>
  logCall(app.db, scope, {
    accountId,
    operation: 'GET /people/{accountId}',
    subjectIds: [subject],
    caseKind: null,
    caseSubject: null,
    reason: 'A question by phone',
  });

describe('operatorLog.search', () => {
  it('finds calls by operator, record, operation and time, newest first, in pages', async () => {
    const subject = crypto.randomUUID();
    const from = app.clock.now().toISOString();
    for (const person of [owner, other, owner]) {
      await call(person.accountId, subject);
      app.clock.forward({ minutes: 1 });
    }
    const page = await owner.api.operatorLog.search({ subjectId: subject, limit: 2 });
    expect(page.items.map(({ operator }) => operator.name)).toEqual(['Jonas Weber', 'Mila Horvat']);
    const rest = await owner.api.operatorLog.search({ subjectId: subject, cursor: page.nextCursor ?? '' });
    expect(rest).toMatchObject({ items: [{ operator: { id: owner.accountId } }], nextCursor: null });
    const search = async (input: object) =>
      (await owner.api.operatorLog.search({ subjectId: subject, ...input })).items;
    expect(await search({ operatorId: other.accountId })).toHaveLength(1);
    expect(await search({ operation: 'GET /people/{accountId}' })).toHaveLength(3);
    expect(await search({ until: from })).toHaveLength(0);
    expect(await search({ from })).toHaveLength(3);
    expect(await failure(owner.api.operatorLog.search({ cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });
});

describe('the log for its readers', () => {
  it('separates views from actions, filters by the kind of case, and names the records', async () => {
    const from = app.clock.now().toISOString();
    const log = (operation: string, caseKind: string | null) =>
      logCall(app.db, scope, {
        accountId: owner.accountId,
        operation,
        subjectIds: [other.accountId, crypto.randomUUID()],
        caseKind,
        caseSubject: caseKind === null ? null : crypto.randomUUID(),
        reason: null,
      });
    await log('GET /operators/search/{kind}/{id}', null);
    await log('POST /operators/tickets/{ticketId}/solve', 'ticket');
    const search = async (input: object) =>
      (await owner.api.operatorLog.search({ subjectId: other.accountId, from, ...input })).items;
    expect(await search({})).toHaveLength(2);
    expect(await search({ what: 'looks' })).toMatchObject([
      {
        case: null,
        subjects: [{ kind: 'person', id: other.accountId, name: 'Mila Horvat', loggedId: other.accountId }],
      },
    ]);
    expect(await search({ what: 'actions' })).toMatchObject([{ case: { kind: 'ticket' } }]);
    expect(await search({ caseKind: 'ticket' })).toHaveLength(1);
    expect(await search({ caseKind: 'report' })).toEqual([]);
  });

  it('says how each call ended, about whom, and filters by it', async () => {
    const leila = await app.person({ name: 'Leila Haddad' });
    const nadia = await app.person({ name: 'Nadia Brandt' });
    const { id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia));
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), businessId);
    await makeReport(app.db, app.scopeOf(leila), jobId);
    const { caseId } = await app.db
      .selectFrom('reports')
      .select('caseId')
      .where('accountId', '=', leila.accountId)
      .executeTakeFirstOrThrow();
    const about = (operation: string) =>
      owner.api.operatorLog.search({ operation, operatorId: other.accountId, limit: 1 });
    const dismissal = { reportCaseId: caseId, answer: 'Nothing found.', action: null };
    await failure(other.api.reports.decide(dismissal));
    await other.api.cases.claim({ kind: 'report', subjectId: caseId });
    await other.api.reports.decide(dismissal);
    const decide = 'POST /operators/report-cases/{reportCaseId}/decide';
    const [decided] = (await about(decide)).items;
    expect(decided).toMatchObject({ result: 'done', decision: 'dismiss' });
    // Neither who reported nor the operator is who the decision is about.
    expect(decided?.subjects.map(({ name }) => name)).not.toContain('Leila Haddad');
    const target = { kind: 'account', id: leila.accountId } as const;
    const warning = { measure: 'warning', rule: 'respect', facts: 'An insult.', target } as const;
    const { id: sanctionId } = await app.working(other).api.sanctions.impose(warning);
    await app.working(other).api.sanctions.lift({ sanctionId, reason: 'We were wrong.' });
    expect((await about('POST /operators/sanctions')).items).toMatchObject([{ decision: 'warning' }]);
    expect((await about('POST /operators/sanctions/{sanctionId}/lift')).items).toMatchObject([
      { subjects: [{ kind: 'person', id: leila.accountId, loggedId: sanctionId }] },
    ]);
    const wrong = { kind: 'job', id: businessId } as const;
    await failure(app.working(other).api.staffSearch.get(wrong));
    const refused = { operatorId: other.accountId, result: 'refused' } as const;
    expect((await owner.api.operatorLog.search(refused)).items[0]).toMatchObject({
      result: 'search/not-found',
    });
    const { items } = await owner.api.operatorLog.search({ operatorId: other.accountId, result: 'done' });
    expect(new Set(items.map(({ result }) => result))).toEqual(new Set(['done']));
  });

  it('excludes the queue, which has no names, even while someone is watching it', async () => {
    const count = async () =>
      Number((await app.pool.query('select count(*) from operator_log')).rows[0].count);
    const before = await count();
    const api = app.apiAs(owner.token, { 'nearhand-present': '1' });
    await api.cases.list({});
    await api.cases.counts();
    await api.cases.figures({ timeZone: 'Europe/Amsterdam' });
    expect(await count()).toBe(before);
  });
});

describe('operatorLog.verify', () => {
  beforeEach(async () => {
    for (let n = 0; n < 3; n += 1) await call(owner.accountId);
  });

  const after = async (tampering: string) => {
    const tables = ['operator_log', 'operator_log_head', 'operator_log_outcomes'];
    for (const table of tables) await app.pool.query(`alter table ${table} disable trigger user`);
    await app.pool.query(tampering);
    for (const table of tables) await app.pool.query(`alter table ${table} enable trigger user`);
    const { findings } = await owner.api.operatorLog.verify();
    return findings.map(({ kind }) => kind);
  };
  const last = '(select max(no) from operator_log)';

  it('finds an outcome that was changed', async () => {
    const no = await call(owner.accountId);
    await logOutcome(app.db, scope, { no, result: 'done', decision: 'upheld' });
    expect(await after('select')).toEqual([]);
    const update = (decision: string) =>
      `update operator_log_outcomes set decision = '${decision}' where no = ${no}`;
    await expect(app.pool.query(update('overturned'))).rejects.toMatchObject({
      constraint: 'operator_log_immutable',
    });
    expect(await after(update('overturned'))).toEqual(['outcome_changed']);
    expect(await after(update('upheld'))).toEqual([]);
  });

  it('passes a log with additions only, even concurrent ones', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => call((n % 2 ? owner : other).accountId)));
    const { rows, findings } = await owner.api.operatorLog.verify();
    expect(findings).toEqual([]);
    expect(rows).toBeGreaterThan(8);
  });

  it('is protected from changes by triggers', async () => {
    for (const statement of [
      'update operator_log set reason = null',
      'delete from operator_log',
      'truncate operator_log',
      'delete from operator_log_head',
      'truncate operator_log_head',
    ])
      await expect(app.pool.query(statement)).rejects.toMatchObject({ constraint: 'operator_log_immutable' });
  });

  it('finds what was changed or removed past the triggers, and nothing after a restore', async () => {
    const setReason = (reason: string) =>
      `update operator_log set reason = '${reason}' where no = ${last} - 1`;
    expect(await after(setReason('Nothing'))).toEqual(['row_changed']);
    expect(await after(setReason('A question by phone'))).toEqual([]);
    expect(
      await after(`update operator_log set account_id = '${other.accountId}' where no = ${last} - 1`),
    ).toEqual(['row_changed']);
    expect(
      await after(`update operator_log set account_id = '${owner.accountId}' where no = ${last} - 1`),
    ).toEqual([]);
    const { rows } = await app.pool.query(`select * from operator_log where no = ${last}`);
    expect(await after(`delete from operator_log where no = ${last}`)).toEqual(['row_missing']);
    expect(await after(`update operator_log_head set no = no - 1`)).toEqual(['head_changed']);
    await after('update operator_log_head set no = no + 1');
    await app.db.insertInto('operator_log').values(rows).execute();
    expect(await after('select')).toEqual([]);
    expect(await after(`delete from operator_log where no = ${last} - 1`)).toEqual(['row_missing']);
  });

  it('fails with another secret', async () => {
    const sign = createSign('another secret of another server');
    expect((await verifyLog(app.db, { sign })).findings.map(({ kind }) => kind)).toContain('row_changed');
  });
});
