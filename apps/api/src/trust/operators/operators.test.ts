import { minuteMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile, pdfBytes } from '../../people/files/files.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from './operators.fixtures.ts';
import { appointOperator, listOperators, removeOperator } from './operators.service.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let operator: Person;
let businessId: string;
let missedId: string;
let disputedId: string;

/** A contested no-show, and a dispute that was escalated five days later. */
beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia.accountId)));
  const sides = { worker: app.scopeOf(leila.accountId), recruiter: app.scopeOf(nadia.accountId) };
  const shift = await makeEngagement(app.db, sides, businessId, { title: 'Wash up' });
  const task = await makeEngagement(app.db, sides, businessId, {
    ...{ kind: 'task', title: 'Paint the fence', payMinor: 12_000 },
  });
  [missedId, disputedId] = [shift.id, task.id];
  app.clock.set(new Date(Date.parse(shift.terms.startsAt ?? '') + 70 * minuteMs));
  const reported = await nadia.api.engagements.reportNoShow({ engagementId: missedId, version: 1 });
  const note = 'I was at the back door.';
  await leila.api.engagements.contest({ engagementId: missedId, version: reported.version, note });
  await leila.api.timesheets.deliver({ engagementId: disputedId, version: 1, note: 'Done.' });
  await nadia.api.disputes.file({
    ...{ engagementId: disputedId, version: 2, reason: 'Half is unpainted.', amountMinor: 4_000 },
  });
});

describe('operators.cases', () => {
  it('lists pending cases, oldest first, with what a decision needs', async () => {
    expect((await operator.api.operators.cases({})).items.map(({ engagementId }) => engagementId)).toEqual([
      missedId,
    ]);
    app.clock.forward({ days: 5 });
    await app.runDue();
    const { items, nextCursor } = await operator.api.operators.cases({});
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([
      {
        what: 'no_show',
        ...{ engagementId: missedId, engagementStatus: 'contested', disputeId: null, stopAt: null },
        ...{ title: 'Wash up', kind: 'shift', reason: 'I was at the back door.' },
        worker: { id: leila.accountId, name: 'Leila Haddad' },
        business: { id: businessId },
        ...{ currency: 'EUR', plannedMinor: 13_125, workerAmountMinor: 13_125, businessAmountMinor: 0 },
        ...{ minMinor: 1, maxMinor: 13_125, attendance: [], funding: 'funded' },
      },
      {
        what: 'dispute',
        ...{
          engagementId: disputedId,
          engagementStatus: 'disputed',
          kind: 'task',
          reason: 'Half is unpainted.',
        },
        ...{ workerAmountMinor: 12_000, businessAmountMinor: 4_000, minMinor: 0, maxMinor: 12_000 },
        ...{ startsAt: null, proposal: null },
      },
    ]);
    const { heldMinor = 0, steps = [], since } = items[1] ?? {};
    expect(heldMinor).toBeGreaterThan(12_000);
    expect(since).toBe(app.clock.now().toISOString());
    expect(steps.map(({ action }) => action)).toEqual(['book', 'deliver', 'dispute', 'file', 'escalate']);
    expect(steps.find(({ action }) => action === 'file')).toMatchObject({
      amountMinor: 4_000,
      by: 'business',
    });
    expect(items[0]?.steps.at(-1)).toMatchObject({ action: 'contest', amountMinor: null });
  });

  it('returns pages', async () => {
    const first = await operator.api.operators.cases({ limit: 1 });
    expect(first.items.map(({ engagementId }) => engagementId)).toEqual([missedId]);
    const second = await operator.api.operators.cases({ limit: 1, cursor: first.nextCursor ?? '' });
    expect(second).toMatchObject({ items: [{ engagementId: disputedId }], nextCursor: null });
    for (const cursor of ['x', '', 'WyIyMDI2Il0'])
      expect(await failure(operator.api.operators.cases({ cursor }))).toMatchObject({
        status: 400,
        code: 'request/bad-cursor',
      });
    for (const limit of [0, 101, 1.5])
      expect(await failure(operator.api.operators.cases({ limit }))).toMatchObject({ status: 400 });
  });

  it('is for operators only, and excludes cases they are part of', async () => {
    expect(await failure(app.apiAs(null).operators.cases({}))).toMatchObject({ status: 401 });
    for (const person of [leila, nadia, await app.person()])
      expect(await failure(person.api.operators.cases({}))).toMatchObject({
        status: 403,
        code: 'operator/required',
      });
    const finance = await app.person();
    await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
    await makeOperator(app.db, app, finance);
    expect((await finance.api.operators.cases({})).items).toEqual([]);
  });
});

describe('what else an operator may see and do', () => {
  it('read any engagement, without actions or contacts', async () => {
    for (const engagementId of [missedId, disputedId]) {
      const shown = await operator.api.engagements.get({ engagementId });
      expect(shown).toMatchObject({ id: engagementId, actions: [], contact: null, cancelling: null });
      expect(shown.dispute?.actions ?? []).toEqual([]);
    }
    const { version } = await operator.api.engagements.get({ engagementId: disputedId });
    const one = { engagementId: disputedId, version };
    for (const call of [
      () => operator.api.timesheets.approve(one),
      () => operator.api.disputes.file({ ...one, reason: 'No.', amountMinor: 1 }),
      () => operator.api.engagements.contest({ ...one, note: 'No.' }),
    ])
      expect(await failure(call())).toMatchObject({ status: 403 });
    const stranger = await app.person();
    expect(await failure(stranger.api.engagements.get({ engagementId: missedId }))).toMatchObject({
      status: 404,
    });
  });
});

describe('delivered files', () => {
  it('can be read by operators once the pay is disputed', async () => {
    const sides = { worker: app.scopeOf(leila.accountId), recruiter: app.scopeOf(nadia.accountId) };
    const { id: engagementId } = await makeEngagement(app.db, sides, businessId, {
      ...{ kind: 'task', title: 'Paint a wall', payMinor: 5_000 },
    });
    const made = await makeFile(app.db, sides.worker, {
      purpose: 'work',
      name: 'Wall.pdf',
      bytes: pdfBytes(),
    });
    const fileIds = [made.id];
    await leila.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.', fileIds });
    const details = () => operator.api.files.details({ fileId: made.id });
    expect(await failure(details())).toMatchObject({ status: 404 });
    await nadia.api.disputes.file({ engagementId, version: 2, reason: 'It drips.', amountMinor: 1_000 });
    expect(await details()).toMatchObject({ id: made.id });
    const stranger = await app.person();
    expect(await failure(stranger.api.files.details({ fileId: made.id }))).toMatchObject({ status: 404 });
  });
});

describe('appointing', () => {
  const scope = { clock: app.clock };
  const at = (email: string) => ({ email, by: 'root' });
  it('is for verified accounts, once, and can be revoked at once', async () => {
    const person = await app.person({ name: 'Mila Horvat' });
    const unverified = await app.person({ verified: false });
    expect(await appointOperator(app.db, scope, at('nobody@nearhand.example'))).toBe('no-account');
    expect(await appointOperator(app.db, scope, at(unverified.email))).toBe('not-verified');
    expect(await removeOperator(app.db, scope, at(person.email))).toBe('is-none');
    expect(await appointOperator(app.db, scope, at(person.email.toUpperCase()))).toBeNull();
    expect(await appointOperator(app.db, scope, at(person.email))).toBe('is-one');
    expect(await listOperators(app.db)).toContainEqual({
      ...{ email: person.email, name: 'Mila Horvat', added_by: 'root', added_at: app.clock.now() },
    });
    await person.api.operators.cases({});
    expect(await removeOperator(app.db, scope, at(person.email))).toBeNull();
    expect(await failure(person.api.operators.cases({}))).toMatchObject({ status: 403 });
    expect(await appointOperator(app.db, scope, at(person.email))).toBeNull();
    await person.api.operators.cases({});
    const { rows } = await app.pool.query(
      'select removed_by from operators where account_id = $1 order by added_at, removed_at',
      [person.accountId],
    );
    expect(rows.map(({ removed_by: by }) => by).sort()).toEqual(['root', null].sort());
    await app.pool.query('update accounts set disabled_at = now() where id = $1', [person.accountId]);
    await removeOperator(app.db, scope, at(person.email));
    expect(await appointOperator(app.db, scope, at(person.email))).toBe('disabled');
  });
});
