import { minuteMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { evidenceAt, makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000' });
let owner: Person;
let finance: Person;
let stranger: Person;
let worker: Person;
let work: Engagement;
let businessId: string;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
  finance = await app.person();
  await makeMember(app.db, app.clock, businessId, finance.accountId, 'finance');
  stranger = await app.person();
});
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  worker = await app.person({ name: 'Leila Haddad' });
  const sides = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
  work = await makeEngagement(app.db, sides, businessId);
});
const at = (minutes: number) =>
  app.clock.set(new Date(Date.parse(work.terms.startsAt ?? '') + minutes * minuteMs));
const stateOf = (person: Person) => person.api.engagements.get({ engagementId: work.id });
const engagementRef = async () => ({ engagementId: work.id, version: (await stateOf(owner)).version });
const noticesOf = (person: Person, topic: string) =>
  app.db
    .selectFrom('notifications')
    .select(['data', 'path'])
    .where('accountId', '=', person.accountId)
    .where('topic', '=', topic)
    .where('path', 'like', `%${work.id}`)
    .orderBy('createdAt')
    .execute();

describe('attendance.sayLate', () => {
  const late = (minutes: 15 | 30 | 60 | null, note = '', person = worker) =>
    person.api.attendance.sayLate({ engagementId: work.id, minutes, note });

  it('notifies the business, records it, and delays the no-show time', async () => {
    at(-20);
    const said = await late(30, 'The tram stands still.');
    expect(said).toMatchObject({
      runningLate: { minutes: 30, note: 'The tram stands still.' },
      status: 'booked',
    });
    expect(said.steps.at(-1)).toMatchObject({
      action: 'running-late-30',
      by: 'worker',
      reason: 'The tram stands still.',
    });
    expect(await noticesOf(owner, 'engagement-running-late')).toMatchObject([
      { data: { variant: '30', reason: 'The tram stands still.', side: 'business' } },
    ]);
    expect(await stateOf(owner)).toMatchObject({ runningLate: { minutes: 30 } });
    at(89);
    expect((await stateOf(owner)).actions).not.toContain('report-no-show');
    expect(await failure(owner.api.engagements.reportNoShow(await engagementRef()))).toMatchObject({
      code: 'engagement/too-early',
    });
    at(90);
    expect(await owner.api.engagements.reportNoShow(await engagementRef())).toMatchObject({
      status: 'no_show_reported',
    });
  });

  it('replaces an earlier one, and a repeat changes nothing', async () => {
    at(-60);
    const first = await late(15);
    expect(await late(15)).toEqual(first);
    expect(await late(null, 'Nearly there')).toMatchObject({
      runningLate: { minutes: null, note: 'Nearly there' },
    });
    expect(await noticesOf(owner, 'engagement-running-late')).toHaveLength(2);
    at(60);
    expect((await stateOf(owner)).actions).toContain('report-no-show');
    const token = await signAccessToken(app.secret, app.clock, worker);
    const device = app.apiAs(token, { 'idempotency-key': 'late-once' });
    const input = { engagementId: work.id, minutes: 60 as const, note: '' };
    expect(await device.attendance.sayLate(input)).toEqual(await device.attendance.sayLate(input));
  });

  it('allows only the worker, from 12 hours before until the end, before check-in', async () => {
    at(-12 * 60 - 1);
    expect((await stateOf(worker)).actions).not.toContain('say-late');
    expect(await failure(late(15))).toMatchObject({ status: 422, code: 'engagement/too-early' });
    at(-60);
    for (const person of [owner, finance])
      expect(await failure(late(15, '', person))).toMatchObject({
        status: 403,
        code: 'engagement/not-allowed',
      });
    expect(await failure(late(15, '', stranger))).toMatchObject({ status: 404 });
    for (const wrong of [
      { minutes: 20 },
      { minutes: null },
      { minutes: null, note: '  ' },
      { minutes: '15' },
      {},
    ])
      expect(
        await failure(worker.api.attendance.sayLate({ engagementId: work.id, ...wrong } as never)),
        JSON.stringify(wrong),
      ).toMatchObject({ status: 400, code: 'request/invalid' });
    at(0);
    await worker.api.attendance.checkIn(evidenceAt(work, app.clock.now()));
    expect(await failure(late(15))).toMatchObject({ status: 409, code: 'engagement/wrong-state' });
  });
});

const recorded = async (reason = 'Her phone is empty.') => {
  at(10);
  return owner.api.attendance.checkInFor({ ...(await engagementRef()), reason });
};

describe('attendance.checkInFor', () => {
  it('checks in someone without a phone and notifies them with the reason', async () => {
    const here = await recorded();
    expect(here).toMatchObject({
      status: 'checked_in',
      checkedInAt: app.clock.now().toISOString(),
      lateMinutes: 10,
      attendance: [
        {
          kind: 'check_in',
          how: 'manager',
          reason: 'Her phone is empty.',
          contested: null,
          distanceM: null,
          flags: ['late'],
          mayContest: false,
        },
      ],
    });
    expect(here.steps.at(-1)).toMatchObject({
      action: 'check-in-for',
      by: 'business',
      reason: 'Her phone is empty.',
    });
    expect(await stateOf(worker)).toMatchObject({ attendance: [{ how: 'manager', mayContest: true }] });
    expect(await noticesOf(worker, 'engagement-time-recorded')).toMatchObject([
      { data: { variant: 'check_in', reason: 'Her phone is empty.', side: 'worker' } },
    ]);
    at(480);
    expect(await worker.api.attendance.checkOut(evidenceAt(work, app.clock.now()))).toMatchObject({
      status: 'checked_out',
    });
  });

  it('allows only recruiters, during check-in, with a reason', async () => {
    const call = async (person: Person, reason = 'No phone') =>
      person.api.attendance.checkInFor({ ...(await engagementRef()), reason });
    at(-61);
    expect(await failure(call(owner))).toMatchObject({ status: 422, code: 'engagement/too-early' });
    at(0);
    for (const person of [worker, finance])
      expect(await failure(call(person))).toMatchObject({ status: 403, code: 'engagement/not-allowed' });
    expect(await failure(call(stranger))).toMatchObject({ status: 404, code: 'engagement/not-found' });
    for (const reason of ['', '  ', 'x'.repeat(2_001), 7])
      expect(await failure(call(owner, reason as string))).toMatchObject({ status: 400 });
    at(481);
    expect(await failure(call(owner))).toMatchObject({ status: 422, code: 'engagement/too-late' });
    at(5);
    const stale = await engagementRef();
    expect(
      await failure(owner.api.attendance.checkInFor({ ...stale, version: stale.version + 1, reason: 'x' })),
    ).toMatchObject({ status: 409, code: 'engagement/stale' });
  });
});

describe('attendance.checkOutFor', () => {
  it('checks out and ends a break; a repeat changes nothing', async () => {
    await recorded();
    at(100);
    await worker.api.attendance.startBreak(evidenceAt(work, app.clock.now()));
    at(120);
    const input = { ...(await engagementRef()), reason: 'She left without her phone.' };
    const gone = await owner.api.attendance.checkOutFor(input);
    expect(gone).toMatchObject({ status: 'checked_out', onBreak: false });
    expect(gone.attendance.map(({ kind, how }) => [kind, how])).toEqual([
      ['check_in', 'manager'],
      ['break_start', 'position'],
      ['break_end', 'manager'],
      ['check_out', 'manager'],
    ]);
    expect(await owner.api.attendance.checkOutFor(input)).toMatchObject({ version: gone.version });
    expect(await noticesOf(worker, 'engagement-time-recorded')).toHaveLength(2);
  });

  it('requires a checked-in worker', async () => {
    at(60);
    expect(
      await failure(owner.api.attendance.checkOutFor({ ...(await engagementRef()), reason: 'x' })),
    ).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
    });
  });
});

describe('a worker who is sent home early', () => {
  /** Arrives and is sent home an hour after the start. */
  async function sendHome(arrival: number) {
    expect(work.terms.minimumMinutes).toBe(240);
    at(arrival);
    await worker.api.attendance.checkIn(evidenceAt(work, app.clock.now()));
    at(60);
    const reason = 'No guests today.';
    return owner.api.attendance.checkOutFor({ ...(await engagementRef()), reason, sentHome: true });
  }
  const submit = async (minutes: number) => {
    at(61);
    return worker.api.timesheets.submitHours({
      ...(await engagementRef()),
      startsAt: work.terms.startsAt ?? '',
      endsAt: new Date(Date.parse(work.terms.startsAt ?? '') + minutes * minuteMs).toISOString(),
      breakMinutes: 0,
      note: '',
    });
  };

  it('gets the minimum of the terms, which the business can’t propose to lower', async () => {
    const home = await sendHome(5);
    expect(home.attendance.at(-1)).toMatchObject({ kind: 'check_out', flags: ['early', 'sent_home'] });
    expect(await noticesOf(worker, 'engagement-time-recorded')).toMatchObject([
      { data: { variant: 'sent_home' } },
    ]);
    const submitted = await submit(60);
    expect(submitted).toMatchObject({
      amountMinor: 7_000,
      claims: [{ paidMinutes: 240, amountMinor: 7_000, flags: ['beyond_record', 'minimum'] }],
    });
    const { startsAt } = work.terms;
    const counter = {
      startsAt: startsAt ?? '',
      endsAt: app.clock.now().toISOString(),
      breakMinutes: 30,
      note: 'Less',
    };
    expect(
      await failure(owner.api.timesheets.counter({ ...(await engagementRef()), ...counter })),
    ).toMatchObject({ code: 'timesheet/counter-higher' });
    expect(await owner.api.timesheets.approve(await engagementRef())).toMatchObject({
      status: 'completed',
      releases: [{ kind: 'rest', amountMinor: 7_000 }],
    });
  });

  it('gets it too when nobody submits or answers, and the time worked if they came late', async () => {
    await sendHome(0);
    at(8 * 60 + 12 * 60);
    await app.runDue();
    expect(await stateOf(worker)).toMatchObject({ status: 'submitted', amountMinor: 7_000 });
    app.clock.forward({ hours: 73 });
    await app.runDue();
    expect(await stateOf(worker)).toMatchObject({ status: 'completed', amountMinor: 7_000 });
    app.clock.set('2026-11-21T09:00:00Z');
    worker = await app.person();
    const sides = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    work = await makeEngagement(app.db, sides, businessId);
    await sendHome(6);
    expect(await submit(60)).toMatchObject({ amountMinor: 1_750, claims: [{ paidMinutes: 60 }] });
  });
});

describe('attendance.contestRecord', () => {
  it('stores the objection once, shows it to both and notifies the business', async () => {
    const [event] = (await recorded()).attendance;
    const input = { engagementId: work.id, eventId: event?.id ?? '', note: 'I was there at nine.' };
    const contested = await worker.api.attendance.contestRecord(input);
    expect(contested.attendance).toMatchObject([
      { contested: { note: 'I was there at nine.', at: app.clock.now().toISOString() }, mayContest: false },
    ]);
    expect(await worker.api.attendance.contestRecord(input)).toEqual(contested);
    expect(await failure(worker.api.attendance.contestRecord({ ...input, note: 'Other' }))).toMatchObject({
      status: 409,
      code: 'attendance/not-contestable',
    });
    expect((await stateOf(owner)).attendance).toEqual(contested.attendance);
    expect(await noticesOf(owner, 'engagement-time-contested')).toMatchObject([
      { data: { variant: 'check_in', reason: 'I was there at nine.' } },
    ]);
  });

  it("allows only the worker, about the business's records, until the hours are agreed", async () => {
    const [event] = (await recorded()).attendance;
    const input = { engagementId: work.id, eventId: event?.id ?? '', note: 'No' };
    for (const person of [owner, finance])
      expect(await failure(person.api.attendance.contestRecord(input))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.attendance.contestRecord(input))).toMatchObject({ status: 404 });
    expect(
      await failure(worker.api.attendance.contestRecord({ ...input, eventId: crypto.randomUUID() })),
    ).toMatchObject({ status: 404 });
    expect(await failure(worker.api.attendance.contestRecord({ ...input, note: '' }))).toMatchObject({
      status: 400,
    });
    at(480);
    const left = await worker.api.attendance.checkOut(evidenceAt(work, app.clock.now()));
    const own = left.attendance.find(({ kind }) => kind === 'check_out');
    expect(
      await failure(worker.api.attendance.contestRecord({ ...input, eventId: own?.id ?? '' })),
    ).toMatchObject({ code: 'attendance/not-contestable' });
    const { startsAt, endsAt } = work.terms;
    const sent = await worker.api.timesheets.submitHours({
      engagementId: work.id,
      version: left.version,
      breakMinutes: 30,
      note: '',
      startsAt: startsAt ?? '',
      endsAt: endsAt ?? '',
    });
    await owner.api.timesheets.approve({ engagementId: work.id, version: sent.version });
    expect(await failure(worker.api.attendance.contestRecord(input))).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
    });
  });
});
