import { minuteMs } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { evidenceAt, hireFor, makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000' });
let owner: Person;
let stranger: Person;
let worker: Person;
let business: Business;
let work: Engagement;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
  stranger = await app.person();
});
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  worker = await app.person({ name: 'Leila Haddad' });
  work = await makeEngagement(app.db, sides(worker), business.id);
});

const sides = (person: Person) => ({
  worker: app.scopeOf(person),
  recruiter: app.scopeOf(owner),
});
const at = (minutes: number) =>
  app.clock.set(new Date(Date.parse(work.terms.startsAt ?? '') + minutes * minuteMs));
type Options = Parameters<typeof evidenceAt>[2];
const now = (options: Options = {}) => evidenceAt(work, app.clock.now(), options);
/** An event recorded some minutes ago, by a device whose clock is wrong by some minutes. */
const queued = (ago: number, wrongBy = 0, options: Options = {}) => {
  const sentAt = app.clock.now().getTime() + wrongBy * minuteMs;
  return now({
    at: new Date(sentAt - ago * minuteMs).toISOString(),
    sentAt: new Date(sentAt).toISOString(),
    ...options,
  });
};
const iso = (minutes: number) =>
  new Date(Date.parse(work.terms.startsAt ?? '') + minutes * minuteMs).toISOString();
const checkIn = (input = now(), person = worker) => person.api.attendance.checkIn(input);
const checkOut = (input = now(), person = worker) => person.api.attendance.checkOut(input);
const state = async () => worker.api.engagements.get({ engagementId: work.id });
const codeNow = async () => (await owner.api.attendance.siteCode({ jobId: work.jobId })).code;
const wrongCode = async () => String((Number(await codeNow()) + 500_000) % 1_000_000).padStart(6, '0');
const north = (metres: number, accuracyM: number) => ({
  lat: work.terms.place.lat + metres / 111_195,
  lng: work.terms.place.lng,
  accuracyM,
});

describe('attendance.checkIn', () => {
  it('records an on-time arrival, and a repeat changes nothing', async () => {
    at(-10);
    const input = now();
    const here = await checkIn(input);
    expect(here).toMatchObject({
      status: 'checked_in',
      checkedInAt: iso(-10),
      lateMinutes: 0,
      onBreak: false,
      attendance: [
        { kind: 'check_in', at: iso(-10), how: 'position', distanceM: 0, accuracyM: 12, flags: [] },
      ],
    });
    expect(here.actions).toEqual(['start-break', 'check-out']);
    app.clock.forward({ seconds: 30 });
    expect((await checkIn(input)).attendance).toHaveLength(1);
    expect(await checkIn()).toMatchObject({ version: here.version, attendance: [{ at: iso(-10) }] });
    const token = await signAccessToken(app.secret, app.clock, worker);
    const device = app.apiAs(token, { 'idempotency-key': 'check-in-1' });
    const answer = await device.attendance.checkIn(input);
    expect(answer).toMatchObject({ version: here.version });
    expect(await device.attendance.checkIn(input)).toEqual(answer);
  });

  it('opens an hour before the start and closes at the end', async () => {
    at(-61);
    expect(await failure(checkIn())).toMatchObject({
      status: 422,
      code: 'engagement/too-early',
      data: { from: iso(-60) },
    });
    expect((await state()).actions).not.toContain('check-in');
    at(-60);
    expect((await state()).actions).toContain('check-in');
    at(8 * 60 + 1);
    expect((await state()).actions).not.toContain('check-in');
    expect(await failure(checkIn())).toMatchObject({
      code: 'engagement/too-late',
      data: { until: iso(480) },
    });
    // A worker who was on site without a signal is still accepted.
    expect(await checkIn(queued(8 * 60 + 1))).toMatchObject({
      checkedInAt: iso(0),
      attendance: [{ flags: ['queued'] }],
    });
  });

  it.each([
    ['at the door', 100, 5, true],
    ['just inside what the accuracy allows', 190, 50, true],
    ['just outside of it', 210, 50, false],
    ['indoors with a coarse fix', 380, 900, true],
    ['further than any accuracy allows', 420, 900, false],
    ['400 km away with 5 m accuracy', 400_000, 5, false],
    ['400 km away with 500 km accuracy', 400_000, 500_000, false],
  ])('by location: %s', async (_name, metres, accuracyM, allowed) => {
    at(0);
    const input = now({ position: north(metres, accuracyM) });
    if (allowed) expect((await checkIn(input)).attendance[0]?.distanceM).toBe(metres);
    else {
      const refused = await failure(checkIn(input));
      expect(refused).toMatchObject({ status: 422, code: 'attendance/too-far', data: { distanceM: metres } });
      expect(await state()).toMatchObject({ status: 'booked', version: 1, attendance: [] });
    }
  });

  it('corrects and flags a device whose clock is wrong by an hour', async () => {
    at(4);
    const here = await checkIn(queued(0, 60));
    expect(here).toMatchObject({ checkedInAt: iso(4), lateMinutes: 4 });
    expect(here.attendance[0]?.flags).toEqual(['clock_off', 'late']);
  });

  it('deducts how long a check-in was queued on the device', async () => {
    at(90);
    const here = await checkIn(queued(95, -60));
    expect(here).toMatchObject({ checkedInAt: iso(-5), lateMinutes: 0 });
    expect(here.attendance[0]).toMatchObject({ receivedAt: iso(90), flags: ['queued', 'clock_off'] });
  });

  it('rejects impossible times', async () => {
    at(0);
    const sentAt = iso(0);
    for (const input of [
      now({ at: iso(1), sentAt }),
      now({ at: '0001-01-01T00:00:00Z', sentAt }),
      now({ at: '2026-11-01T00:00:00Z', sentAt }),
      now({ at: '9999-12-31T23:59:59Z', sentAt: '0000-01-01T00:00:00Z' }),
    ])
      expect(await failure(checkIn(input))).toMatchObject({
        status: 422,
        code: 'attendance/time-impossible',
      });
    expect(await failure(checkIn(queued(61)))).toMatchObject({ code: 'engagement/too-early' });
    for (const wrong of [
      { at: 'yesterday' },
      { at: '2026-02-30T00:00:00Z' },
      { sentAt: 12 },
      { code: '12345' },
      { code: '１２３４５６' },
      { position: { lat: 91, lng: 0, accuracyM: 1 } },
      { position: { lat: Number.NaN, lng: 0, accuracyM: 1 } },
      { position: { lat: 1, lng: 0, accuracyM: -1 } },
      { engagementId: '\u0000' },
    ])
      expect(await failure(checkIn({ ...now(), ...wrong } as never))).toMatchObject({ status: 400 });
  });

  it("accepts only that job's check-in code, two minutes either way", async () => {
    const other = await app.person();
    const same = await hireFor(app.db, sides(other), work.jobId);
    const elsewhere = await makeEngagement(app.db, sides(await app.person()), business.id);
    at(3);
    const code = await codeNow();
    expect(code).toMatch(/^\d{6}$/);
    const far = { position: north(400_000, 5) };
    const another = (await owner.api.attendance.siteCode({ jobId: elsewhere.jobId })).code;
    expect(await failure(checkIn(now({ ...far, code: another })))).toMatchObject({
      code: 'attendance/wrong-code',
    });
    app.clock.forward({ minutes: 2 });
    expect(await checkIn(now({ ...far, code }))).toMatchObject({
      attendance: [{ how: 'code', distanceM: 400_000 }],
    });
    app.clock.forward({ minutes: 1 });
    const late = { ...evidenceAt(same, app.clock.now(), { position: null, code }) };
    expect(await failure(other.api.attendance.checkIn(late))).toMatchObject({
      code: 'attendance/wrong-code',
    });
    // The event was recorded on site without a signal, and sent from the bus.
    app.clock.forward({ minutes: 30 });
    const before = { at: iso(4), sentAt: app.clock.now().toISOString(), position: null, code };
    expect(await other.api.attendance.checkIn(evidenceAt(same, app.clock.now(), before))).toMatchObject({
      checkedInAt: iso(4),
    });
  });

  it('counts rejected codes and stops checking after five', async () => {
    at(0);
    const wrong = () => checkIn(now({ position: null }));
    expect(await failure(wrong())).toMatchObject({ status: 422, code: 'attendance/no-evidence' });
    const code = await wrongCode();
    for (const left of [4, 3, 2, 1, 0])
      expect(await failure(checkIn(now({ position: null, code })))).toMatchObject({
        status: 422,
        code: 'attendance/wrong-code',
        data: { left },
      });
    const right = { position: null, code: await codeNow() };
    expect(await failure(checkIn(now(right)))).toMatchObject({
      status: 429,
      code: 'attendance/code-attempts',
    });
    expect(await state()).toMatchObject({ status: 'booked', version: 1 });
    app.clock.forward({ minutes: 10 });
    expect(await checkIn(now({ ...right, code: await codeNow() }))).toMatchObject({ status: 'checked_in' });
  });

  it('checks five of thirty concurrent codes', async () => {
    at(0);
    const code = await wrongCode();
    const results = await Promise.all(
      Array.from({ length: 30 }, () => failure(checkIn(now({ position: null, code })))),
    );
    expect(results.filter(({ code }) => code === 'attendance/wrong-code')).toHaveLength(5);
    expect(results.filter(({ code }) => code === 'attendance/code-attempts')).toHaveLength(25);
  });

  it('notifies the business of the first arrival and of late ones', async () => {
    const second = await app.person();
    const third = await app.person();
    const job = await owner.api.jobs.get({ jobId: work.jobId });
    await owner.api.jobs.update({ jobId: job.id, version: job.version, headCount: 3 });
    const works = [await hireFor(app.db, sides(second), job.id), await hireFor(app.db, sides(third), job.id)];
    const arrive = (person: Person, index: number) =>
      person.api.attendance.checkIn(evidenceAt(works[index] as Engagement, app.clock.now()));
    at(-10);
    await checkIn();
    await arrive(second, 0);
    at(12);
    await arrive(third, 1);
    const ids = [work.id, ...works.map(({ id }) => id)];
    const notices = (await owner.api.notifications.list({ limit: 100 })).items.filter(
      ({ topic, path }) => topic === 'engagement-checked-in' && ids.some((id) => path.endsWith(id)),
    );
    expect(notices.map(({ data }) => [data.variant, data.count])).toEqual([
      ['late', 12],
      ['first', undefined],
    ]);
  });

  it('allows only the worker', async () => {
    at(0);
    expect(await failure(checkIn(now(), owner))).toMatchObject({
      status: 403,
      code: 'engagement/not-allowed',
    });
    expect(await failure(checkIn(now(), stranger))).toMatchObject({
      status: 404,
      code: 'engagement/not-found',
    });
    expect(await failure(app.apiAs(null).attendance.checkIn(now()))).toMatchObject({ status: 401 });
  });
});

describe('coming back after leaving', () => {
  it('works until the end, keeps the first arrival and deducts the gap from the hours', async () => {
    at(-30);
    await checkIn();
    at(-20);
    const left = await checkOut();
    expect(left).toMatchObject({ status: 'checked_out', actions: ['check-in'] });
    at(40);
    expect((await state()).actions).toEqual(['check-in', 'submit-hours']);
    expect(await failure(checkIn(now({ position: north(5_000, 5) })))).toMatchObject({
      code: 'attendance/too-far',
    });
    const here = await checkIn();
    expect(here).toMatchObject({ status: 'checked_in', checkedInAt: iso(-30), checkedOutAt: null });
    expect(here.attendance.map(({ kind, flags }) => [kind, flags])).toEqual([
      ['check_in', []],
      ['check_out', ['early']],
      ['check_in', []],
    ]);
    expect(await checkIn()).toMatchObject({ version: here.version });
    at(480);
    expect(await checkOut()).toMatchObject({ checkedInAt: iso(-30), checkedOutAt: iso(480) });
    expect((await state()).actions).toContain('check-in');
    at(481);
    expect((await state()).actions).toEqual(['submit-hours']);
    expect(await failure(checkIn())).toMatchObject({ code: 'engagement/too-late' });
    app.clock.forward({ hours: 12 });
    await app.runDue();
    const { claims } = await state();
    expect(claims).toMatchObject([{ by: 'timer', startsAt: iso(0), endsAt: iso(480), breakMinutes: 40 }]);
  });

  it('is rejected before the check-out', async () => {
    at(0);
    await checkIn();
    at(120);
    await checkOut();
    at(130);
    expect(await failure(checkIn(queued(30)))).toMatchObject({ code: 'attendance/time-impossible' });
    expect(await state()).toMatchObject({ status: 'checked_out', checkedOutAt: iso(120) });
  });
});

describe('attendance.checkOut', () => {
  it('rejects before the check-in has arrived, and accepts after it', async () => {
    at(8 * 60 + 20);
    const checkInEvent = queued(8 * 60 + 25);
    const checkOutEvent = queued(15);
    expect(await failure(checkOut(checkOutEvent))).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
      data: { status: 'booked' },
    });
    await checkIn(checkInEvent);
    const engagement = await checkOut(checkOutEvent);
    expect(engagement).toMatchObject({ status: 'checked_out', checkedInAt: iso(-5), checkedOutAt: iso(485) });
    expect(engagement.attendance.map(({ kind, flags }) => [kind, flags])).toEqual([
      ['check_in', ['queued']],
      ['check_out', ['queued']],
    ]);
    // The device got no response and resends both.
    expect(await checkIn(checkInEvent)).toEqual(await checkOut(checkOutEvent));
  });

  it('flags leaving early and from far away, and ends a break', async () => {
    at(0);
    await checkIn();
    at(100);
    await worker.api.attendance.startBreak(now());
    at(120);
    const gone = await checkOut(now({ position: north(5_000, 20) }));
    expect(gone).toMatchObject({ status: 'checked_out', onBreak: false });
    expect(gone.attendance.map(({ kind, at: when, flags }) => [kind, when, flags])).toEqual([
      ['check_in', iso(0), []],
      ['break_start', iso(100), []],
      ['break_end', iso(120), []],
      ['check_out', iso(120), ['far', 'early']],
    ]);
    expect(gone.actions).toContain('submit-hours');
  });

  it('needs no location, but rejects a wrong code', async () => {
    at(0);
    await checkIn();
    at(480);
    const code = await wrongCode();
    expect(await failure(checkOut(now({ position: null, code })))).toMatchObject({
      code: 'attendance/wrong-code',
    });
    expect((await checkOut(now({ position: null }))).attendance[1]).toMatchObject({
      how: 'none',
      distanceM: null,
    });
  });

  it('rejects times before the arrival or long after the end', async () => {
    at(30);
    await checkIn();
    expect(await failure(checkOut(queued(40)))).toMatchObject({ code: 'attendance/time-impossible' });
    expect((await checkOut(queued(1))).checkedOutAt).toBe(iso(30));
    const late = await app.person();
    work = await makeEngagement(app.db, sides(late), business.id);
    at(0);
    await checkIn(now(), late);
    at(480 + 12 * 60 + 1);
    expect(await failure(checkOut(now(), late))).toMatchObject({ code: 'engagement/too-late' });
  });

  it('allows only the worker', async () => {
    at(0);
    await checkIn();
    expect(await failure(checkOut(now(), owner))).toMatchObject({ status: 403 });
    expect(await failure(checkOut(now(), stranger))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).attendance.checkOut(now()))).toMatchObject({ status: 401 });
  });
});

describe('attendance.startBreak', () => {
  it('rejects before the shift starts', async () => {
    at(-10);
    await checkIn();
    const refused = await failure(worker.api.attendance.startBreak(now()));
    expect(refused).toMatchObject({ status: 422, code: 'engagement/too-early' });
    at(0);
    expect(await worker.api.attendance.startBreak(now())).toMatchObject({ onBreak: true });
  });

  it('requires a worker who is checked in and not on a break', async () => {
    at(0);
    const pause = (input = now()) => worker.api.attendance.startBreak(input);
    expect(await failure(pause())).toMatchObject({ status: 409, code: 'engagement/wrong-state' });
    await checkIn();
    at(60);
    const input = now();
    const paused = await pause(input);
    expect(paused).toMatchObject({ status: 'checked_in', onBreak: true });
    expect(paused.actions).toContain('end-break');
    expect(paused.actions).not.toContain('start-break');
    expect(await pause(input)).toEqual(paused);
    at(61);
    expect(await failure(pause())).toMatchObject({ status: 409, code: 'attendance/on-break' });
    expect(await failure(owner.api.attendance.startBreak(now()))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.attendance.startBreak(now()))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).attendance.startBreak(now()))).toMatchObject({ status: 401 });
  });
});

describe('attendance.endBreak', () => {
  it('ends the current break, and rejects times before it began', async () => {
    at(0);
    await checkIn();
    const resume = (input = now()) => worker.api.attendance.endBreak(input);
    expect(await failure(resume())).toMatchObject({ status: 409, code: 'attendance/not-on-break' });
    at(60);
    await worker.api.attendance.startBreak(now());
    at(70);
    expect(await failure(resume(queued(20)))).toMatchObject({ code: 'attendance/time-impossible' });
    const back = await resume();
    expect(back.onBreak).toBe(false);
    expect(back.attendance.map(({ kind }) => kind)).toEqual(['check_in', 'break_start', 'break_end']);
    expect(await failure(owner.api.attendance.endBreak(now()))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.attendance.endBreak(now()))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).attendance.endBreak(now()))).toMatchObject({ status: 401 });
  });
});

describe('attendance.siteCode', () => {
  it('stays right for a device that read it before the job got a branch', async () => {
    at(3);
    const { code } = await owner.api.attendance.siteCode({ jobId: work.jobId });
    const branch = await makeBranch(app.db, app.scopeOf(owner), business.id);
    await app.db.updateTable('jobs').set({ branchId: branch.id }).where('id', '=', work.jobId).execute();
    expect(await codeNow()).not.toBe(code);
    expect(await checkIn(now({ position: null, code }))).toMatchObject({ attendance: [{ how: 'code' }] });
  });

  it('changes every minute, and allows only recruiters', async () => {
    const siteCode = await owner.api.attendance.siteCode({ jobId: work.jobId });
    expect(siteCode.validUntil).toBe('2026-11-21T09:01:00.000Z');
    expect(await owner.api.attendance.siteCode({ jobId: work.jobId })).toEqual(siteCode);
    app.clock.forward({ minutes: 1 });
    const next = await owner.api.attendance.siteCode({ jobId: work.jobId });
    expect(next.code).not.toBe(siteCode.code);
    expect([siteCode.ahead.length, siteCode.ahead[0], siteCode.ahead[7]]).toEqual([
      240,
      next.code,
      next.ahead[6],
    ]);
    expect(await failure(worker.api.attendance.siteCode({ jobId: work.jobId }))).toMatchObject({
      status: 403,
    });
    expect(await failure(owner.api.attendance.siteCode({ jobId: crypto.randomUUID() }))).toMatchObject({
      status: 404,
      code: 'job/not-found',
    });
    expect(await failure(app.apiAs(null).attendance.siteCode({ jobId: work.jobId }))).toMatchObject({
      status: 401,
    });
  });
});
