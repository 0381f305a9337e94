import { minuteMs } from '@nearhand/contract/durations';
import type { Branch } from '@nearhand/contract/people/branches';
import type { Business } from '@nearhand/contract/people/businesses';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000' });
let owner: Person;
let recruiter: Person;
let worker: Person;
let stranger: Person;
let business: Business;
let branch: Branch;
let work: Engagement;
let token: string;
beforeAll(async () => {
  owner = await app.person({ name: 'Nadia Brandt' });
  recruiter = await app.person();
  stranger = await app.person();
  business = await makeBusiness(app.db, app.scopeOf(owner));
  await makeMember(app.db, app.clock, business.id, recruiter.accountId, 'recruiter');
});
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  worker = await app.person({ name: 'Jonas van den Berg' });
  branch = await makeBranch(app.db, app.scopeOf(owner), business.id, {
    name: `Noord ${crypto.randomUUID()}`,
  });
  work = await hireAt(branch.id);
  token = (await pair(await add())).token;
  at(-10);
});

const hireAt = (branchId: string | null) =>
  makeEngagement(app.db, { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) }, business.id, {
    branchId,
    title: 'Kitchen porter',
  });
const add = async (branchId = branch.id) =>
  (await owner.api.kiosks.create({ branchId, name: 'By the door' })).code;
/** The tablet, which nobody is signed in on. */
const tablet = app.apiAs(null).kiosks;
const pair = (code: string) => tablet.pair({ code });
const at = (minutes: number) =>
  app.clock.set(new Date(Date.parse(work.terms.startsAt ?? '') + minutes * minuteMs));
const pinOf = async (person = worker, engagement = work) =>
  (await person.api.kiosks.pin({ engagementId: engagement.id })).pin ?? '';
const wrong = (pin: string) => String((Number(pin) + 1) % 10_000).padStart(4, '0');
type Record = Parameters<typeof tablet.record>[0];
const record = async (kind: Record['kind'], options: Partial<Record> = {}) => {
  const now = app.clock.now().toISOString();
  return tablet.record({
    token,
    kind,
    engagementId: work.id,
    pin: await pinOf(),
    at: now,
    sentAt: now,
    ...options,
  });
};
const state = () => worker.api.engagements.get({ engagementId: work.id });

describe('kiosks.create', () => {
  it('returns a code that pairs one tablet within 15 minutes', async () => {
    const code = await add();
    expect(await failure(pair(String((Number(code) + 1) % 1e8).padStart(8, '0')))).toMatchObject({
      status: 422,
      code: 'kiosk/wrong-code',
    });
    app.clock.forward({ minutes: 14 });
    await pair(code);
    // The first answer may be lost.
    await tablet.day(await pair(code));
    expect(await failure(pair(code))).toMatchObject({ code: 'kiosk/wrong-code' });
    const late = await add();
    app.clock.forward({ minutes: 15 });
    expect(await failure(pair(late))).toMatchObject({ code: 'kiosk/wrong-code' });
  });

  it('is for managers, of open branches, up to ten', async () => {
    const input = { branchId: branch.id, name: 'Door' };
    expect(await failure(recruiter.api.kiosks.create(input))).toMatchObject({ code: 'business/not-allowed' });
    expect(await failure(stranger.api.kiosks.create(input))).toMatchObject({ code: 'branch/not-found' });
    for (let count = 1; count < 10; count += 1) await add();
    expect(await failure(add())).toMatchObject({ code: 'kiosk/too-many', data: { limit: 10 } });
    // Those nobody paired make room.
    app.clock.forward({ minutes: 16 });
    await add();
    await owner.api.branches.close({ branchId: branch.id });
    expect(await failure(add())).toMatchObject({ code: 'branch/closed' });
  });
});

describe('kiosks.list', () => {
  it('names tablets with their branch, to recruiters of that branch', async () => {
    const listed = await recruiter.api.kiosks.list({ businessId: business.id });
    expect(listed.canManage).toBe(false);
    expect(listed.kiosks.find(({ branchId }) => branchId === branch.id)).toMatchObject({
      name: 'By the door',
      branchName: branch.name,
      pairedAt: '2026-11-21T09:00:00.000Z',
    });
    const limited = await app.person();
    const otherBranch = await makeBranch(app.db, app.scopeOf(owner), business.id, {
      name: crypto.randomUUID(),
    });
    await makeMember(app.db, app.clock, business.id, limited.accountId, 'recruiter', [otherBranch.id]);
    expect(await limited.api.kiosks.list({ businessId: business.id })).toEqual({
      kiosks: [],
      canManage: false,
    });
    expect(await failure(stranger.api.kiosks.list({ businessId: business.id }))).toMatchObject({
      code: 'business/not-found',
    });
  });
});

describe('kiosks.remove', () => {
  it('stops a tablet at once', async () => {
    const { kiosks } = await owner.api.kiosks.list({ businessId: business.id });
    const kioskId = kiosks.find(({ branchId }) => branchId === branch.id)?.id ?? '';
    expect(await failure(recruiter.api.kiosks.remove({ kioskId }))).toMatchObject({
      code: 'business/not-allowed',
    });
    expect(await failure(stranger.api.kiosks.remove({ kioskId }))).toMatchObject({ code: 'kiosk/not-found' });
    const pin = await pinOf();
    await owner.api.kiosks.remove({ kioskId });
    expect(await failure(tablet.day({ token }))).toMatchObject({ status: 404, code: 'kiosk/not-found' });
    expect(await failure(record('check_in', { pin }))).toMatchObject({ code: 'kiosk/not-found' });
    expect((await state()).status).toBe('booked');
  });
});

describe('kiosks.pair', () => {
  it('returns a token that nobody can make up', async () => {
    const [id = ''] = token.split('.');
    for (const forged of [`${id}.${'A'.repeat(43)}`, `${crypto.randomUUID()}.${token.split('.')[1]}`])
      expect(await failure(tablet.day({ token: forged }))).toMatchObject({ code: 'kiosk/not-found' });
  });
});

describe('kiosks.day', () => {
  it("lists the branch's shifts of the next hours, by first name, with the code for phones", async () => {
    const elsewhere = await makeBranch(app.db, app.scopeOf(owner), business.id, {
      name: crypto.randomUUID(),
    });
    const colleague = await app.person({ name: 'Ravi Singh' });
    const sides = { worker: app.scopeOf(colleague), recruiter: app.scopeOf(owner) };
    await makeEngagement(app.db, sides, business.id, { branchId: elsewhere.id });
    const day = await tablet.day({ token });
    expect(day).toMatchObject({
      businessName: business.name,
      branchName: branch.name,
      code: (await owner.api.attendance.siteCode({ jobId: work.jobId })).code,
      shifts: [{ engagementId: work.id, name: 'Jonas B.', title: 'Kitchen porter', hereSince: null }],
    });
    at(-13 * 60);
    expect((await tablet.day({ token })).shifts).toEqual([]);
  });

  it('ends with the last booked shift of a closed branch', async () => {
    await owner.api.branches.close({ branchId: branch.id });
    await record('check_in');
    at(470);
    await record('check_out');
    expect((await tablet.day({ token })).branchName).toBe(branch.name);
    at(481);
    expect(await failure(tablet.day({ token }))).toMatchObject({ status: 404, code: 'kiosk/not-found' });
    await owner.api.branches.reopen({ branchId: branch.id });
    expect(await failure(tablet.day({ token }))).toMatchObject({ code: 'kiosk/not-found' });
    const { kiosks } = await owner.api.kiosks.list({ businessId: business.id });
    expect(kiosks.some(({ branchId }) => branchId === branch.id)).toBe(false);
  });
});

describe('kiosks.record', () => {
  it('checks in, takes a break and checks out by PIN, each once', async () => {
    await record('check_in');
    const sent = app.clock.now().toISOString();
    await record('check_in', { at: sent, sentAt: sent });
    expect((await tablet.day({ token })).shifts).toMatchObject([{ hereSince: sent }]);
    at(60);
    await record('break_start');
    expect(
      await failure(
        record('break_start', {
          at: new Date(app.clock.now().getTime() + 1).toISOString(),
          sentAt: new Date(app.clock.now().getTime() + 1).toISOString(),
        }),
      ),
    ).toMatchObject({ code: 'attendance/on-break' });
    at(90);
    await record('break_end');
    at(480);
    await record('check_out');
    expect(await state()).toMatchObject({
      status: 'checked_out',
      attendance: [
        { kind: 'check_in', how: 'kiosk', distanceM: null, flags: [] },
        { kind: 'break_start', how: 'kiosk' },
        { kind: 'break_end', how: 'kiosk' },
        { kind: 'check_out', how: 'kiosk', flags: [] },
      ],
    });
  });

  it('refuses a wrong PIN, and any after five', async () => {
    const pin = await pinOf();
    for (let left = 4; left >= 0; left -= 1)
      expect(await failure(record('check_in', { pin: wrong(pin) }))).toMatchObject({
        code: 'attendance/wrong-code',
        data: { left },
      });
    expect(await failure(record('check_in'))).toMatchObject({ code: 'attendance/code-attempts' });
    // Anyone can type PINs at the door, so the code on the phone still works.
    const now = app.clock.now().toISOString();
    const byPhone = { engagementId: work.id, at: now, sentAt: now, position: null, code: '000000' };
    expect(await failure(worker.api.attendance.checkIn(byPhone))).toMatchObject({
      code: 'attendance/wrong-code',
      data: { left: 4 },
    });
    app.clock.forward({ minutes: 11 });
    await record('check_in');
    expect((await state()).status).toBe('checked_in');
  });

  it('keeps the time of a tablet that was offline, also with a wrong clock', async () => {
    const came = new Date(app.clock.now().getTime() + 60 * minuteMs);
    at(50);
    const sentAt = new Date(app.clock.now().getTime() + 60 * minuteMs);
    await record('check_in', { at: came.toISOString(), sentAt: sentAt.toISOString() });
    expect(await state()).toMatchObject({
      checkedInAt: new Date(came.getTime() - 60 * minuteMs).toISOString(),
      attendance: [{ flags: ['queued', 'clock_off'] }],
    });
  });

  it('is for shifts of its branch, in their time', async () => {
    const otherBranch = await makeBranch(app.db, app.scopeOf(owner), business.id, {
      name: crypto.randomUUID(),
    });
    const foreign = (await pair(await add(otherBranch.id))).token;
    expect(await failure(record('check_in', { token: foreign }))).toMatchObject({
      code: 'engagement/not-found',
    });
    at(-61);
    expect(await failure(record('check_in'))).toMatchObject({ code: 'engagement/too-early' });
    expect(await failure(record('check_out'))).toMatchObject({ code: 'engagement/wrong-state' });
    at(481);
    expect(await failure(record('check_in'))).toMatchObject({ code: 'engagement/too-late' });
    const impossible = { at: app.clock.now().toISOString(), sentAt: '2026-11-01T00:00:00Z' };
    expect(await failure(record('check_in', impossible))).toMatchObject({
      code: 'attendance/time-impossible',
    });
  });
});

describe('kiosks.pin', () => {
  it("is the worker's alone, one per shift, where the branch has a tablet", async () => {
    const pin = await pinOf();
    expect(pin).toMatch(/^\d{4}$/);
    for (const person of [owner, stranger])
      expect(await failure(pinOf(person))).toMatchObject({ status: 404, code: 'engagement/not-found' });
    await owner.api.kiosks.remove({
      kioskId:
        (await owner.api.kiosks.list({ businessId: business.id })).kiosks.find(
          ({ branchId }) => branchId === branch.id,
        )?.id ?? '',
    });
    expect((await worker.api.kiosks.pin({ engagementId: work.id })).pin).toBeNull();
  });
});
