import { minuteMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile, pdfBytes } from '../../people/files/files.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from './operators.fixtures.ts';
import { appointOperator, listOperators, removeOperator } from './operators.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let operator: Person;
let businessId: string;
let missedId: string;
let disputedId: string;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  const shift = await makeEngagement(app.db, sides, businessId, { title: 'Wash up' });
  const task = await makeEngagement(app.db, sides, businessId, {
    kind: 'task',
    title: 'Paint the fence',
    payMinor: 12_000,
  });
  [missedId, disputedId] = [shift.id, task.id];
  app.clock.set(new Date(Date.parse(shift.terms.startsAt ?? '') + 70 * minuteMs));
  const reported = await nadia.api.engagements.reportNoShow({ engagementId: missedId, version: 1 });
  const note = 'I was at the back door.';
  await leila.api.engagements.contest({ engagementId: missedId, version: reported.version, note });
  await leila.api.timesheets.deliver({ engagementId: disputedId, version: 1, note: 'Done.' });
  await nadia.api.disputes.file({
    engagementId: disputedId,
    version: 2,
    reason: 'Half is unpainted.',
    amountMinor: 4_000,
  });
});

describe('what else an operator may see and do', () => {
  it('reads any engagement, without actions or contacts', async () => {
    for (const engagementId of [missedId, disputedId]) {
      const engagement = await operator.api.engagements.get({ engagementId });
      expect(engagement).toMatchObject({ id: engagementId, actions: [], contact: null, cancelling: null });
      expect(engagement.dispute?.actions ?? []).toEqual([]);
    }
    const { version } = await operator.api.engagements.get({ engagementId: disputedId });
    const request = { engagementId: disputedId, version };
    for (const call of [
      () => operator.api.timesheets.approve(request),
      () => operator.api.disputes.file({ ...request, reason: 'No.', amountMinor: 1 }),
      () => operator.api.engagements.contest({ ...request, note: 'No.' }),
    ])
      expect(await failure(call())).toMatchObject({ status: 403 });
    const stranger = await app.person();
    expect(await failure(stranger.api.engagements.get({ engagementId: missedId }))).toMatchObject({
      status: 404,
    });
  });
});

describe('delivered files', () => {
  it('open for operators once the pay is disputed', async () => {
    const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
    const { id: engagementId } = await makeEngagement(app.db, sides, businessId, {
      kind: 'task',
      title: 'Paint a wall',
      payMinor: 5_000,
    });
    const file = await makeFile(app.db, sides.worker, {
      purpose: 'work',
      name: 'Wall.pdf',
      bytes: pdfBytes(),
    });
    const fileIds = [file.id];
    await leila.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.', fileIds });
    const details = () => operator.api.files.details({ fileId: file.id });
    expect(await failure(details())).toMatchObject({ status: 404 });
    await nadia.api.disputes.file({ engagementId, version: 2, reason: 'It drips.', amountMinor: 1_000 });
    expect(await details()).toMatchObject({ id: file.id });
    const stranger = await app.person();
    expect(await failure(stranger.api.files.details({ fileId: file.id }))).toMatchObject({ status: 404 });
  });
});

describe('appointing', () => {
  const scope = { clock: app.clock };
  const at = (email: string) => ({ email, by: 'root', roles: ['trust', 'support'] as const });
  it('requires a verified account, happens once, and can be revoked at once', async () => {
    const person = await app.person({ name: 'Mila Horvat' });
    const unverified = await app.person({ verified: false });
    expect(await appointOperator(app.db, scope, at('nobody@nearhand.example'))).toBe('no-account');
    expect(await appointOperator(app.db, scope, at(unverified.email))).toBe('not-verified');
    expect(await removeOperator(app.db, scope, at(person.email))).toBe('is-none');
    expect(await appointOperator(app.db, scope, at(person.email.toUpperCase()))).toBeNull();
    expect(await appointOperator(app.db, scope, at(person.email))).toBe('is-one');
    expect(await listOperators(app.db)).toContainEqual({
      accountId: person.accountId,
      email: person.email,
      name: 'Mila Horvat',
      roles: ['trust', 'support'],
      addedBy: 'root',
      addedAt: app.clock.now(),
      hasSecondFactor: false,
    });
    const session = {
      name: 'Mila Horvat',
      email: person.email,
      roles: ['trust', 'support'],
      secondFactors: [],
      present: false,
    };
    expect(await person.api.operators.session()).toEqual(session);
    expect(await removeOperator(app.db, scope, at(person.email))).toBeNull();
    app.clock.forward({ minutes: 1 });
    expect(await failure(person.api.operators.session())).toMatchObject({ status: 401 });
    expect(await appointOperator(app.db, scope, at(person.email))).toBeNull();
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
