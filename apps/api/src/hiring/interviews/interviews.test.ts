import { minuteMs } from '@nearhand/contract/durations';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { endInterviewsOf } from './end-interviews.ts';
import { hoursAhead, makeInterview } from './interviews.fixtures.ts';

const app = useTestApp();
const nobody = '01a1fbbc-d019-79f0-8086-994049deb373';
let owner: Person;
let manager: Person;
let finance: Person;
let stranger: Person;
let business: Business;
let job: Job;
beforeAll(async () => {
  [owner, manager, finance, stranger] = await Promise.all([
    app.person({ name: 'Nadia Berg' }),
    app.person({ name: 'Tom Vos' }),
    app.person(),
    app.person(),
  ]);
  business = await makeBusiness(app.db, app.scopeOf(owner));
  job = await makeJob(app.db, app.scopeOf(owner), business.id, { headCount: 20 });
  for (const [person, role] of [
    [manager, 'manager'],
    [finance, 'finance'],
  ] as const)
    await makeMember(app.db, app.clock, business.id, person.accountId, role);
});

const at = (hours: number) => hoursAhead(app, hours);
const applied = async () => {
  const worker = await app.person({ name: 'Leila Haddad' });
  const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
  return { worker, applicationId: application.id };
};
const proposed = async (options: Parameters<typeof makeInterview>[3] = {}) => {
  const { worker, applicationId } = await applied();
  const interview = await makeInterview(app.db, app.scopeOf(owner), applicationId, options);
  return { worker, applicationId, interview, interviewRef: refOf(interview) };
};
const refOf = ({ id, version }: Interview) => ({ interviewId: id, version });
const slotOf = (interview: Interview, n = 0) => interview.slots[n]?.id ?? '';
const scheduled = async () => {
  const before = await proposed();
  const interview = await before.worker.api.interviews.pick({
    ...before.interviewRef,
    slotId: slotOf(before.interview),
    timeZone: 'Europe/Lisbon',
  });
  return { ...before, interview, interviewRef: refOf(interview) };
};
const statusOf = async (applicationId: string) =>
  app.db
    .selectFrom('applications')
    .select(['status', 'decideBy'])
    .where('id', '=', applicationId)
    .executeTakeFirstOrThrow();
const noticesOf = async (person: Person) =>
  (await person.api.notifications.list({ limit: 100 })).items
    .filter(({ topic }) => topic.startsWith('interview-'))
    .map(({ topic, data, path }) => ({ topic, data, path }));

describe('interviews.propose', () => {
  it('proposes times, moves the application and its clock, and notifies the worker', async () => {
    const { worker, applicationId } = await applied();
    const proposal = await owner.api.interviews.propose({
      applicationId,
      mode: 'in_person',
      minutes: 45,
      slots: [at(40 * 24), at(48)],
      message: 'See you.',
    });
    expect(proposal).toMatchObject({
      side: 'business',
      status: 'proposed',
      where: job.member?.address,
      minutes: 45,
      startsAt: null,
      answerBy: at(72),
      zones: { business: 'Europe/Amsterdam', worker: null },
      actions: ['cancel'],
    });
    expect(proposal.slots.map(({ startsAt }) => startsAt)).toEqual([at(48), at(40 * 24)]);
    expect(proposal.steps).toEqual([
      {
        action: 'propose',
        status: 'proposed',
        by: 'business',
        at: app.clock.now().toISOString(),
        reason: null,
      },
    ]);
    const after = await statusOf(applicationId);
    expect(after.status).toBe('interviewing');
    expect(after.decideBy.toISOString()).toBe(job.startsAt);
    const workerView = await worker.api.interviews.get({ interviewId: proposal.id });
    expect([workerView.side, workerView.actions]).toEqual(['worker', ['pick', 'suggest', 'cancel']]);
    expect(await noticesOf(worker)).toMatchObject([
      {
        topic: 'interview-proposed',
        data: { side: 'worker', count: 2, by: at(72), jobTitle: job.title },
        path: `/interview?id=${proposal.id}`,
      },
    ]);
  });

  it('requires a place for each mode', async () => {
    const options = { mode: 'video' as const, slots: [at(48)] };
    const { applicationId } = await applied();
    const propose = (more: object) => owner.api.interviews.propose({ applicationId, ...options, ...more });
    expect(await failure(propose({}))).toMatchObject({ status: 422, code: 'interview/where-missing' });
    for (const where of [
      'http://meet.example/x',
      'https://nadia:secret@meet.example/x',
      'javascript:alert(1)',
      'meet.example/x',
      'ftp://meet.example',
    ])
      expect(await failure(propose({ where })), where).toMatchObject({
        status: 422,
        code: 'interview/where-invalid',
      });
    for (const where of ['a\u0000b', 'two\nlines', '\u202Eabc', '', '\ud800'])
      expect(await failure(propose({ where, mode: 'in_person' }))).toMatchObject({ status: 400 });
    for (const where of ['020 123', '+0', 'call me', '+31612345678901234'])
      expect(await failure(propose({ where, mode: 'phone' })), where).toMatchObject({
        code: 'interview/where-invalid',
      });
    const proposal = await propose({ where: '+31 6 1234-5678', mode: 'phone' });
    expect(proposal.where).toBe('+31612345678');
    expect(await failure(propose({ where: 'https://meet.example/x' }))).toMatchObject({
      status: 409,
      code: 'interview/already-open',
    });
  });

  it('limits requests to an applicant to ten in 24 hours, since each sends a push and a mail', async () => {
    const { applicationId } = await applied();
    const again = () => makeInterview(app.db, app.scopeOf(owner), applicationId);
    for (let n = 0; n < 10; n += 1)
      await owner.api.interviews.cancel({ ...refOf(await again()), reason: 'Another time.' });
    const request = { applicationId, mode: 'in_person' as const, slots: [at(72)] };
    expect(await failure(owner.api.interviews.propose(request))).toMatchObject({
      status: 429,
      code: 'interview/too-many',
      data: { limit: 10 },
    });
  });

  it('does not reveal a private place', async () => {
    const home = await makeBusiness(app.db, app.scopeOf(owner), { privateAddress: true });
    const { id: jobId, member } = await makeJob(app.db, app.scopeOf(owner), home.id);
    const worker = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), jobId);
    const options = { applicationId, mode: 'in_person' as const, slots: [at(48)] };
    expect(await failure(owner.api.interviews.propose(options))).toMatchObject({
      status: 422,
      code: 'interview/where-missing',
    });
    const proposal = await owner.api.interviews.propose({ ...options, where: 'Café around the corner' });
    expect(proposal.where).toBe('Café around the corner');
    expect(JSON.stringify(await worker.api.interviews.get({ interviewId: proposal.id }))).not.toContain(
      member?.address,
    );
  });

  it('rejects times that are past, repeated, too late or too many, and huge durations', async () => {
    const { applicationId } = await applied();
    const propose = (slots: string[], more: object = {}) =>
      owner.api.interviews.propose({ applicationId, mode: 'in_person', slots, ...more });
    const codes: [string[], string][] = [
      [[at(-1)], 'interview/slot-in-past'],
      [[at(0)], 'interview/slot-in-past'],
      [['0001-01-01T00:00:00Z'], 'interview/slot-in-past'],
      [[at(2), at(2)], 'interview/slots-repeated'],
      [[at(2), at(2).replace(':00.000Z', ':31.500Z')], 'interview/slots-repeated'],
      [[at(91 * 24)], 'interview/slot-too-far'],
      [['9999-12-31T23:59:59Z'], 'interview/slot-too-far'],
    ];
    for (const [slots, code] of codes)
      expect(await failure(propose(slots)), code).toMatchObject({ status: 422, code });
    const many = Array.from({ length: 500 }, (_, n) => at(n + 1));
    for (const slots of [many, [], ['soon'], ['2026-13-01T00:00:00Z'], [at(2).slice(0, -1)], [7 as never]])
      expect(await failure(propose(slots))).toMatchObject({ status: 400, code: 'request/invalid' });
    for (const minutes of [9, 241, 1e300, 12.5, -30, '30' as never, Number.MAX_SAFE_INTEGER])
      expect(await failure(propose([at(2)], { minutes }))).toMatchObject({ status: 400 });
    expect((await statusOf(applicationId)).status).toBe('submitted');
  });

  it('allows only recruiters of the business on live applications', async () => {
    const { worker, applicationId } = await applied();
    const propose = (person: Person, of = applicationId) =>
      failure(person.api.interviews.propose({ applicationId: of, mode: 'in_person', slots: [at(48)] }));
    expect(await propose(worker)).toMatchObject({ status: 403, code: 'application/not-allowed' });
    expect(await propose(finance)).toMatchObject({ status: 403, code: 'application/not-allowed' });
    expect(await propose(stranger)).toMatchObject({ status: 404, code: 'application/not-found' });
    expect(await propose(owner, nobody)).toMatchObject({ status: 404 });
    expect(await propose(await app.person({ verified: false }))).toMatchObject({ status: 403 });
    expect(
      await failure(
        app.apiAs(null).interviews.propose({ applicationId, mode: 'in_person', slots: [at(48)] }),
      ),
    ).toMatchObject({ status: 401 });
    await worker.api.applications.withdraw({ applicationId });
    expect(await propose(owner)).toMatchObject({ status: 409, code: 'application/wrong-state' });
  });

  it('rejects a business or job that no longer hires, like offers', async () => {
    const { applicationId } = await applied();
    const propose = () =>
      failure(owner.api.interviews.propose({ applicationId, mode: 'in_person', slots: [at(48)] }));
    for (const status of ['suspended', 'closed'] as const) {
      await app.db.updateTable('businesses').set({ status }).where('id', '=', business.id).execute();
      expect(await propose()).toMatchObject({ status: 409, code: 'business/wrong-state', data: { status } });
    }
    await app.db
      .updateTable('businesses')
      .set({ status: business.status })
      .where('id', '=', business.id)
      .execute();
    for (const status of ['suspended', 'expired', 'closed', 'archived'] as const) {
      await app.db.updateTable('jobs').set({ status }).where('id', '=', job.id).execute();
      expect(await propose()).toMatchObject({ status: 409, code: 'job/wrong-state', data: { status } });
    }
    await app.db.updateTable('jobs').set({ status: 'paused' }).where('id', '=', job.id).execute();
    await owner.api.interviews.propose({ applicationId, mode: 'in_person', slots: [at(48)] });
    await app.db.updateTable('jobs').set({ status: 'open' }).where('id', '=', job.id).execute();
  });

  it('replays the response for the same key and accepts only one of two concurrent proposals', async () => {
    const { applicationId } = await applied();
    const same = app.apiAs(owner.token, { 'idempotency-key': crypto.randomUUID() });
    const input = { applicationId, mode: 'in_person' as const, slots: [at(48)] };
    expect((await same.interviews.propose(input)).id).toBe((await same.interviews.propose(input)).id);
    const other = await applied();
    const both = await Promise.allSettled(
      [owner, manager].map((person) =>
        person.api.interviews.propose({ ...input, applicationId: other.applicationId }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('interviews.get', () => {
  it('allows only its worker and recruiters of its business', async () => {
    const { worker, interview } = await proposed();
    const input = { interviewId: interview.id };
    expect((await worker.api.interviews.get(input)).side).toBe('worker');
    expect((await manager.api.interviews.get(input)).side).toBe('business');
    for (const person of [stranger, finance])
      expect(await failure(person.api.interviews.get(input))).toMatchObject({
        status: 404,
        code: 'interview/not-found',
      });
    expect(await failure(owner.api.interviews.get({ interviewId: nobody }))).toMatchObject({ status: 404 });
    expect(await failure(owner.api.interviews.get({ interviewId: "x' or 1=1" }))).toMatchObject({
      status: 400,
    });
  });
});

describe('two at once', () => {
  it('tells the other side what changed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { worker, interview, interviewRef } = await proposed();
      const answers = await Promise.all(
        [
          worker.api.interviews.pick({ ...interviewRef, slotId: slotOf(interview) }),
          owner.api.interviews.cancel(interviewRef),
          manager.api.interviews.cancel(interviewRef),
          worker.api.interviews.cancel(interviewRef),
        ].map((call) =>
          failure(call).then(
            ({ status, code, data }) => ({ status, code, data }),
            () => 'done',
          ),
        ),
      );
      expect(answers.filter((answer) => answer === 'done')).toHaveLength(1);
      for (const answer of answers.filter((each) => each !== 'done'))
        expect(answer).toMatchObject({
          status: 409,
          code: 'interview/stale',
          data: { status: expect.stringMatching(/scheduled|cancelled/), by: expect.any(String) },
        });
      const { status } = await statusOf(interview.applicationId);
      const { status: now } = await worker.api.interviews.get(interviewRef);
      expect(status).toBe(now === 'cancelled' ? 'shortlisted' : 'interviewing');
    }
  });
});

describe('interviews.mine', () => {
  it("lists each side's groups, page by page, soonest or latest first", async () => {
    const worker = await app.person();
    const otherBusiness = await makeBusiness(app.db, app.scopeOf(stranger), { name: 'Bar Kade' });
    const interviews: Interview[] = [];
    for (let n = 0; n < 4; n += 1) {
      const posted = await makeJob(app.db, app.scopeOf(stranger), otherBusiness.id);
      const { id } = await makeApplication(app.db, app.scopeOf(worker), posted.id);
      interviews.push(await makeInterview(app.db, app.scopeOf(stranger), id, { slots: [at(40 - n)] }));
    }
    const ids = async (person: Person, input: object) =>
      (await person.api.interviews.mine(input)).items.map(({ id }) => id);
    const soonest = interviews.map(({ id }) => id).reverse();
    const asBusiness = { businessId: otherBusiness.id };
    expect(await ids(worker, { group: 'to_answer' })).toEqual(soonest);
    expect(await ids(stranger, { ...asBusiness, group: 'upcoming' })).toEqual(soonest);
    expect(await ids(stranger, { ...asBusiness, group: 'to_answer' })).toEqual([]);
    expect(await ids(worker, {})).toEqual([...soonest].reverse());
    const first = await worker.api.interviews.mine({ group: 'to_answer', limit: 3 });
    expect(first.items).toHaveLength(3);
    expect(
      await ids(worker, { group: 'to_answer', limit: 3, cursor: first.nextCursor ?? undefined }),
    ).toEqual(soonest.slice(3));
    const [a, b] = interviews as [Interview, Interview];
    const picked = await worker.api.interviews.pick({ ...refOf(a), slotId: slotOf(a) });
    await worker.api.interviews.cancel(refOf(b));
    expect(await ids(worker, { group: 'upcoming' })).toEqual([a.id]);
    expect(await ids(worker, { group: 'past' })).toEqual([b.id]);
    await stranger.api.interviews.reschedule({ ...refOf(picked), slots: [at(60)] });
    expect(await ids(worker, { group: 'to_answer' })).toContain(a.id);
    expect(await ids(stranger, { ...asBusiness, group: 'upcoming' })).toContain(a.id);
    expect(await ids(worker, { applicationId: a.applicationId })).toEqual([a.id]);
    expect(await ids(owner, { applicationId: a.applicationId })).toEqual([]);
  });

  it('is pending for the business when it ends without an outcome', async () => {
    const { worker, interview } = await scheduled();
    const now = app.clock.now();
    app.clock.set(new Date(Date.parse(interview.startsAt ?? '') + 31 * minuteMs));
    const input = { applicationId: interview.applicationId, businessId: business.id };
    expect((await owner.api.interviews.mine({ ...input, group: 'to_answer' })).items).toHaveLength(1);
    expect((await worker.api.interviews.mine({ group: 'past' })).items).toHaveLength(1);
    expect((await worker.api.interviews.mine({ group: 'upcoming' })).items).toHaveLength(0);
    app.clock.set(now);
  });

  it('rejects strangers, finance and forged cursors', async () => {
    expect(await failure(stranger.api.interviews.mine({ businessId: business.id }))).toMatchObject({
      status: 404,
    });
    expect(await failure(finance.api.interviews.mine({ businessId: business.id }))).toMatchObject({
      status: 403,
    });
    // No time zone has this offset, so PostgreSQL rejects it.
    const far = Buffer.from(JSON.stringify(['2026-01-01T00:00:00+23:59', nobody])).toString('base64url');
    for (const cursor of ['zzz', far])
      expect(await failure(owner.api.interviews.mine({ cursor }))).toMatchObject({
        code: 'request/bad-cursor',
      });
  });
});

describe('interviews.pick', () => {
  it("schedules the time, stores the worker's zone and notifies the recruiters", async () => {
    const { worker, interview, interviewRef } = await proposed();
    const picked = await worker.api.interviews.pick({
      ...interviewRef,
      slotId: slotOf(interview, 1),
      timeZone: 'America/New_York',
    });
    expect(picked).toMatchObject({
      status: 'scheduled',
      startsAt: at(72),
      endsAt: at(72.5),
      slots: [],
      answerBy: null,
      version: 2,
      zones: { business: 'Europe/Amsterdam', worker: 'America/New_York' },
      actions: ['reschedule', 'cancel'],
    });
    expect((await noticesOf(manager)).find(({ path }) => path.endsWith(interview.id))).toMatchObject({
      topic: 'interview-scheduled',
      data: { workerName: 'Leila Haddad', startsAt: at(72), side: 'business' },
    });
    const rows = await app.db
      .selectFrom('interview_moves')
      .select(['action', 'fromStatus', 'toStatus', 'side', 'actor'])
      .where('interviewId', '=', interview.id)
      .orderBy('id')
      .execute();
    expect(rows.at(-1)).toEqual({
      action: 'pick',
      fromStatus: 'proposed',
      toStatus: 'scheduled',
      side: 'worker',
      actor: worker.accountId,
    });
  });

  it("rejects others' slots, past slots, unknown zones and stale requests", async () => {
    const { worker, interview, interviewRef } = await proposed();
    const foreign = await proposed();
    const pick = (input: object) =>
      failure(worker.api.interviews.pick({ ...interviewRef, slotId: slotOf(interview), ...input }));
    expect(await pick({ slotId: slotOf(foreign.interview) })).toMatchObject({
      status: 422,
      code: 'interview/slot-not-found',
    });
    expect(await pick({ slotId: nobody })).toMatchObject({ code: 'interview/slot-not-found' });
    for (const timeZone of ['Mars/Olympus', '+02:00', '', "'; drop", 'a'.repeat(65), '+0200', 'Europe/'])
      expect(await pick({ timeZone }), timeZone).toMatchObject({ status: 400, code: 'request/invalid' });
    expect(await pick({ version: 7 })).toMatchObject({
      status: 409,
      code: 'interview/stale',
      data: { status: 'proposed', by: business.name },
    });
    expect(await pick({ interviewId: foreign.interview.id })).toMatchObject({ status: 404 });
    expect(
      await failure(owner.api.interviews.pick({ ...interviewRef, slotId: slotOf(interview) })),
    ).toMatchObject({
      status: 409,
      code: 'interview/wrong-state',
    });
    const now = app.clock.now();
    app.clock.forward({ hours: 49 });
    expect(await pick({})).toMatchObject({ status: 422, code: 'interview/slot-in-past' });
    app.clock.forward({ hours: 23 });
    expect(await pick({ slotId: slotOf(interview, 1) })).toMatchObject({ code: 'interview/wrong-state' });
    app.clock.set(now);
  });

  it('replays the response for the same key', async () => {
    const { worker, interview, interviewRef } = await proposed();
    const same = app.apiAs(worker.token, { 'idempotency-key': crypto.randomUUID() });
    const input = { ...interviewRef, slotId: slotOf(interview) };
    expect(await same.interviews.pick(input)).toEqual(await same.interviews.pick(input));
  });
});

describe('interviews.reschedule', () => {
  it('lets only the other side pick and keeps the old time in the meantime', async () => {
    const { worker, interviewRef, applicationId } = await scheduled();
    const request = await worker.api.interviews.reschedule({
      ...interviewRef,
      slots: [at(96), at(80)],
      reason: 'My child is ill.',
    });
    expect(request).toMatchObject({
      status: 'reschedule_requested',
      startsAt: at(48),
      answerBy: at(46),
      reschedules: 1,
      reschedule: { by: 'worker', reason: 'My child is ill.' },
      actions: ['keep', 'cancel'],
    });
    expect((await statusOf(applicationId)).status).toBe('interviewing');
    const input = { ...refOf(request), slotId: slotOf(request) };
    expect(await failure(worker.api.interviews.pick(input))).toMatchObject({ code: 'interview/wrong-state' });
    const ownerView = await owner.api.interviews.get({ interviewId: request.id });
    expect(ownerView.actions).toEqual(['pick', 'keep', 'cancel']);
    const picked = await owner.api.interviews.pick({ ...input, timeZone: 'Asia/Tokyo' });
    expect(picked).toMatchObject({
      status: 'scheduled',
      startsAt: at(80),
      reschedule: null,
      zones: { worker: 'Europe/Lisbon' },
    });
    expect((await noticesOf(worker))[0]).toMatchObject({ topic: 'interview-scheduled' });
  });

  it('allows two moves, but none within 12 hours of the start', async () => {
    const { worker, interviewRef } = await scheduled();
    let interview = await worker.api.interviews.reschedule({ ...interviewRef, slots: [at(90)] });
    interview = await owner.api.interviews.pick({ ...refOf(interview), slotId: slotOf(interview) });
    interview = await owner.api.interviews.reschedule({ ...refOf(interview), slots: [at(100)] });
    interview = await worker.api.interviews.keep(refOf(interview));
    expect(interview.actions).toEqual(['cancel']);
    expect(
      await failure(worker.api.interviews.reschedule({ ...refOf(interview), slots: [at(120)] })),
    ).toMatchObject({ status: 422, code: 'interview/reschedule-limit' });
    const late = await scheduled();
    const now = app.clock.now();
    app.clock.forward({ hours: 36 });
    expect((await late.worker.api.interviews.get(late.interviewRef)).actions).toContain('reschedule');
    app.clock.forward({ seconds: 1 });
    expect(
      await failure(late.worker.api.interviews.reschedule({ ...late.interviewRef, slots: [at(100)] })),
    ).toMatchObject({ status: 422, code: 'interview/reschedule-too-late' });
    app.clock.set(now);
  });

  it('rejects the scheduled time, past times and 500 times', async () => {
    const { worker, interviewRef } = await scheduled();
    const move = (slots: string[]) => failure(worker.api.interviews.reschedule({ ...interviewRef, slots }));
    expect(await move([at(48)])).toMatchObject({ code: 'interview/slots-repeated' });
    expect(await move([at(-2)])).toMatchObject({ code: 'interview/slot-in-past' });
    expect(await move(Array.from({ length: 500 }, (_, n) => at(n + 1)))).toMatchObject({ status: 400 });
  });
});

describe('interviews.keep', () => {
  it('keeps the old time, for either side', async () => {
    for (const who of ['asked', 'asking'] as const) {
      const { worker, interviewRef } = await scheduled();
      const request = await owner.api.interviews.reschedule({ ...interviewRef, slots: [at(96)] });
      const unchanged = await (who === 'asked' ? worker : owner).api.interviews.keep(refOf(request));
      expect(unchanged).toMatchObject({ status: 'scheduled', startsAt: at(48), reschedule: null, slots: [] });
      const reader = who === 'asked' ? owner : worker;
      expect((await noticesOf(reader)).some(({ topic }) => topic === 'interview-kept')).toBe(true);
      const again = await worker.api.interviews.keep(refOf(unchanged));
      expect(again.version).toBe(unchanged.version);
    }
  });
});

describe('interviews.cancel', () => {
  it('allows either side until the start and returns the application to the shortlist', async () => {
    const { worker, interviewRef, applicationId } = await scheduled();
    const gone = await manager.api.interviews.cancel({ ...interviewRef, reason: 'The bar is flooded.' });
    expect(gone).toMatchObject({ status: 'cancelled', actions: [] });
    expect(gone.steps.at(-1)).toMatchObject({ by: 'business', reason: 'The bar is flooded.' });
    expect((await statusOf(applicationId)).status).toBe('shortlisted');
    expect((await noticesOf(worker))[0]).toMatchObject({
      topic: 'interview-cancelled',
      data: { reason: 'The bar is flooded.' },
    });
    expect((await owner.api.interviews.cancel(refOf(gone))).version).toBe(gone.version);
    expect((await manager.api.interviews.cancel(interviewRef)).version).toBe(gone.version);
    expect(await failure(owner.api.interviews.cancel(interviewRef))).toMatchObject({
      code: 'interview/stale',
      data: { status: 'cancelled', by: 'Tom Vos' },
    });
    const again = await makeInterview(app.db, app.scopeOf(owner), applicationId);
    expect((await statusOf(applicationId)).status).toBe('interviewing');
    await worker.api.interviews.cancel(refOf(again));
  });

  it('rejects after the start', async () => {
    const { worker, interviewRef } = await scheduled();
    const now = app.clock.now();
    app.clock.forward({ hours: 48 });
    expect(await failure(worker.api.interviews.cancel(interviewRef))).toMatchObject({
      status: 409,
      code: 'interview/wrong-state',
    });
    app.clock.set(now);
  });

  it('runs when the application ends', async () => {
    const first = await proposed();
    const second = await scheduled();
    const ids = [first.applicationId, second.applicationId];
    const end = () =>
      app.db
        .transaction()
        .execute((tx) =>
          endInterviewsOf(tx, app.scopeOf(owner), ids, { by: owner.accountId, reason: 'Filled.' }),
        );
    await end();
    await end();
    for (const { worker, interview } of [first, second]) {
      const workerView = await worker.api.interviews.get({ interviewId: interview.id });
      expect(workerView).toMatchObject({ status: 'cancelled', slots: [], answerBy: null });
      expect(workerView.steps.at(-1)).toMatchObject({ action: 'cancel', by: 'business', reason: 'Filled.' });
      expect((await noticesOf(worker)).filter(({ topic }) => topic === 'interview-cancelled')).toHaveLength(
        1,
      );
    }
    const ended = ['interview-cancelled', first.interview.id, second.interview.id];
    expect(
      (await noticesOf(manager)).filter(
        ({ topic, path }) => topic === ended[0] && ended.some((id) => path.endsWith(id)),
      ),
    ).toHaveLength(2);
  });
});
