import { minuteMs } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { fillProfile } from '../../people/profiles/profiles.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { bringInterview, makeInterview } from '../interviews/interviews.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeOffer } from '../offers/offers.ts';

const app = useTestApp();
const nobody = '01a1fbbc-d019-79f0-8086-994049deb373';
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Nadia Berg' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});

const shift = (startsAt: string, endsAt: string) => ({ startsAt, endsAt, breakMinutes: 0 });
const hired = (worker: Person, options: Parameters<typeof makeEngagement>[3]) =>
  makeEngagement(
    app.db,
    { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) },
    business.id,
    options,
  );
async function interviewed(worker: Person, slots: string[], picked = true) {
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, { title: 'Waiter' });
  const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  const interview = await makeInterview(app.db, app.scopeOf(owner), id, { slots });
  if (picked)
    await bringInterview(
      app.db,
      { worker: app.scopeOf(worker), business: app.scopeOf(owner) },
      interview,
      'scheduled',
    );
  return interview;
}
async function offered(worker: Person, options: object) {
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, { title: 'Cook', ...options });
  const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  return app.db
    .transaction()
    .execute((tx) => makeOffer(tx, app.scopeOf(owner), { applicationId: id, message: '' }));
}
const week = { from: '2026-11-23T00:00:00Z', to: '2026-11-30T00:00:00Z' };

describe('calendar.mine', () => {
  it('returns work, interviews with their proposed times, and offers, soonest first', async () => {
    const worker = await app.person();
    const work = await hired(worker, {
      title: 'Barista',
      ...shift('2026-11-25T08:00:00Z', '2026-11-25T16:00:00Z'),
    });
    const standing = await interviewed(worker, ['2026-11-24T09:00:00Z']);
    const open = await interviewed(worker, ['2026-11-26T09:00:00Z', '2026-11-27T09:00:00Z'], false);
    const offer = await offered(worker, shift('2026-11-28T08:00:00Z', '2026-11-28T12:00:00Z'));
    const events = await worker.api.calendar.mine(week);
    expect(events.map(({ kind, id, startsAt, status }) => [kind, id, startsAt, status])).toEqual([
      ['interview', standing.id, '2026-11-24T09:00:00.000Z', 'scheduled'],
      ['engagement', work.id, '2026-11-25T08:00:00.000Z', 'booked'],
      ['interview', open.id, '2026-11-26T09:00:00.000Z', 'proposed'],
      ['interview', open.id, '2026-11-27T09:00:00.000Z', 'proposed'],
      ['offer', offer.id, '2026-11-28T08:00:00.000Z', 'sent'],
    ]);
    expect(events[1]).toMatchObject({
      title: 'Barista',
      businessName: business.name,
      timeZone: 'Europe/Amsterdam',
      endsAt: '2026-11-25T16:00:00.000Z',
      path: `/tabs/menu/my-work/engagement/${work.id}`,
    });
    expect(events[1]?.where).toContain('Lindengracht 12');
    const part = { from: '2026-11-25T15:59:59Z', to: '2026-11-25T16:00:00Z' };
    expect(await worker.api.calendar.mine(part)).toHaveLength(1);
    expect(
      await worker.api.calendar.mine({ from: '2026-11-25T16:00:00Z', to: '2026-11-26T09:00:00Z' }),
    ).toEqual([]);
    expect(await owner.api.calendar.mine(week)).toEqual([]);
    await worker.api.engagements.cancel({ engagementId: work.id, version: work.version, reason: 'Ill.' });
    expect((await worker.api.calendar.mine(week)).map(({ kind }) => kind)).not.toContain('engagement');
  });

  it('shows a task on its due date, in the zone of the job', async () => {
    const worker = await app.person();
    await hired(worker, { kind: 'task', title: 'Paint the fence', dueOn: '2027-03-28' });
    const [event] = await worker.api.calendar.mine({
      from: '2027-03-27T00:00:00Z',
      to: '2027-03-30T00:00:00Z',
    });
    expect([event?.startsAt, event?.endsAt]).toEqual([
      '2027-03-27T23:00:00.000Z',
      '2027-03-28T22:00:00.000Z',
    ]);
  });

  it('accepts ranges of up to 93 days', async () => {
    const ask = (from: string, to: string) => owner.api.calendar.mine({ from, to });
    expect(await ask('2026-01-01T00:00:00Z', '2026-04-04T00:00:00Z')).toEqual([]);
    expect(await failure(ask('2026-01-01T00:00:00Z', '2026-04-04T00:00:01Z'))).toMatchObject({
      status: 422,
      code: 'calendar/range-too-long',
      data: { maxDays: 93 },
    });
    expect(await failure(ask('0001-01-01T00:00:00Z', '9999-12-31T00:00:00Z'))).toMatchObject({ status: 422 });
    for (const [from, to] of [
      ['2026-04-04T00:00:00Z', '2026-01-01T00:00:00Z'],
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
      ['yesterday', '2026-01-01T00:00:00Z'],
      ['2026-01-01', '2026-01-02'],
    ] as const)
      expect(await failure(ask(from, to))).toMatchObject({ status: 400, code: 'request/invalid' });
    expect(await ask('0001-01-01T00:00:00Z', '0001-01-02T00:00:00Z')).toEqual([]);
    expect(await ask('9999-12-30T00:00:00Z', '9999-12-31T00:00:00Z')).toEqual([]);
  });
});

describe('calendar.conflicts', () => {
  it('lists booked work, interviews, offers and busy hours', async () => {
    const worker = await app.person();
    await fillProfile(app.db, app.scopeOf(worker), { availability: [{ day: 'wed', part: 'morning' }] });
    const work = await hired(worker, shift('2026-12-02T09:00:00Z', '2026-12-02T12:00:00Z'));
    const interview = await interviewed(worker, ['2026-12-02T13:00:00Z']);
    const offer = await offered(worker, shift('2026-12-02T07:00:00Z', '2026-12-02T08:00:00Z'));
    const job = await makeJob(
      app.db,
      app.scopeOf(owner),
      business.id,
      shift('2026-12-02T07:00:00Z', '2026-12-02T15:00:00Z'),
    );
    expect(await worker.api.calendar.conflicts({ jobId: job.id })).toEqual([
      {
        kind: 'engagement',
        id: work.id,
        title: work.terms.title,
        startsAt: '2026-12-02T09:00:00.000Z',
        endsAt: '2026-12-02T12:00:00.000Z',
      },
      {
        kind: 'interview',
        id: interview.id,
        title: 'Waiter',
        startsAt: '2026-12-02T13:00:00.000Z',
        endsAt: '2026-12-02T13:30:00.000Z',
      },
      {
        kind: 'offer',
        id: offer.id,
        title: 'Cook',
        startsAt: '2026-12-02T07:00:00.000Z',
        endsAt: '2026-12-02T08:00:00.000Z',
      },
      {
        kind: 'availability',
        startsAt: '2026-12-02T11:00:00.000Z',
        endsAt: '2026-12-02T15:00:00.000Z',
      },
    ]);
    const free = await makeJob(
      app.db,
      app.scopeOf(owner),
      business.id,
      shift('2026-12-02T08:00:00Z', '2026-12-02T09:00:00Z'),
    );
    expect(await worker.api.calendar.conflicts({ jobId: free.id })).toEqual([]);
    expect(await worker.api.calendar.conflicts({ jobId: work.jobId })).toMatchObject([
      { kind: 'availability' },
    ]);
  });

  it('warns of a week with more hours than the worker wants, and blocks nothing', async () => {
    const worker = await app.person();
    await fillProfile(app.db, app.scopeOf(worker), { weekHoursMax: 12, availability: [] });
    await hired(worker, shift('2026-12-07T09:00:00Z', '2026-12-07T15:00:00Z'));
    // Sunday before and Monday after that week.
    await hired(worker, shift('2026-12-06T09:00:00Z', '2026-12-06T15:00:00Z'));
    await hired(worker, shift('2026-12-14T09:00:00Z', '2026-12-14T15:00:00Z'));
    const conflictsAt = async (from: string, to: string) => {
      const { id: jobId } = await makeJob(app.db, app.scopeOf(owner), business.id, shift(from, to));
      return worker.api.calendar.conflicts({ jobId });
    };
    expect(await conflictsAt('2026-12-13T09:00:00Z', '2026-12-13T15:00:00Z')).toEqual([]);
    expect(await conflictsAt('2026-12-13T09:00:00Z', '2026-12-13T15:30:00Z')).toEqual([
      {
        kind: 'week',
        startsAt: '2026-12-06T23:00:00.000Z',
        endsAt: '2026-12-13T23:00:00.000Z',
        minutes: 750,
        hoursMax: 12,
      },
    ]);
    await worker.api.profiles.save({ weekHoursMax: null });
    expect(await conflictsAt('2026-12-13T09:00:00Z', '2026-12-13T15:30:00Z')).toEqual([]);
  });

  it('counts the dates of a series that are offered together in their weeks', async () => {
    const worker = await app.person();
    await fillProfile(app.db, app.scopeOf(worker), { weekHoursMax: 12, availability: [] });
    const dates = ['2026-12-08', '2026-12-10', '2026-12-12', '2026-12-15'];
    const offers = [];
    for (const date of dates)
      offers.push(await offered(worker, shift(`${date}T08:00:00Z`, `${date}T13:00:00Z`)));
    const jobIds = offers.map(({ jobId }) => jobId);
    const [first = '', , , last = ''] = jobIds;
    expect(await worker.api.calendar.conflicts({ jobId: first })).toEqual([]);
    await app.db.updateTable('jobs').set({ seriesId: nobody }).where('id', 'in', jobIds).execute();
    for (const jobId of [first, last])
      expect(await worker.api.calendar.conflicts({ jobId })).toMatchObject([
        { kind: 'week', startsAt: '2026-12-06T23:00:00.000Z', minutes: 900, hoursMax: 12 },
      ]);
    const answered = offers.at(-1);
    await worker.api.offers.decline({ offerId: answered?.id ?? '', version: answered?.version ?? 0 });
    expect(await worker.api.calendar.conflicts({ jobId: last })).toEqual([]);
  });

  it('returns nothing for a job without set hours, and 404 for a job hidden from the caller', async () => {
    const task = await makeJob(app.db, app.scopeOf(owner), business.id, { kind: 'task' });
    const draft = await makeJob(app.db, app.scopeOf(owner), business.id, { status: 'draft' });
    const worker = await app.person();
    expect(await worker.api.calendar.conflicts({ jobId: task.id })).toEqual([]);
    for (const jobId of [draft.id, nobody])
      expect(await failure(worker.api.calendar.conflicts({ jobId }))).toMatchObject({
        status: 404,
        code: 'job/not-found',
      });
  });
});

describe('calendar.feed', () => {
  it('returns when the address was created, never the address', async () => {
    const worker = await app.person();
    expect(await worker.api.calendar.feed()).toEqual({ since: null });
    await worker.api.calendar.newFeed();
    expect(await worker.api.calendar.feed()).toEqual({ since: app.clock.now().toISOString() });
  });
});

const pathOf = (url: string) => new URL(url).pathname;

describe('calendar.newFeed', () => {
  it('creates an address that works until the next one and stores no secret', async () => {
    const worker = await app.person();
    const same = app.apiAs(worker.token, { 'idempotency-key': crypto.randomUUID() });
    const first = await same.calendar.newFeed();
    expect(first.url).toMatch(/^http:\/\/localhost:\d+\/api\/calendar\/[\w-]{43}\.ics$/);
    const second = await same.calendar.newFeed();
    expect(second.url).not.toBe(first.url);
    expect((await app.raw({ url: pathOf(first.url) })).statusCode).toBe(404);
    expect((await app.raw({ url: pathOf(second.url) })).statusCode).toBe(200);
    const secret = second.url.split('/').at(-1)?.replace('.ics', '') ?? '';
    const { rows } = await app.pool.query(
      'select (select json_agg(f) from calendar_feeds f)::text || (select coalesce(json_agg(k)::text, $1) from idempotency_keys k) as text',
      [''],
    );
    expect(rows[0].text).not.toContain(secret);
    const bare = await app.raw({
      method: 'POST',
      url: '/api/calendar/feed',
      headers: { authorization: `Bearer ${worker.token}` },
    });
    expect(bare.json().code).toBe('idempotency/key-required');
  });

  it("contains the user's work and interviews, and interviews of businesses they recruit for", async () => {
    const worker = await app.person({ name: 'Sam Okafor' });
    const work = await hired(worker, shift('2026-11-25T08:00:00Z', '2026-11-25T16:00:00Z'));
    const standing = await interviewed(worker, ['2026-11-24T09:00:00Z']);
    const open = await interviewed(worker, ['2026-11-26T09:00:00Z', '2026-11-27T09:00:00Z'], false);
    const { url } = await worker.api.calendar.newFeed();
    const read = await app.raw({ url: pathOf(url) });
    expect(read.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-store',
    });
    const uids = (text: string) => [...text.matchAll(/^UID:(.*)\r$/gm)].map((match) => match[1]);
    expect(uids(read.body)).toEqual([
      `engagement-${work.id}@nearhand`,
      `interview-${standing.id}@nearhand`,
      `interview-${open.id}-${Date.parse('2026-11-26T09:00:00Z') / minuteMs}@nearhand`,
      `interview-${open.id}-${Date.parse('2026-11-27T09:00:00Z') / minuteMs}@nearhand`,
    ]);
    const again = await app.raw({
      url: pathOf(url),
      headers: { 'if-none-match': String(read.headers.etag) },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    app.clock.forward({ minutes: 1 });
    expect((await app.raw({ url: pathOf(url) })).headers.etag).toBe(read.headers.etag);
    const hires = await owner.api.calendar.newFeed();
    const theirs = (await app.raw({ url: pathOf(hires.url) })).body;
    expect(uids(theirs)).toContain(`interview-${standing.id}@nearhand`);
    expect(uids(theirs)).not.toContain(`engagement-${work.id}@nearhand`);
    expect(theirs).toContain('SUMMARY:Interview: Sam Okafor\\, Waiter');
    await owner.api.accountSettings.update({ language: 'de' });
    const german = (await app.raw({ url: pathOf(hires.url) })).body;
    expect(german).toContain('SUMMARY:Gespräch: Sam Okafor\\, Waiter');
    expect(german).toContain('//DE');
  });

  it('returns 404 for an unknown address', async () => {
    for (const secret of [
      'x',
      'a'.repeat(43),
      `${'a'.repeat(300)}`,
      '%00',
      "'--",
      '..%2Ffeed',
      '%F0%9F%8D%B5',
    ])
      expect((await app.raw({ url: `/api/calendar/${secret}.ics` })).statusCode, secret).toBe(404);
    const disabled = await app.person();
    const { url } = await disabled.api.calendar.newFeed();
    await app.db
      .updateTable('accounts')
      .set({ disabledAt: app.clock.now() })
      .where('id', '=', disabled.accountId)
      .execute();
    expect((await app.raw({ url: pathOf(url) })).json().code).toBe('calendar/feed-not-found');
  });
});

describe('calendar.stopFeed', () => {
  it('deletes the address; a repeat is a no-op', async () => {
    const worker = await app.person();
    const { url } = await worker.api.calendar.newFeed();
    expect(await worker.api.calendar.stopFeed()).toEqual({ since: null });
    expect(await worker.api.calendar.stopFeed()).toEqual({ since: null });
    expect((await app.raw({ url: pathOf(url) })).statusCode).toBe(404);
  });
});

describe('calendar files', () => {
  const get = (person: Person | null, url: string) =>
    app.raw({ url, headers: person ? { authorization: `Bearer ${person.token}` } : {} });

  it('returns a scheduled interview to both sides and follows its changes', async () => {
    app.clock.set('2026-11-21T09:00:00Z');
    const worker = await app.person();
    const interview = await interviewed(worker, ['2026-11-24T09:00:00Z']);
    const url = `/api/interviews/${interview.id}/calendar.ics`;
    const fresh = await get(await app.person(), url);
    expect([fresh.statusCode, fresh.json().code]).toEqual([404, 'interview/not-found']);
    const read = await get(worker, url);
    expect(read.headers['content-disposition']).toBe('attachment; filename="interview.ics"');
    for (const row of [
      `UID:interview-${interview.id}@nearhand`,
      'SEQUENCE:2',
      'METHOD:PUBLISH',
      'STATUS:CONFIRMED',
      'DTSTART:20261124T090000Z',
      'DTEND:20261124T093000Z',
      'TRIGGER:-PT1H',
      'LOCATION:Lindengracht 12',
    ])
      expect(read.body).toContain(`${row}\r\n`);
    await worker.api.interviews.cancel({ interviewId: interview.id, version: 2 });
    const after = (await get(worker, url)).body;
    expect(after).toContain('STATUS:CANCELLED\r\n');
    expect(after).toContain('SEQUENCE:3\r\n');
    expect(after).not.toContain('VALARM');
  });

  it('requires a verified session, an own id and a scheduled time', async () => {
    const worker = await app.person();
    const interview = await interviewed(worker, ['2026-11-24T09:00:00Z'], false);
    const url = `/api/interviews/${interview.id}/calendar.ics`;
    expect((await get(null, url)).statusCode).toBe(401);
    expect((await get(await app.person({ verified: false }), url)).statusCode).toBe(403);
    expect((await get(worker, url)).json().code).toBe('interview/wrong-state');
    for (const of of ['interviews', 'engagements'])
      for (const id of [nobody, 'x', '%00', "1'"])
        expect((await get(worker, `/api/${of}/${id}/calendar.ics`)).statusCode).toBe(404);
  });

  it('returns an engagement to its worker and its business', async () => {
    const worker = await app.person();
    const work = await hired(worker, shift('2026-11-25T08:00:00Z', '2026-11-25T16:00:00Z'));
    const url = `/api/engagements/${work.id}/calendar.ics`;
    const read = await get(worker, url);
    expect(read.body).toContain(`UID:engagement-${work.id}@nearhand\r\n`);
    expect(read.body).toContain('DTSTART:20261125T080000Z\r\n');
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, business.id, recruiter.accountId);
    expect((await get(recruiter, url)).statusCode).toBe(200);
    expect((await get(await app.person(), url)).statusCode).toBe(404);
    const task = await hired(worker, { kind: 'task', dueOn: null });
    expect((await get(worker, `/api/engagements/${task.id}/calendar.ics`)).json().code).toBe(
      'engagement/wrong-state',
    );
  });
});
