import { addMs, minuteMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { fundBusiness } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { newId } from '../../platform/ids.ts';
import type { AttendanceEvents } from '../../platform/tables.gen.ts';
import { viewEngagement } from '../engagements/engagement-views.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let sam: Person;
let business: Business;

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  sam = await app.person({ name: 'Sam Okafor' });
  business = await makeBusiness(app.db, app.scopeOf(nadia));
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
});

/** Gets a new session for a person: tokens live for minutes, these tests for days. */
const as = async (person: Person) =>
  app.apiAs(
    await signAccessToken(app.secret, app.clock, {
      sessionId: person.sessionId,
      accountId: person.accountId,
    }),
  );
const look = (engagementId: string, person = leila) =>
  viewEngagement(app.db, app.scopeOf(person), engagementId);

async function hire(options: Partial<JobDraft> = {}) {
  const { id } = await makeEngagement(
    app.db,
    { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) },
    business.id,
    options,
  );
  const work = await look(id);
  const startsAt = new Date(work.terms.startsAt ?? 0);
  const endsAt = new Date(work.terms.endsAt ?? 0);
  return { id, startsAt, endsAt, version: work.version };
}
type Hired = Awaited<ReturnType<typeof hire>>;
const at = (from: Date, minutes: number) => addMs(from, minutes * minuteMs);

async function attend({ id }: Hired, from: Date, to: Date | null, breaks: [Date, Date][] = []) {
  await app.db
    .updateTable('engagements')
    .set({ status: to ? 'checked_out' : 'checked_in', checkedInAt: from, checkedOutAt: to })
    .where('id', '=', id)
    .execute();
  const events: [AttendanceEvents['kind'], Date][] = [
    ['check_in', from],
    ...breaks.flatMap(([start, end]): [AttendanceEvents['kind'], Date][] => [
      ['break_start', start],
      ['break_end', end],
    ]),
    ...(to ? [['check_out', to] as [AttendanceEvents['kind'], Date]] : []),
  ];
  for (const [kind, time] of events)
    await app.db
      .insertInto('attendance_events')
      .values({
        id: newId(time),
        engagementId: id,
        kind,
        at: time,
        receivedAt: time,
        deviceAt: time,
        how: 'none',
      })
      .execute();
}
const hoursInput = (work: Hired, version: number, options: Partial<Record<string, unknown>> = {}) => ({
  engagementId: work.id,
  version,
  startsAt: work.startsAt.toISOString(),
  endsAt: work.endsAt.toISOString(),
  breakMinutes: 30,
  note: '',
  ...options,
});
async function submitted() {
  const work = await hire();
  await attend(work, work.startsAt, work.endsAt);
  app.clock.set(at(work.endsAt, 10));
  const api = await as(leila);
  const submittedWork = await api.timesheets.submitHours(hoursInput(work, work.version));
  return { work, submittedWork };
}
const noticesOf = async (person: Person, topic: string, engagementId: string) =>
  (
    await app.db
      .selectFrom('notifications')
      .selectAll()
      .where('accountId', '=', person.accountId)
      .where('topic', '=', topic)
      .execute()
  ).filter(({ path }) => path.endsWith(engagementId));

describe('timesheets.submitHours', () => {
  it('stores the hours, calculates the pay and notifies the business of the deadline', async () => {
    const { work, submittedWork } = await submitted();
    // 7.5 paid hours at 17.50.
    expect(submittedWork).toMatchObject({ status: 'submitted', amountMinor: 13_125, side: 'worker' });
    expect(submittedWork.claims).toMatchObject([
      { round: 1, by: 'worker', paidMinutes: 450, amountMinor: 13_125, flags: [] },
    ]);
    expect(submittedWork.next).toEqual({
      kind: 'auto-approve',
      at: at(app.clock.now(), 72 * 60).toISOString(),
      since: app.clock.now().toISOString(),
      amountMinor: 13_125,
    });
    expect(await noticesOf(nadia, 'hours-submitted', work.id)).toMatchObject([
      { data: { minutes: 450, amountMinor: 13_125, currency: 'EUR', workerName: 'Leila Haddad' } },
    ]);
  });

  it('shows a coordinator the hours, without a notice and without a way to pay them', async () => {
    const coordinator = await app.person({ name: 'Cor Bakker' });
    await makeMember(app.db, app.clock, business.id, coordinator.accountId, 'coordinator');
    const { work, submittedWork } = await submitted();
    expect(await noticesOf(coordinator, 'hours-submitted', work.id)).toEqual([]);
    const api = await as(coordinator);
    const { items } = await api.engagements.forBusiness({ businessId: business.id, group: 'to_approve' });
    const card = items.find(({ id }) => id === work.id);
    expect(card).toMatchObject({ amountMinor: 13_125, actions: [] });
    const call = { engagementId: work.id, version: submittedWork.version };
    const hours = hoursInput(work, submittedWork.version, { breakMinutes: 60, note: 'Longer break' });
    for (const refused of [
      () => api.timesheets.approve(call),
      () => api.timesheets.counter(hours),
      () => api.disputes.file({ ...call, reason: 'Wrong', amountMinor: 1_000 }),
    ])
      expect(await failure(refused())).toMatchObject({ status: 403, code: 'engagement/not-allowed' });
    await app.db.deleteFrom('business_members').where('accountId', '=', coordinator.accountId).execute();
  });

  it('flags hours beyond the record and hours without one', async () => {
    const work = await hire();
    await attend(work, work.startsAt, at(work.startsAt, 240));
    app.clock.set(at(work.endsAt, 10));
    const submittedWork = await (await as(leila)).timesheets.submitHours(hoursInput(work, work.version));
    expect(submittedWork.claims[0]?.flags).toEqual(['beyond_record']);
    expect(submittedWork.claimFlags).toEqual(['beyond_record']);
    leila = await app.person();
    const unseen = await hire();
    app.clock.set(at(unseen.endsAt, 10));
    const bare = await (await as(leila)).timesheets.submitHours(hoursInput(unseen, unseen.version));
    expect(bare.claims[0]?.flags).toEqual(['no_check_in', 'no_check_out']);
  });

  it.each([
    ['the plan itself', { start: 0, end: 0, breakMinutes: 30 }, true],
    ['ten minutes at each end', { start: 10, end: -10, breakMinutes: 30 }, true],
    ['eleven minutes late', { start: 11, end: 0, breakMinutes: 30 }, false],
    ['eleven minutes over', { start: 0, end: 11, breakMinutes: 30 }, false],
    ['a break left out', { start: 0, end: 0, breakMinutes: 0 }, false],
  ])('counts %s as planned or not', async (_, { start, end, breakMinutes }, asPlanned) => {
    const work = await hire();
    await attend(work, at(work.startsAt, -10), at(work.endsAt, 20));
    app.clock.set(at(work.endsAt, 30));
    const hours = {
      breakMinutes,
      startsAt: at(work.startsAt, start).toISOString(),
      endsAt: at(work.endsAt, end).toISOString(),
    };
    const sent = await (await as(leila)).timesheets.submitHours(hoursInput(work, work.version, hours));
    expect(sent).toMatchObject({ status: 'submitted', asPlanned });
  });

  it('never counts hours without a check-in as planned', async () => {
    const work = await hire();
    app.clock.set(at(work.endsAt, 10));
    const sent = await (await as(leila)).timesheets.submitHours(hoursInput(work, work.version));
    expect(sent).toMatchObject({ status: 'submitted', asPlanned: false });
  });

  it('accepts overtime and flags it', async () => {
    const work = await hire();
    await attend(work, work.startsAt, at(work.endsAt, 60));
    app.clock.set(at(work.endsAt, 90));
    const endsAt = at(work.endsAt, 60).toISOString();
    const submittedWork = await (await as(leila)).timesheets.submitHours(
      hoursInput(work, work.version, { endsAt }),
    );
    expect(submittedWork.claims).toMatchObject([{ amountMinor: 14_875, flags: [] }]);
  });

  it('rejects impossible hours and changes nothing', async () => {
    const work = await hire();
    app.clock.set(at(work.startsAt, -5));
    const early = await as(leila);
    expect(await failure(early.timesheets.submitHours(hoursInput(work, work.version)))).toMatchObject({
      status: 422,
      code: 'engagement/too-early',
    });
    app.clock.set(at(work.endsAt, 30));
    const api = await as(leila);
    const bad: [string, Record<string, unknown>][] = [
      ['end-before-start', { endsAt: work.startsAt.toISOString() }],
      ['outside-plan', { endsAt: at(work.startsAt, 500 * 60).toISOString() }],
      ['outside-plan', { startsAt: at(work.startsAt, -121).toISOString() }],
      ['outside-plan', { startsAt: '0001-01-01T00:00:00Z' }],
      ['in-future', { endsAt: at(work.endsAt, 31).toISOString() }],
      ['break-too-long', { breakMinutes: 480 }],
    ];
    for (const [problem, options] of bad)
      expect(
        await failure(api.timesheets.submitHours(hoursInput(work, work.version, options) as never)),
      ).toMatchObject({ status: 422, code: 'timesheet/hours-impossible', data: { problem } });
    for (const options of [
      { breakMinutes: -1 },
      { breakMinutes: 1e9 },
      { breakMinutes: 1.5 },
      { startsAt: 'yesterday' },
      { note: 'a\u0000b' },
      { note: 'x'.repeat(501) },
      { version: 0 },
    ])
      expect(
        await failure(api.timesheets.submitHours(hoursInput(work, work.version, options) as never)),
      ).toMatchObject({ status: 400, code: 'request/invalid' });
    expect(await look(work.id)).toMatchObject({ status: 'booked', claims: [] });
  });

  it('allows only its worker, in the right state', async () => {
    const { work, submittedWork } = await submitted();
    const stale = hoursInput(work, work.version);
    const post = (token: string | null) =>
      app.raw({
        method: 'POST',
        url: `/api/engagements/${work.id}/hours`,
        headers: {
          'idempotency-key': newId(app.clock.now()),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        payload: stale,
      });
    expect((await post(null)).statusCode).toBe(401);
    expect(await failure((await as(sam)).timesheets.submitHours(stale))).toMatchObject({
      status: 404,
      code: 'engagement/not-found',
    });
    expect(await failure((await as(nadia)).timesheets.submitHours(stale))).toMatchObject({
      status: 403,
      code: 'engagement/not-allowed',
    });
    const api = await as(leila);
    expect(await failure(api.timesheets.submitHours(stale))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
    });
    const approvedWork = await (await as(nadia)).timesheets.approve({
      engagementId: work.id,
      version: submittedWork.version,
    });
    expect(
      await failure(api.timesheets.submitHours({ ...stale, version: approvedWork.version })),
    ).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
    });
    expect((await look(work.id)).claims).toHaveLength(1);
  });

  it('corrects hours until the business acts, and gives it the whole time to reply again', async () => {
    const { work, submittedWork } = await submitted();
    expect(submittedWork.actions).toContain('submit-hours');
    app.clock.set(at(work.endsAt, 60));
    const api = await as(leila);
    const correction = hoursInput(work, submittedWork.version, { breakMinutes: 60, note: 'A longer break' });
    const corrected = await api.timesheets.submitHours(correction);
    // 7 paid hours at 17.50.
    expect(corrected).toMatchObject({ status: 'submitted', amountMinor: 12_250 });
    expect(corrected.claims).toMatchObject([
      { round: 1, amountMinor: 13_125 },
      { round: 1, amountMinor: 12_250, note: 'A longer break' },
    ]);
    expect(corrected.next).toMatchObject({
      at: at(app.clock.now(), 72 * 60).toISOString(),
      amountMinor: 12_250,
    });
    expect((await noticesOf(nadia, 'hours-submitted', work.id)).map(({ data }) => data)).toMatchObject([
      { amountMinor: 13_125 },
      { amountMinor: 12_250, variant: 'corrected' },
    ]);
    const business = await as(nadia);
    const first = { engagementId: work.id, version: submittedWork.version };
    expect(await failure(business.timesheets.approve(first))).toMatchObject({ code: 'engagement/stale' });
    const approvedWork = await business.timesheets.approve({ ...first, version: corrected.version });
    expect(approvedWork).toMatchObject({ status: 'completed', amountMinor: 12_250 });
  });

  it("counts hours after the timer's as the first claim, which ends a no-show report, and five corrections", async () => {
    const work = await hire();
    app.clock.set(at(work.endsAt, 12 * 60));
    await app.runDue();
    const submittedWork = await look(work.id, nadia);
    expect(submittedWork.actions).toContain('report-no-show');
    const api = await as(leila);
    let { version } = submittedWork;
    for (const breakMinutes of [31, 32, 33, 34, 35])
      ({ version } = await api.timesheets.submitHours(hoursInput(work, version, { breakMinutes })));
    expect((await look(work.id, nadia)).actions).not.toContain('report-no-show');
    const notices = await noticesOf(nadia, 'hours-submitted', work.id);
    expect(notices.map(({ data }) => (data as { variant?: string }).variant)).toEqual([
      'planned',
      undefined,
      ...Array(4).fill('corrected'),
    ]);
    expect((await look(work.id)).actions).not.toContain('submit-hours');
    expect(await failure(api.timesheets.submitHours(hoursInput(work, version)))).toMatchObject({
      status: 422,
      code: 'timesheet/corrections-used',
    });
  });

  it('runs once for a double click, and replays the response under its key', async () => {
    const work = await hire();
    app.clock.set(at(work.endsAt, 10));
    const input = hoursInput(work, work.version);
    const api = await as(leila);
    const both = await Promise.allSettled([
      api.timesheets.submitHours(input),
      api.timesheets.submitHours(input),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await look(work.id)).claims).toHaveLength(1);
    leila = await app.person();
    const other = await hire();
    app.clock.set(at(other.endsAt, 10));
    const token = await signAccessToken(app.secret, app.clock, leila);
    const keyed = app.apiAs(token, { 'idempotency-key': 'hours-of-leila' });
    const first = await keyed.timesheets.submitHours(hoursInput(other, other.version));
    expect(await keyed.timesheets.submitHours(hoursInput(other, other.version))).toEqual(first);
  });
});

describe('timesheets.counter', () => {
  it('pays the undisputed part at once, and later only what was added', async () => {
    const { work, submittedWork } = await submitted();
    const shorter = (minutes: number) => ({
      endsAt: at(work.endsAt, -minutes).toISOString(),
      note: 'You left early.',
    });
    let api = await as(nadia);
    const first = await api.timesheets.counter(hoursInput(work, submittedWork.version, shorter(120)));
    expect(first).toMatchObject({ status: 'counter_proposed', side: 'business' });
    expect(first.releases).toMatchObject([{ kind: 'undisputed', amountMinor: 9_625, state: 'released' }]);
    expect(first.next).toMatchObject({ kind: 'pay-recorded', amountMinor: 13_125 });
    expect(await noticesOf(leila, 'hours-countered', work.id)).toMatchObject([
      {
        data: {
          minutes: 330,
          amountMinor: 9_625,
          reason: 'You left early.',
          silence: 'pay-recorded',
          silentMinor: 13_125,
        },
      },
    ]);
    const again = await (await as(leila)).timesheets.submitHours(hoursInput(work, first.version));
    expect(again).toMatchObject({ status: 'submitted' });
    api = await as(nadia);
    expect(
      await failure(api.timesheets.counter(hoursInput(work, again.version, shorter(180)))),
    ).toMatchObject({ status: 422, code: 'timesheet/below-paid', data: { minMinor: 9_625 } });
    const second = await api.timesheets.counter(hoursInput(work, again.version, shorter(60)));
    expect(second.releases.map(({ amountMinor }) => amountMinor)).toEqual([9_625, 1_750]);
    expect(second.claims.map(({ round, by }) => [round, by])).toEqual([
      [1, 'worker'],
      [1, 'business'],
      [2, 'worker'],
      [2, 'business'],
    ]);
    expect(
      await failure((await as(leila)).timesheets.submitHours(hoursInput(work, second.version, shorter(240)))),
    ).toMatchObject({ status: 422, code: 'timesheet/below-paid' });
  });

  it('rejects the claimed amount or more, other sides and stale requests', async () => {
    const { work, submittedWork } = await submitted();
    const input = hoursInput(work, submittedWork.version, { note: 'Less.' });
    const api = await as(nadia);
    expect(await failure(api.timesheets.counter(input))).toMatchObject({
      status: 422,
      code: 'timesheet/counter-higher',
      data: { claimMinor: 13_125 },
    });
    expect(await failure(api.timesheets.counter({ ...input, note: '' }))).toMatchObject({ status: 400 });
    const less = { ...input, endsAt: at(work.endsAt, -60).toISOString() };
    expect(await failure((await as(leila)).timesheets.counter(less))).toMatchObject({ status: 403 });
    expect(await failure((await as(sam)).timesheets.counter(less))).toMatchObject({ status: 404 });
    expect(await failure(api.timesheets.counter({ ...less, version: 1 }))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
    });
    expect(await failure(api.timesheets.counter({ ...less, breakMinutes: 460 }))).toMatchObject({
      code: 'timesheet/hours-impossible',
    });
    expect(await look(work.id)).toMatchObject({ status: 'submitted', releases: [] });
  });

  it('opens a dispute after the third rejected one', async () => {
    const { work, submittedWork } = await submitted();
    let version = submittedWork.version;
    for (const minutes of [180, 120, 60]) {
      const endsAt = at(work.endsAt, -minutes).toISOString();
      version = (
        await (await as(nadia)).timesheets.counter(hoursInput(work, version, { endsAt, note: 'Less.' }))
      ).version;
      const answer = await (await as(leila)).timesheets.submitHours(hoursInput(work, version));
      version = answer.version;
    }
    const disputed = await look(work.id);
    expect(disputed).toMatchObject({
      status: 'disputed',
      dispute: {
        status: 'answered',
        filedBy: 'timer',
        why: 'rounds',
        reason: '',
        workerAmountMinor: 13_125,
        businessAmountMinor: 11_375,
        actions: ['propose'],
      },
      next: { kind: 'dispute' },
    });
    expect(disputed.steps.at(-1)).toMatchObject({ action: 'dispute', by: 'timer' });
    for (const person of [leila, nadia])
      expect(await noticesOf(person, 'dispute-opened', work.id)).toHaveLength(1);
  });

  it('is accepted by other hours with the same pay, the third time too', async () => {
    const { work, submittedWork } = await submitted();
    let version = submittedWork.version;
    const less = { endsAt: at(work.endsAt, -60).toISOString(), note: 'Less.' };
    for (const breakMinutes of [180, 120, 30]) {
      const counter = hoursInput(work, version, { ...less, breakMinutes });
      ({ version } = await (await as(nadia)).timesheets.counter(counter));
      if (breakMinutes > 30)
        ({ version } = await (await as(leila)).timesheets.submitHours(hoursInput(work, version)));
    }
    const same = await (await as(leila)).timesheets.submitHours(
      hoursInput(work, version, { breakMinutes: 90 }),
    );
    expect(same).toMatchObject({ status: 'completed', amountMinor: 11_375, dispute: null });
  });

  it('settles by the recorded hours after 72 hours without a reply, with a reminder to both sides a day before', async () => {
    const work = await hire();
    await attend(work, work.startsAt, at(work.endsAt, -30));
    app.clock.set(at(work.endsAt, 10));
    const submittedWork = await (await as(leila)).timesheets.submitHours(hoursInput(work, work.version));
    const endsAt = at(work.endsAt, -60).toISOString();
    await (await as(nadia)).timesheets.counter(
      hoursInput(work, submittedWork.version, { endsAt, note: 'Less.' }),
    );
    app.clock.forward({ hours: 47 });
    await app.runDue();
    expect(await noticesOf(leila, 'pay-settles-soon', work.id)).toEqual([]);
    app.clock.forward({ hours: 24 });
    await app.runDue();
    expect(await look(work.id)).toMatchObject({ status: 'counter_proposed' });
    for (const person of [leila, nadia])
      expect(await noticesOf(person, 'pay-settles-soon', work.id)).toMatchObject([
        { data: { silence: 'pay-recorded', silentMinor: 12_250 } },
      ]);
    app.clock.forward({ hours: 1 });
    await app.runDue();
    const done = await look(work.id);
    expect(done).toMatchObject({ status: 'completed', amountMinor: 12_250, next: null });
    expect(done.releases).toMatchObject([
      { kind: 'undisputed', amountMinor: 11_375 },
      { kind: 'rest', amountMinor: 875 },
    ]);
    expect(done.steps.slice(-2)).toMatchObject([
      { action: 'pay-recorded', by: 'timer' },
      { action: 'complete', by: 'timer' },
    ]);
  });

  it('becomes a dispute without a reply when the record is incomplete or contested; the proposed part stays paid', async () => {
    const open = await hire();
    await attend(open, open.startsAt, null);
    app.clock.set(at(open.endsAt, 10));
    const sent = await (await as(leila)).timesheets.submitHours(hoursInput(open, open.version));
    const less = { endsAt: at(open.endsAt, -60).toISOString(), note: 'Less.' };
    const countered = await (await as(nadia)).timesheets.counter(hoursInput(open, sent.version, less));
    expect(countered.next).toMatchObject({ kind: 'review', amountMinor: 11_375 });
    leila = await app.person();
    const { work, submittedWork } = await submitted();
    const contested = { endsAt: at(work.endsAt, -60).toISOString(), note: 'Less.' };
    await (await as(nadia)).timesheets.counter(hoursInput(work, submittedWork.version, contested));
    await app.db
      .updateTable('attendance_events')
      .set({ how: 'manager', reason: 'No phone.' })
      .where('engagementId', '=', work.id)
      .where('kind', '=', 'check_out')
      .execute();
    const eventId = (await look(work.id)).attendance.find(({ kind }) => kind === 'check_out')?.id ?? '';
    const objected = await (await as(leila)).attendance.contestRecord({
      engagementId: work.id,
      eventId,
      note: 'I stayed longer.',
    });
    expect(objected.next).toMatchObject({ kind: 'review', amountMinor: 11_375 });
    app.clock.forward({ hours: 73 });
    await app.runDue();
    for (const { id } of [open, work])
      expect(await viewEngagement(app.db, app.scopeOf(nadia), id)).toMatchObject({
        status: 'disputed',
        releases: [{ kind: 'undisputed', amountMinor: 11_375 }],
        dispute: {
          status: 'answered',
          filedBy: 'timer',
          why: 'counter',
          workerAmountMinor: 13_125,
          businessAmountMinor: 11_375,
        },
      });
  });
});

describe('timesheets.acceptCounter', () => {
  it('approves the counter, which was paid already', async () => {
    const { work, submittedWork } = await submitted();
    const endsAt = at(work.endsAt, -60).toISOString();
    const countered = await (await as(nadia)).timesheets.counter(
      hoursInput(work, submittedWork.version, { endsAt, note: 'Less.' }),
    );
    const engagementRef = { engagementId: work.id, version: countered.version };
    expect(await failure((await as(nadia)).timesheets.acceptCounter(engagementRef))).toMatchObject({
      status: 403,
    });
    expect(await failure((await as(sam)).timesheets.acceptCounter(engagementRef))).toMatchObject({
      status: 404,
    });
    const done = await (await as(leila)).timesheets.acceptCounter(engagementRef);
    expect(done).toMatchObject({ status: 'completed', amountMinor: 11_375 });
    expect(done.releases.map(({ kind, amountMinor }) => [kind, amountMinor])).toEqual([
      ['undisputed', 11_375],
    ]);
    expect((await (await as(leila)).timesheets.acceptCounter(engagementRef)).version).toBe(done.version);
    expect(await noticesOf(nadia, 'work-approved', work.id)).toHaveLength(1);
  });

  it('rejects without a proposal', async () => {
    const { work, submittedWork } = await submitted();
    expect(
      await failure(
        (await as(leila)).timesheets.acceptCounter({ engagementId: work.id, version: submittedWork.version }),
      ),
    ).toMatchObject({ status: 409, code: 'engagement/wrong-state' });
  });
});

describe('timesheets.approve', () => {
  it('releases unpaid pay, once, and completes', async () => {
    const { work, submittedWork } = await submitted();
    const engagementRef = { engagementId: work.id, version: submittedWork.version };
    expect(await failure((await as(leila)).timesheets.approve(engagementRef))).toMatchObject({ status: 403 });
    expect(await failure((await as(sam)).timesheets.approve(engagementRef))).toMatchObject({ status: 404 });
    expect(
      await failure(
        (await as(nadia)).timesheets.approve({ ...engagementRef, version: submittedWork.version - 1 }),
      ),
    ).toMatchObject({ status: 409, code: 'engagement/stale' });
    const api = await as(nadia);
    const clicks = await Promise.allSettled([
      api.timesheets.approve(engagementRef),
      api.timesheets.approve(engagementRef),
    ]);
    expect(clicks.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const done = await look(work.id);
    expect(done).toMatchObject({ status: 'completed', amountMinor: 13_125, actions: [] });
    expect(done.releases).toMatchObject([{ kind: 'rest', amountMinor: 13_125, currency: 'EUR' }]);
    expect(await noticesOf(leila, 'work-approved', work.id)).toHaveLength(1);
  });

  it('is a right of finance too, who finds the work and may do nothing else with it', async () => {
    const { work, submittedWork } = await submitted();
    const finance = await app.person({ name: 'Femke de Boer' });
    await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
    const api = await as(finance);
    const { items } = await api.engagements.forBusiness({ businessId: business.id, group: 'to_approve' });
    expect(items.find(({ id }) => id === work.id)?.actions).toEqual(['approve']);
    const ref = { engagementId: work.id, version: submittedWork.version };
    expect((await api.engagements.get({ engagementId: work.id })).actions).toEqual(['approve']);
    expect(await failure(api.engagements.cancel({ ...ref, reason: 'No need' }))).toMatchObject({
      status: 403,
    });
    expect(await api.timesheets.approve(ref)).toMatchObject({ status: 'completed' });
    expect(await api.pay.tip({ engagementId: work.id, amountMinor: 100 })).toMatchObject({
      amountMinor: 100,
    });
  });

  it('tells the second of two managers that it has changed', async () => {
    const { work, submittedWork } = await submitted();
    const tomas = await app.person({ name: 'Tomas Vega' });
    await makeMember(app.db, app.clock, business.id, tomas.accountId);
    const byNadia = await as(nadia);
    const byTomas = await as(tomas);
    const endsAt = at(work.endsAt, -60).toISOString();
    const both = await Promise.allSettled([
      byNadia.timesheets.approve({ engagementId: work.id, version: submittedWork.version }),
      byTomas.timesheets.counter(hoursInput(work, submittedWork.version, { endsAt, note: 'Less.' })),
    ]);
    const [lost] = both.flatMap((result, index) => (result.status === 'rejected' ? [{ result, index }] : []));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await failure(Promise.reject(lost?.result.reason))).toMatchObject({
      status: 409,
      code: 'engagement/stale',
      data:
        lost?.index === 0
          ? { status: 'counter_proposed', by: 'Tomas Vega' }
          : { status: 'completed', by: expect.any(String) },
    });
    const after = await look(work.id);
    expect(after.releases).toHaveLength(1);
  });

  it('stays exact for the highest hourly pay, from a balance beyond 32 bits', async () => {
    await fundBusiness(app.db, app.scopeOf(nadia), business.id, { amountMinor: 5_000_000_000 });
    const work = await hire({ payMinor: hiringLimits.hourlyPayMaxMinor });
    app.clock.set(at(work.endsAt, 12 * 60));
    const endsAt = app.clock.now().toISOString();
    const submittedWork = await (await as(leila)).timesheets.submitHours(
      hoursInput(work, work.version, { endsAt }),
    );
    const request = { engagementId: work.id, version: submittedWork.version };
    const api = await as(nadia);
    const { code, data } = await failure(api.timesheets.approve(request));
    // Pay and the fee of a tenth, less the planned hold.
    const missingMinor = 214_500_000 - 82_500_000;
    expect({ code, data }).toEqual({ code: 'payment/hold-short', data: { missingMinor, currency: 'EUR' } });
    await api.pay.cover({ engagementId: work.id, funding: { from: 'balance' } });
    const done = await api.timesheets.approve(request);
    expect(done).toMatchObject({
      amountMinor: 195_000_000,
      releases: [{ kind: 'rest', amountMinor: 195_000_000, state: 'released' }],
    });
  });

  it('runs automatically after 72 hours, once', async () => {
    const { work } = await submitted();
    app.clock.forward({ hours: 71, minutes: 59 });
    await app.runDue();
    expect(await look(work.id)).toMatchObject({ status: 'submitted' });
    app.clock.forward({ minutes: 1 });
    await Promise.all([app.runDue(), app.runDue()]);
    app.clock.forward({ days: 3 });
    await app.runDue();
    const done = await look(work.id);
    expect(done).toMatchObject({ status: 'completed' });
    expect(done.releases).toHaveLength(1);
  });

  it('waits for its time when the clock is set back', async () => {
    const { work, submittedWork } = await submitted();
    app.clock.forward({ hours: 73 });
    await app.db
      .updateTable('engagements')
      .set({ nextAt: at(app.clock.now(), 60) })
      .where('id', '=', work.id)
      .execute();
    await app.runDue();
    expect(await look(work.id)).toMatchObject({ status: 'submitted', version: submittedWork.version });
    app.clock.forward({ hours: 1 });
    await app.runDue();
    expect(await look(work.id)).toMatchObject({ status: 'completed' });
  });
});

const setRule = async (minutes: number | null) =>
  (await as(nadia)).timesheets.setRule({ businessId: business.id, minutes });
const freeze = (engagementId: string, frozen: boolean) =>
  app.db.updateTable('holds').set({ frozen }).where('engagementId', '=', engagementId).execute();
const digestsOf = async (person: Person) =>
  (await (await as(person)).notifications.list({ limit: 100 })).items.filter(
    ({ topic }) => topic === 'hours-approved-by-rule',
  );

describe('timesheets.rule', () => {
  it('is off until an owner or manager sets it, which all members see', async () => {
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, business.id, recruiter.accountId, 'recruiter');
    const ofRecruiter = await as(recruiter);
    const { id: businessId } = business;
    expect(await ofRecruiter.timesheets.rule({ businessId })).toMatchObject({
      minutes: null,
      canChange: false,
    });
    expect(await failure(ofRecruiter.timesheets.setRule({ businessId, minutes: 10 }))).toMatchObject({
      code: 'business/not-allowed',
    });
    expect(await failure((await as(sam)).timesheets.rule({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
    for (const minutes of [-1, 31, 1.5])
      expect(await failure(setRule(minutes))).toMatchObject({
        code: 'request/invalid',
        data: { issues: [{ path: 'minutes' }] },
      });
    const rule = await setRule(10);
    expect(rule).toMatchObject({ minutes: 10, afterHours: 6, setBy: 'Nadia Brandt', canChange: true });
    app.clock.forward({ minutes: 1 });
    expect(await setRule(10)).toEqual(rule);
    expect(await setRule(null)).toMatchObject({ minutes: null });
  });
});

describe('timesheets.setRule', () => {
  it('approves what was sent near the plan after some hours, with a line in the log and one digest', async () => {
    const early = await submitted();
    await setRule(10);
    app.clock.forward({ hours: 1 });
    const corrected = { endsAt: at(early.work.endsAt, -9).toISOString(), note: 'Left a little early' };
    await (await as(leila)).timesheets.submitHours(
      hoursInput(early.work, early.submittedWork.version, corrected),
    );
    app.clock.forward({ hours: 5, minutes: 30 });
    await app.runDue();
    expect(await look(early.work.id)).toMatchObject({ status: 'submitted' });
    app.clock.forward({ minutes: 30 });
    await app.runDue();
    const done = await look(early.work.id);
    expect(done).toMatchObject({ status: 'completed', amountMinor: done.claims.at(-1)?.amountMinor });
    expect(done.steps.map(({ action, by }) => [action, by])).toContainEqual(['approve-planned', 'timer']);
    expect(await noticesOf(leila, 'work-approved', early.work.id)).toHaveLength(1);
    expect(await noticesOf(nadia, 'work-approved', early.work.id)).toHaveLength(0);
    expect(await digestsOf(nadia)).toEqual([]);
    app.clock.forward({ hours: 24 });
    await app.runDue();
    expect(await digestsOf(nadia)).toMatchObject([{ data: { count: 1, amountMinor: done.amountMinor } }]);
    await setRule(null);
  });

  it('shows its time and pay to both sides, also for hours sent before, until a person has to decide', async () => {
    const { work } = await submitted();
    const sentAt = app.clock.now();
    await app.runDue();
    expect((await look(work.id)).next).toMatchObject({ kind: 'auto-approve' });
    app.clock.forward({ hours: 1 });
    await setRule(10);
    await app.runDue();
    const byRule = {
      kind: 'approve-planned',
      at: at(app.clock.now(), 360).toISOString(),
      amountMinor: 13_125,
    };
    expect((await look(work.id)).next).toMatchObject(byRule);
    expect((await look(work.id, nadia)).next).toMatchObject(byRule);
    const bySilence = { kind: 'auto-approve', at: at(sentAt, 72 * 60).toISOString(), amountMinor: 13_125 };
    await setRule(null);
    await app.runDue();
    expect((await look(work.id)).next).toMatchObject(bySilence);
    await setRule(10);
    await app.runDue();
    expect((await look(work.id)).next).toMatchObject(byRule);
    await freeze(work.id, true);
    app.clock.forward({ hours: 6 });
    await app.runDue();
    expect((await look(work.id)).next).toMatchObject(bySilence);
    await freeze(work.id, false);
    app.clock.set(at(sentAt, 72 * 60));
    await app.runDue();
    const done = await look(work.id);
    expect(done).toMatchObject({ status: 'completed' });
    expect(done.steps.map(({ action }) => action)).not.toContain('approve-planned');
    leila = await app.person();
    const later = await submitted();
    const next = { kind: 'approve-planned', at: at(app.clock.now(), 360).toISOString() };
    expect(later.submittedWork.next).toMatchObject(next);
    expect(await noticesOf(nadia, 'hours-submitted', later.work.id)).toMatchObject([
      { data: { by: next.at, silence: 'approve-planned', silentMinor: 13_125 } },
    ]);
    await setRule(null);
  });

  it('leaves flagged or contested attendance, suspended people, counter-proposals and disputes to a person', async () => {
    await setRule(10);
    const left: Hired[] = [];
    const send = async (flag?: string) => {
      leila = await app.person();
      const work = await hire();
      await attend(work, work.startsAt, work.endsAt);
      if (flag)
        await app.db
          .updateTable('attendance_events')
          .set({ flags: [flag] })
          .where('engagementId', '=', work.id)
          .where('kind', '=', 'check_out')
          .execute();
      app.clock.set(at(work.endsAt, 10));
      const { version, next } = await (await as(leila)).timesheets.submitHours(
        hoursInput(work, work.version),
      );
      left.push(work);
      return { work, version, kind: next?.kind };
    };
    for (const flag of ['far', 'queued', 'clock_off'])
      expect(await send(flag)).toMatchObject({ kind: 'auto-approve' });
    expect(await send('early')).toMatchObject({ kind: 'approve-planned' });
    left.pop();
    const suspended = await send();
    expect(suspended).toMatchObject({ kind: 'approve-planned' });
    await app.db
      .insertInto('sanctions')
      .values({
        id: newId(app.clock.now()),
        measure: 'suspension',
        accountId: leila.accountId,
        scope: 'everything',
        rule: 'other',
        facts: '',
        source: 'staff',
        decidedBy: nadia.accountId,
        decidedAt: app.clock.now(),
      })
      .execute();
    const disputed = await send();
    const toDispute = { engagementId: disputed.work.id, version: disputed.version };
    await (await as(nadia)).disputes.file({ ...toDispute, reason: 'Not there.', amountMinor: 5_000 });
    const countered = await send();
    const lower = { endsAt: at(countered.work.endsAt, -5).toISOString(), note: 'Left early' };
    const { version } = await (await as(nadia)).timesheets.counter(
      hoursInput(countered.work, countered.version, lower),
    );
    const again = { endsAt: at(countered.work.endsAt, -4).toISOString() };
    expect(
      (await (await as(leila)).timesheets.submitHours(hoursInput(countered.work, version, again))).next,
    ).toMatchObject({ kind: 'auto-approve' });
    app.clock.forward({ hours: 7 });
    await app.runDue();
    for (const { id } of left)
      expect((await look(id, nadia)).steps.map(({ action }) => action)).not.toContain('approve-planned');
    await setRule(null);
  });
});

describe('hours that nobody submits', () => {
  it('get a reminder, then are submitted as recorded, within the plan', async () => {
    const work = await hire();
    await attend(work, at(work.startsAt, -40), at(work.endsAt, 25), [
      [at(work.startsAt, 200), at(work.startsAt, 245)],
    ]);
    app.clock.set(at(work.endsAt, 61));
    await app.runDue();
    expect(await noticesOf(leila, 'hours-to-submit', work.id)).toHaveLength(1);
    app.clock.set(at(work.endsAt, 12 * 60));
    await app.runDue();
    const submittedWork = await look(work.id);
    expect(submittedWork).toMatchObject({ status: 'submitted', amountMinor: 12_688 });
    expect(submittedWork.claims).toMatchObject([
      { by: 'timer', startsAt: work.startsAt.toISOString(), breakMinutes: 45, paidMinutes: 435, flags: [] },
    ]);
    app.clock.forward({ hours: 72 });
    await app.runDue();
    expect(await look(work.id)).toMatchObject({ status: 'completed' });
  });

  it('never cost more than the plan: early check-in, late check-out and no break', async () => {
    const work = await hire();
    await attend(work, at(work.startsAt, -15), at(work.endsAt, 75));
    app.clock.set(at(work.endsAt, 12 * 60));
    await app.runDue();
    const submittedWork = await look(work.id);
    expect(submittedWork.claims).toMatchObject([{ by: 'timer', breakMinutes: 30, paidMinutes: 450 }]);
    app.clock.forward({ hours: 72 });
    await app.runDue();
    expect(await look(work.id)).toMatchObject({
      status: 'completed',
      amountMinor: submittedWork.terms.payTotalMinor,
      releases: [{ amountMinor: submittedWork.terms.payTotalMinor }],
    });
  });

  it('go to a dispute if they are all outside the plan', async () => {
    const work = await hire();
    await attend(work, at(work.startsAt, -40), at(work.startsAt, -10));
    app.clock.set(at(work.endsAt, 12 * 60));
    await app.runDue();
    expect((await look(work.id)).next).toMatchObject({ kind: 'review', amountMinor: 0 });
    app.clock.forward({ hours: 72 });
    await app.runDue();
    expect(await look(work.id)).toMatchObject({
      status: 'disputed',
      releases: [],
      dispute: { why: 'beyond-plan' },
    });
  });

  it('are submitted as planned without a check-out, and an open break ends', async () => {
    const work = await hire();
    await attend(work, work.startsAt, null);
    await app.db
      .updateTable('engagements')
      .set({ onBreakSince: work.startsAt })
      .where('id', '=', work.id)
      .execute();
    app.clock.set(at(work.endsAt, 12 * 60));
    await app.runDue();
    const submittedWork = await look(work.id);
    expect(submittedWork).toMatchObject({ status: 'submitted', onBreak: false });
    expect(submittedWork.claims).toMatchObject([{ paidMinutes: 450, flags: ['no_check_out', 'planned'] }]);
    app.clock.forward({ hours: 72 });
    await app.runDue();
    expect(await look(work.id)).toMatchObject({ status: 'completed', amountMinor: 13_125 });
  });

  it('are unpaid without a check-in and open a dispute', async () => {
    const work = await hire();
    app.clock.set(at(work.endsAt, 12 * 60));
    await app.runDue();
    expect((await look(work.id)).claims).toMatchObject([
      { by: 'timer', flags: ['no_check_in', 'no_check_out', 'planned'] },
    ]);
    app.clock.forward({ hours: 72 });
    await app.runDue();
    const submittedWork = await look(work.id);
    expect(submittedWork).toMatchObject({
      status: 'disputed',
      releases: [],
      dispute: { status: 'open', filedBy: 'timer', why: 'no-check-in', reason: '', actions: ['answer'] },
    });
    app.clock.forward({ days: 30 });
    await app.runDue();
    expect(await look(work.id)).toMatchObject({ status: 'completed', amountMinor: 0, releases: [] });
  });
});
