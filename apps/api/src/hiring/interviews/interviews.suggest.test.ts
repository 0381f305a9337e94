import { addMs, dayMs } from '@nearhand/contract/durations';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { limits } from '@nearhand/contract/limits';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hoursAhead, makeInterview } from './interviews.fixtures.ts';
import { lapseInterview } from './interviews.ts';

const app = useTestApp();
let owner: Person;
let finance: Person;
let jobId: string;
beforeAll(async () => {
  [owner, finance] = await Promise.all([app.person({ name: 'Nadia Berg' }), app.person()]);
  const business = await makeBusiness(app.db, app.scopeOf(owner));
  await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
  const startsAt = addMs(app.clock.now(), 20 * dayMs);
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, {
    headCount: 20,
    startsAt: startsAt.toISOString(),
    endsAt: addMs(startsAt, dayMs / 4).toISOString(),
  });
  jobId = job.id;
});

const at = (hours: number) => hoursAhead(app, hours);
const refOf = ({ id, version }: Interview) => ({ interviewId: id, version });
const timesOf = ({ slots }: Interview) => slots.map(({ startsAt }) => startsAt);
const proposed = async () => {
  const worker = await app.person({ name: 'Leila Haddad' });
  const { id } = await makeApplication(app.db, app.scopeOf(worker), jobId);
  return { worker, interview: await makeInterview(app.db, app.scopeOf(owner), id) };
};
const suggested = async () => {
  const { worker, interview } = await proposed();
  const slots = [at(50), at(26)];
  const answer = await worker.api.interviews.suggest({
    ...refOf(interview),
    slots,
    note: 'I work until noon.',
    timeZone: 'Europe/Lisbon',
  });
  return { worker, before: interview, interview: answer };
};
const groupsOf = async (person: Person, of: { businessId?: string }, id: string) => {
  const groups = ['to_answer', 'upcoming', 'past'] as const;
  const lists = await Promise.all(groups.map((group) => person.api.interviews.mine({ ...of, group })));
  return groups.filter((_, n) => lists[n]?.items.some((interview) => interview.id === id));
};
const noticesOf = async (person: Person, interviewId: string) =>
  (await person.api.notifications.list({ limit: 100 })).items.filter(
    ({ topic, path }) => topic.startsWith('interview-') && path?.endsWith(interviewId),
  );

describe('interviews.suggest', () => {
  it("replaces the proposed times with the worker's, and the business picks one", async () => {
    const { worker, interview } = await suggested();
    expect(interview).toMatchObject({
      side: 'worker',
      status: 'proposed',
      awaits: 'business',
      answerBy: at(48),
      startsAt: null,
      zones: { worker: 'Europe/Lisbon' },
      actions: ['pick', 'cancel'],
    });
    expect(timesOf(interview)).toEqual([at(26), at(50)]);
    const view = await owner.api.interviews.get({ interviewId: interview.id });
    expect(view.actions).toEqual(['pick', 'suggest', 'cancel']);
    expect(view.steps.at(-1)).toMatchObject({
      action: 'suggest',
      by: 'worker',
      reason: 'I work until noon.',
    });
    const scheduled = await owner.api.interviews.pick({
      ...refOf(view),
      slotId: view.slots[1]?.id ?? '',
    });
    expect(scheduled).toMatchObject({ status: 'scheduled', startsAt: at(50), awaits: null, slots: [] });
    expect((await noticesOf(worker, interview.id)).map(({ topic }) => topic)).toContain(
      'interview-scheduled',
    );
  });

  it('leaves the suggesting side the times it was offered, until the other side answers', async () => {
    const { worker, before, interview } = await suggested();
    expect(interview.earlierSlots).toEqual(before.slots);
    const slotId = before.slots[0]?.id ?? '';
    expect((await owner.api.interviews.get({ interviewId: interview.id })).earlierSlots).toEqual([]);
    expect(await failure(owner.api.interviews.pick({ ...refOf(interview), slotId }))).toMatchObject({
      code: 'interview/slot-not-found',
    });
    const own = { ...refOf(interview), slotId: interview.slots[0]?.id ?? '' };
    expect(await failure(worker.api.interviews.pick(own))).toMatchObject({
      code: 'interview/slot-not-found',
    });
    const scheduled = await worker.api.interviews.pick({ ...refOf(interview), slotId });
    expect(scheduled).toMatchObject({
      status: 'scheduled',
      startsAt: before.slots[0]?.startsAt,
      earlierSlots: [],
    });
  });

  it('notifies the other side in its list, its notices and the conversation', async () => {
    const { worker, before, interview } = await suggested();
    const { businessId } = await app.db
      .selectFrom('interviews')
      .select('businessId')
      .where('id', '=', interview.id)
      .executeTakeFirstOrThrow();
    expect(await groupsOf(worker, {}, interview.id)).toEqual(['upcoming']);
    expect(await groupsOf(owner, { businessId }, interview.id)).toEqual(['to_answer']);
    const [applicant] = (await owner.api.applicants.ofJob({ jobId, limit: 50 })).items.filter(
      ({ id }) => id === interview.applicationId,
    );
    expect(applicant?.interview).toMatchObject({ status: 'proposed', awaits: 'business' });
    expect((await noticesOf(owner, interview.id))[0]).toMatchObject({
      topic: 'interview-times-suggested',
      waiting: true,
      data: { by: at(48), count: 2, reason: 'I work until noon.', side: 'business' },
    });
    // The proposal is answered, so its notice requests nothing anymore.
    expect(await noticesOf(worker, interview.id)).toMatchObject([
      { topic: 'interview-proposed', waiting: false },
    ]);
    const { rows } = await sql<{ line: string; by: string }>`
      select line, line_data->>'by' as by from messages where line_data->>'interviewId' = ${interview.id} order by seq`.execute(
      app.db,
    );
    expect(rows).toEqual([
      { line: 'interview-proposed', by: null },
      { line: 'interview-times-suggested', by: 'worker' },
    ]);

    const answer = await owner.api.interviews.suggest({ ...refOf(interview), slots: [at(30)] });
    expect([answer.awaits, timesOf(answer)]).toEqual(['worker', [at(30)]]);
    expect(await groupsOf(worker, {}, interview.id)).toEqual(['to_answer']);
    expect((await worker.api.applications.mine({ group: 'live' })).items[0]?.interview).toMatchObject({
      awaits: 'worker',
    });
    expect(await noticesOf(worker, interview.id)).toMatchObject([
      { topic: 'interview-times-suggested', waiting: true },
      { topic: 'interview-proposed', waiting: false },
    ]);
    expect((await noticesOf(owner, interview.id))[0]).toMatchObject({ waiting: false });
    expect(before.version + 2).toBe(answer.version);
  });

  it('rejects times that are past, repeated, already proposed, too late or after the work starts', async () => {
    const { worker, interview } = await proposed();
    const suggest = (slots: string[], more: object = {}) =>
      failure(worker.api.interviews.suggest({ ...refOf(interview), slots, ...more }));
    for (const [slots, code] of [
      [[at(-1)], 'interview/slot-in-past'],
      [[at(3), at(3)], 'interview/slots-repeated'],
      [[timesOf(interview)[0] ?? ''], 'interview/slots-repeated'],
      [[at(20 * 24)], 'interview/slot-after-start'],
      [[at(91 * 24)], 'interview/slot-after-start'],
    ] as const)
      expect(await suggest([...slots]), code).toMatchObject({ status: 422, code });
    for (const slots of [[], ['soon'], [1, 2, 3, 4, 5, 6].map(at)])
      expect(await suggest(slots)).toMatchObject({ status: 400, code: 'request/invalid' });
    for (const more of [{ timeZone: 'Mars/Base' }, { note: 'x'.repeat(limits.reasonMax + 1) }])
      expect(await suggest([at(3)], more)).toMatchObject({ status: 400, code: 'request/invalid' });
    expect((await worker.api.interviews.get({ interviewId: interview.id })).version).toBe(interview.version);
  });

  it('allows only the side whose turn it is, once per key', async () => {
    const { worker, interview } = await proposed();
    const input = { ...refOf(interview), slots: [at(9)] };
    expect(await failure(owner.api.interviews.suggest(input))).toMatchObject({
      status: 409,
      code: 'interview/wrong-state',
    });
    expect(await failure(finance.api.interviews.suggest(input))).toMatchObject({ status: 404 });
    const same = app.apiAs(worker.token, { 'idempotency-key': crypto.randomUUID() });
    const first = await same.interviews.suggest(input);
    const second = await same.interviews.suggest(input);
    expect(second).toEqual(first);
    expect(await failure(worker.api.interviews.suggest(input))).toMatchObject({
      status: 409,
      code: 'interview/stale',
    });
    expect(await failure(worker.api.interviews.suggest({ ...refOf(first), slots: [at(10)] }))).toMatchObject({
      status: 409,
      code: 'interview/wrong-state',
    });
  });

  it('ends after two replies from each side: then one picks or cancels', async () => {
    const { worker, interview } = await proposed();
    let last = interview;
    for (let n = 0; n < hiringLimits.interviewSuggestionsMax; n += 1) {
      const { api } = n % 2 === 0 ? worker : owner;
      last = await api.interviews.suggest({ ...refOf(last), slots: [at(5 + n)] });
    }
    expect((await worker.api.interviews.get({ interviewId: last.id })).actions).toEqual(['pick', 'cancel']);
    expect(await failure(worker.api.interviews.suggest({ ...refOf(last), slots: [at(20)] }))).toMatchObject({
      status: 422,
      code: 'interview/suggestion-limit',
    });
  });

  it('lapses at its own deadline, not that of the first proposal', async () => {
    const { worker, before, interview } = await suggested();
    const runIt = () =>
      lapseInterview({ ...app.scopeOf(worker), db: app.db, mailer: { send: async () => {} } }, interview.id);
    const statusNow = async () => (await worker.api.interviews.get({ interviewId: interview.id })).status;
    expect(Date.parse(interview.answerBy ?? '')).toBeLessThan(Date.parse(before.answerBy ?? ''));
    await runIt();
    expect(await statusNow()).toBe('proposed');
    app.clock.set(new Date(interview.answerBy ?? ''));
    await runIt();
    expect(await statusNow()).toBe('lapsed');
  });
});
