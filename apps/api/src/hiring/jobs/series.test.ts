import { sumOf } from '@nearhand/contract/arithmetic';
import { dayMs } from '@nearhand/contract/durations';
import { decideByAt } from '@nearhand/contract/hiring/decide-by.rules';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { NearbySort } from '@nearhand/contract/hiring/nearby';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { fundBusiness } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { hire } from '../offers/offers.fixtures.ts';
import { townJobs } from '../public-pages/public-pages.ts';
import { searchInput } from '../saved-searches/saved-searches.fixtures.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '2' });

const hoursIn = (days: number) => {
  const startsAt = Math.ceil(app.clock.now().getTime() / dayMs + days) * dayMs;
  return { startsAt: new Date(startsAt).toISOString(), endsAt: new Date(startsAt + dayMs / 4).toISOString() };
};

/** Five shifts starting at `startsAt`, posted together at a separate place. */
async function week(lat: number, questions: JobDraft['questions'] = [], daysAhead = 0, funded = true) {
  const nadia = await app.person({ name: 'Nadia' });
  const scope = app.scopeOf(nadia);
  const business = await makeBusiness(app.db, scope, { name: 'Zilverlinde', lat, lng: 4.9, funded });
  const draft = await makeJob(app.db, scope, business.id, {
    status: 'draft',
    title: 'Morning barista',
    questions,
    ...(daysAhead > 0 ? hoursIn(daysAhead) : {}),
  });
  const dayAfter = (days: number) =>
    new Date(Date.parse(draft.startsAt ?? '') + days * dayMs).toISOString().slice(0, 10);
  const job = await nadia.api.jobs.publish({ jobId: draft.id, alsoOn: [1, 2, 3, 4].map(dayAfter) });
  const search = (change: { from?: string; sort?: NearbySort } = {}) =>
    nadia.api.nearby.search({ lat, lng: 4.9, radiusKm: 2, widen: 'false', ...change });
  return { nadia, business, job, dayAfter, search };
}

describe('a series', () => {
  it('groups jobs posted together, each with the dates of all', async () => {
    const { nadia, job, dayAfter } = await week(52.1);
    expect(job.series).toMatchObject({ shifts: 5 });
    expect(job.series?.lastStartsAt.slice(0, 10)).toBe(dayAfter(4));
    expect(job.dates.map(({ startsAt }) => startsAt.slice(0, 10))).toEqual([0, 1, 2, 3, 4].map(dayAfter));
    expect(job.dates[0]).toMatchObject({ jobId: job.id, pay: job.pay, myApplication: null, booked: null });
    const last = job.dates[4]?.jobId ?? '';
    expect((await nadia.api.jobs.get({ jobId: last })).dates).toEqual(job.dates);
    await nadia.api.jobs.close({ jobId: last });
    const { series, dates } = await nadia.api.jobs.get({ jobId: job.id });
    expect([series?.shifts, dates.length]).toEqual([4, 4]);
    expect(await nadia.api.jobs.duplicate({ jobId: job.id })).toMatchObject({ series: null, dates: [] });
  });

  it('is posted once by two managers at the same time', async () => {
    const { nadia, business, dayAfter } = await week(52.12);
    const joris = await app.person({ name: 'Joris' });
    await makeMember(app.db, app.clock, business.id, joris.accountId);
    const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), business.id, {
      status: 'draft',
      ...hoursIn(8),
    });
    await Promise.allSettled([
      nadia.api.jobs.publish({ jobId, alsoOn: [dayAfter(12), dayAfter(13)] }),
      joris.api.jobs.publish({ jobId, alsoOn: [dayAfter(12), dayAfter(14)] }),
    ]);
    expect((await nadia.api.jobs.get({ jobId })).dates).toHaveLength(3);
  });

  it('has the range of its pay on cards and in lists', async () => {
    const { nadia, business, job } = await week(52.15);
    const minMinor = job.pay.minor;
    const maxMinor = minMinor + 100;
    expect(job.series?.payRange).toBeNull();
    const { jobId } = job.dates[3] ?? { jobId: '' };
    const { version } = await nadia.api.jobs.get({ jobId });
    await nadia.api.jobs.update({ jobId, version, payMinor: maxMinor });
    const payRange = { minMinor, maxMinor };
    expect((await nadia.api.jobs.get({ jobId: job.id })).series).toMatchObject({ payRange });
    const { items } = await nadia.api.jobs.listed({ businessId: business.id, grouped: 'true' });
    expect(items[0]?.seriesTotals).toMatchObject({ payRange });
  });

  it('shows on each date whether the viewer applied and their other work', async () => {
    const { job } = await week(52.2);
    const leila = await app.person({ name: 'Leila' });
    const second = job.dates[1]?.jobId ?? '';
    const { id } = await leila.api.applications.submit({ jobId: second });
    const { dates } = await leila.api.jobs.get({ jobId: job.id });
    expect(dates.map(({ myApplication }) => myApplication?.id ?? null)).toEqual([null, id, null, null, null]);
  });

  it('appears once in searches around a place, by its first matching date', async () => {
    const { nadia, business, job, dayAfter, search } = await week(52.3);
    const single = await makeJob(app.db, app.scopeOf(nadia), business.id, { title: 'Evening' });
    const { items } = await search();
    expect(items.map(({ id, series }) => [id, series?.shifts])).toEqual([
      [job.id, 5],
      [single.id, undefined],
    ]);
    const third = await search({ from: dayAfter(2) });
    expect(third.items.map(({ id }) => id)).toEqual([job.dates[2]?.jobId]);
    for (const sort of ['best', 'newest', 'pay', 'soonest'] as const)
      expect((await search({ sort })).items.length, sort).toBe(2);
    expect(await nadia.api.nearby.count({ lat: 52.3, lng: 4.9, radiusKm: 2 })).toEqual({
      count: 2,
      more: false,
    });
    const similarTo = async (jobId: string) =>
      (await nadia.api.jobs.similar({ jobId }))
        .filter(({ business: { id } }) => id === business.id)
        .map(({ id }) => id);
    expect(await similarTo(single.id)).toEqual([job.id]);
    expect(await similarTo(job.id)).toEqual([single.id]);
  });

  it.each(['newest', 'soonest', 'start', 'title', 'gap', 'branch'] as const)(
    'is one row in the job list, sorted by %s, that expands to its dates',
    async (sort) => {
      const { nadia, business, job, dayAfter } = await week(52.31);
      const single = await makeJob(app.db, app.scopeOf(nadia), business.id, { title: 'Evening' });
      const leila = await app.person({ name: 'Leila' });
      const [, second = '', third = ''] = job.dates.map(({ jobId }) => jobId);
      await leila.api.applications.submit({ jobId: second, alsoFor: [third] });
      await nadia.api.jobs.pause({ jobId: job.dates[4]?.jobId ?? '' });
      const list = { businessId: business.id, sort };
      const first = await nadia.api.jobs.listed({ ...list, grouped: 'true', limit: 1 });
      const rest = await nadia.api.jobs.listed({
        ...list,
        grouped: 'true',
        limit: 1,
        cursor: first.nextCursor ?? '',
      });
      const rows = [...first.items, ...rest.items];
      expect([rows.length, rest.nextCursor]).toEqual([2, null]);
      expect(rows.find(({ id }) => id === single.id)?.seriesTotals).toBeNull();
      const row = rows.find(({ seriesTotals }) => seriesTotals !== null);
      expect(row?.seriesTotals).toEqual({
        seriesId: job.id,
        shifts: 5,
        firstStartsAt: job.startsAt,
        lastStartsAt: expect.stringContaining(dayAfter(4)),
        payRange: null,
        sameHours: true,
        headCount: 5 * job.headCount,
        hired: 0,
        offered: 0,
        applicants: 1,
        newApplicants: 1,
        standings: { open: 4, paused: 1 },
      });
      const open = await nadia.api.jobs.listed({ ...list, grouped: 'true', status: 'open' });
      expect(open.items.find(({ seriesTotals }) => seriesTotals)?.seriesTotals).toMatchObject({ shifts: 4 });
      expect(open.items).toHaveLength(2);
      expect([open.counts, open.total]).toEqual([{ open: 5, paused: 1 }, 6]);
      const ungrouped = await nadia.api.jobs.listed(list);
      expect([ungrouped.counts, ungrouped.total]).toEqual([{ open: 5, paused: 1 }, 6]);
      const dates = await nadia.api.jobs.listed({ ...list, seriesId: job.id });
      expect(dates.items.map(({ seriesTotals }) => seriesTotals)).toEqual([null, null, null, null, null]);
      expect((await nadia.api.jobs.listed(list)).items).toHaveLength(6);
    },
  );

  it('counts as one job', async () => {
    const { nadia, business, dayAfter } = await week(52.33);
    for (let nth = 0; nth < 2; nth += 1) {
      const { id: jobId } = await makeJob(app.db, app.scopeOf(nadia), business.id, {
        status: 'draft',
      });
      await nadia.api.jobs.publish({
        jobId,
        alsoOn: Array.from({ length: 55 }, (_, day) => dayAfter(day + 1)),
      });
    }
    expect(await nadia.api.nearby.count({ lat: 52.33, lng: 4.9, radiusKm: 2 })).toEqual({
      count: 3,
      more: false,
    });
  });

  it('appears once in public lists', async () => {
    const { job } = await week(52.35);
    const { townSlug } = await app.db
      .selectFrom('jobs')
      .select('townSlug')
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow();
    const townCards = (await townJobs(app.db, townSlug, null))?.jobs.filter(
      ({ title }) => title === job.title,
    );
    const ids = townCards?.map(({ id }) => id) ?? [];
    expect(ids).toContain(job.id);
    expect(ids).not.toContain(job.dates[1]?.jobId);
  });

  it('is one result of a saved search, with the page of its first date', async () => {
    const worker = await app.person();
    await worker.api.savedSearches.create(searchInput({ lat: 52.5, lng: 4.9 }));
    const { job } = await week(52.5);
    await app.runDue();
    app.clock.forward({ minutes: 5 });
    await app.runDue();
    const news = (await worker.api.notifications.list({})).items.filter(
      ({ topic }) => topic === 'search-matched',
    );
    expect(news.map(({ path, data }) => [path, data.count])).toEqual([[`/job-desc/${job.id}`, 1]]);
  });
});

describe('applications.submit for shifts of a series', () => {
  const noticesOf = async (person: Person, topic: string) =>
    (await person.api.notifications.list({})).items.filter((notice) => notice.topic === topic);

  it('applies for all at once, with one conversation, one notice and one deadline', async () => {
    const { nadia, job } = await week(52.6);
    const leila = await app.person({ name: 'Leila' });
    const [first, , third, fourth] = job.dates.map(({ jobId }) => jobId) as [string, string, string, string];
    const sent = await leila.api.applications.submit({
      jobId: first,
      alsoFor: [fourth, third],
      coverNote: 'Hello',
    });
    expect(sent.job).toMatchObject({ id: first, seriesId: job.seriesId });
    const { items } = await leila.api.applications.mine({});
    expect(items.map(({ job }) => job.id).toSorted()).toEqual([first, third, fourth].toSorted());
    expect(items.map(({ coverNote, decideBy }) => [coverNote, decideBy])).toEqual(
      items.map(() => ['Hello', due(job)]),
    );
    expect(await noticesOf(nadia, 'application-received')).toMatchObject([{ data: { count: 3 } }]);
    const conversations = (await leila.api.conversations.list({})).items;
    expect(conversations.map((conversation) => conversation.job.id)).toEqual([first]);
    const opened = await nadia.api.conversations.open({ jobId: third, workerId: leila.accountId });
    expect(opened.id).toBe(conversations[0]?.id);
    const ofThird = await nadia.api.conversations.list({ businessId: sent.job.business.id, jobId: third });
    expect(ofThird.items.map(({ id }) => id)).toEqual([opened.id]);
  });

  it("copies the answers to each shift's questions and rejects shifts that differ", async () => {
    const { nadia, business, job } = await week(52.65, [
      { prompt: 'Bicycle?', kind: 'yes_no', choices: [], required: true },
    ]);
    const leila = await app.person({ name: 'Leila' });
    const [first, second, third] = job.dates.map(({ jobId }) => jobId) as [string, string, string];
    const answers = [{ questionId: job.questions[0]?.id ?? '', value: true }];
    const otherJob = await makeJob(app.db, app.scopeOf(nadia), business.id);
    const { version } = await nadia.api.jobs.get({ jobId: third });
    await nadia.api.jobs.update({
      jobId: third,
      version,
      questions: [{ prompt: 'Car?', kind: 'yes_no', choices: [], required: true }],
    });
    const apply = (alsoFor: string[]) => leila.api.applications.submit({ jobId: first, answers, alsoFor });
    for (const alsoFor of [[otherJob.id], [third], [first]])
      expect(await failure(apply(alsoFor))).toMatchObject({ status: 409, code: 'application/date-differs' });
    expect(await failure(apply([second, second]))).toMatchObject({ code: 'request/invalid' });
    expect((await leila.api.applications.mine({})).items).toEqual([]);
    await apply([second]);
    const { items } = await leila.api.applications.mine({});
    for (const { job, answers } of items)
      expect(answers).toEqual([{ questionId: job.questions[0]?.id, value: true }]);
    expect(items).toHaveLength(2);
  });

  it("accepts answers to the questions on another date's page", async () => {
    const { nadia, business, job } = await week(52.68, [
      { prompt: 'Bicycle?', kind: 'yes_no', choices: [], required: true },
    ]);
    const leila = await app.person({ name: 'Leila' });
    const [first, second, third] = job.dates.map(({ jobId }) => jobId) as [string, string, string];
    const questionId = (await leila.api.jobs.get({ jobId: third })).questions[0]?.id ?? '';
    const apply = (answeredJobId: string, value: boolean | string = true) =>
      leila.api.applications.submit({
        jobId: first,
        alsoFor: [second],
        answeredJobId,
        answers: [{ questionId, value }],
      });
    const otherJob = await makeJob(app.db, app.scopeOf(nadia), business.id);
    expect(await failure(apply(otherJob.id))).toMatchObject({ code: 'application/date-differs' });
    expect(await failure(apply(third, 'maybe'))).toMatchObject({
      code: 'application/answers-invalid',
      data: { issues: [{ questionId, problem: 'wrong-kind' }] },
    });
    await apply(third);
    const { items } = await leila.api.applications.mine({});
    expect(items.map(({ job }) => job.id).toSorted()).toEqual([first, second].toSorted());
    for (const { job, answers } of items)
      expect(answers).toEqual([{ questionId: job.questions[0]?.id, value: true }]);
    const fourth = job.dates[3]?.jobId ?? '';
    await leila.api.applications.submit({
      jobId: fourth,
      answeredJobId: third,
      answers: [{ questionId, value: false }],
    });
  });

  it('applies for none if one overlaps a booking, and names that date', async () => {
    const { nadia, job } = await week(52.7);
    const ahmed = await app.person({ name: 'Ahmed' });
    const elsewhere = await week(52.75);
    const booked = elsewhere.job.dates[1]?.jobId ?? '';
    const { id } = await ahmed.api.applications.submit({ jobId: booked });
    await hire(app.db, { recruiter: app.scopeOf(elsewhere.nadia), worker: app.scopeOf(ahmed) }, id);
    const { dates } = await ahmed.api.jobs.get({ jobId: job.id });
    expect(dates.map((date) => date.booked?.title ?? null)).toEqual([
      null,
      'Morning barista',
      null,
      null,
      null,
    ]);
    const alsoFor = dates.slice(1).map(({ jobId }) => jobId);
    expect(await failure(ahmed.api.applications.submit({ jobId: job.id, alsoFor }))).toMatchObject({
      code: 'engagement/overlap',
    });
    expect(await noticesOf(nadia, 'application-received')).toEqual([]);
  });

  it('applies for all or none while someone accepts the last spot of one', async () => {
    const { nadia, job } = await week(52.72);
    await nadia.api.jobs.update({ jobId: job.id, version: job.version, reach: 'all', headCount: 1 });
    const [leila, sam] = [await app.person({ name: 'Leila' }), await app.person({ name: 'Sam' })];
    const [first = '', second = '', third = ''] = job.dates.map(({ jobId }) => jobId);
    const { id: applicationId } = await sam.api.applications.submit({ jobId: second });
    const offer = await nadia.api.offers.make({ applicationId });
    const [accepted, applied] = await Promise.allSettled([
      sam.api.offers.accept({ offerId: offer.id, version: offer.version }),
      leila.api.applications.submit({ jobId: first, alsoFor: [second, third] }),
    ]);
    expect(accepted.status).toBe('fulfilled');
    if (applied.status === 'rejected')
      expect(await failure(Promise.reject(applied.reason))).toMatchObject({ code: 'job/filled' });
    await app.runDue();
    const { items } = await leila.api.applications.mine({});
    const statuses = items.map(({ job: { id }, status }) => [id, status]);
    expect(new Map(statuses as [string, string][])).toEqual(
      new Map(
        applied.status === 'rejected'
          ? []
          : [
              [first, 'submitted'],
              [second, 'position_filled'],
              [third, 'submitted'],
            ],
      ),
    );
  });

  it('counts once towards the daily limit, and several decisions send one notice', async () => {
    const { nadia, business, job } = await week(52.8);
    const leila = await app.person({ name: 'Leila' });
    const [first = '', ...alsoFor] = job.dates.map(({ jobId }) => jobId);
    await leila.api.applications.submit({ jobId: first, alsoFor });
    const next = await makeJob(app.db, app.scopeOf(nadia), business.id);
    const last = await makeJob(app.db, app.scopeOf(nadia), business.id);
    await leila.api.applications.submit({ jobId: next.id });
    expect(await failure(leila.api.applications.submit({ jobId: last.id }))).toMatchObject({
      code: 'application/daily-limit',
    });
    const { items } = await leila.api.applications.mine({});
    const ofSeries = items.filter((item) => item.job.id !== next.id);
    expect((await nadia.api.applicants.view({ applicationId: ofSeries[0]?.id ?? '' })).seriesId).toBe(job.id);
    expect((await leila.api.applications.mine({})).items.filter(({ viewedAt }) => viewedAt)).toHaveLength(5);
    await nadia.api.applicants.bulk({
      businessId: business.id,
      action: 'shortlist',
      items: ofSeries.map(({ id }) => ({ applicationId: id })),
    });
    for (const topic of ['application-viewed', 'application-shortlisted'])
      expect(await noticesOf(leila, topic), topic).toHaveLength(1);
  });
});

async function linesOf(person: Person) {
  const { items } = await person.api.conversations.list({});
  expect(items).toHaveLength(1);
  const page = await person.api.conversations.messages({ conversationId: items[0]?.id ?? '' });
  return page.items.flatMap(({ system }) => system ?? []);
}

it('applications for a series are withdrawn at once, all or none, with one notice and one line', async () => {
  const { nadia, job } = await week(53.4);
  const leila = await app.person({ name: 'Leila' });
  const [first = '', ...others] = job.dates.map(({ jobId }) => jobId);
  const application = await leila.api.applications.submit({ jobId: first, alsoFor: others });
  const { items } = await leila.api.applications.mine({});
  const alsoFor = items.map(({ id }) => id).filter((id) => id !== application.id);
  const single = await makeJob(app.db, app.scopeOf(nadia), (await nadia.api.businesses.mine())[0]?.id ?? '');
  const elsewhere = await leila.api.applications.submit({ jobId: single.id });
  const withdraw = (more: string[], by = leila) =>
    by.api.applications.withdraw({ applicationId: application.id, alsoFor: more });
  expect(await failure(withdraw([...alsoFor, elsewhere.id]))).toMatchObject({
    code: 'application/date-differs',
  });
  expect(await failure(withdraw(alsoFor, await app.person()))).toMatchObject({
    code: 'application/not-found',
  });
  expect((await leila.api.applications.mine({ group: 'live' })).items).toHaveLength(6);
  await withdraw(alsoFor);
  await withdraw(alsoFor);
  expect((await leila.api.applications.mine({ group: 'live' })).items).toHaveLength(1);
  const notices = (await nadia.api.notifications.list({})).items;
  expect(notices.filter(({ topic }) => topic === 'application-withdrawn')).toHaveLength(1);
  const { items: conversations } = await leila.api.conversations.list({});
  const ofSeries = conversations.find(({ job }) => job.id !== single.id);
  const page = await leila.api.conversations.messages({ conversationId: ofSeries?.id ?? '' });
  expect(page.items.flatMap(({ system }) => system ?? [])).toMatchObject([
    { line: 'applied', data: { count: 5 } },
    { line: 'application-ended', data: { why: 'withdrawn', count: 5 } },
  ]);
});

it('closes a shift and later ones, except where a worker is hired, with one notice and one line', async () => {
  const { nadia, job } = await week(53.6);
  const leila = await app.person({ name: 'Leila' });
  const ahmed = await app.person({ name: 'Ahmed' });
  const stranger = await app.person();
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = job.dates.map(({ jobId }) => jobId);
  await leila.api.applications.submit({ jobId: first, alsoFor: [second, third, fifth] });
  const { id } = await ahmed.api.applications.submit({ jobId: fourth });
  await hire(app.db, { worker: app.scopeOf(ahmed), recruiter: app.scopeOf(nadia) }, id);
  const close = (by = nadia) => by.api.jobs.close({ jobId: second, following: true });
  expect(await failure(close(stranger))).toMatchObject({ status: 403, code: 'job/not-allowed' });
  expect(await close()).toMatchObject({ id: second, status: 'closed' });
  await close();
  await app.runDue();
  const statuses = [];
  for (const jobId of [first, second, third, fourth, fifth])
    statuses.push((await nadia.api.jobs.get({ jobId })).status);
  expect(statuses).toEqual(['open', 'closed', 'closed', expect.not.stringMatching('closed'), 'closed']);
  const notices = (await leila.api.notifications.list({})).items;
  expect(notices.filter(({ topic }) => topic === 'application-job-closed')).toHaveLength(1);
  expect((await linesOf(leila)).at(-1)).toMatchObject({
    line: 'application-ended',
    data: { why: 'job-closed', count: 3 },
  });
  expect((await leila.api.applications.mine({ group: 'live' })).items).toHaveLength(1);
});

it('a rejection for a series is one line in the chat', async () => {
  const { nadia, business, job } = await week(53.5);
  const leila = await app.person({ name: 'Leila' });
  const [first = '', ...alsoFor] = job.dates.map(({ jobId }) => jobId);
  await leila.api.applications.submit({ jobId: first, alsoFor });
  const { items } = await nadia.api.applicants.ofBusiness({ businessId: business.id });
  await nadia.api.applicants.bulk({
    businessId: business.id,
    action: 'reject',
    reason: 'distance',
    items: items.map(({ id }) => ({ applicationId: id })),
  });
  expect(await linesOf(leila)).toMatchObject([
    { line: 'applied' },
    { line: 'application-ended', data: { why: 'rejected', count: 5 } },
  ]);
});

describe('an offer for shifts of a series', () => {
  const noticesOf = async (person: Person, topic: string) =>
    (await person.api.notifications.list({})).items.filter((notice) => notice.topic === topic);

  async function applied(lat: number, funded = true) {
    const posted = await week(lat, [], 0, funded);
    const leila = await app.person({ name: 'Leila' });
    const [first = '', ...alsoFor] = posted.job.dates.map(({ jobId }) => jobId);
    await leila.api.applications.submit({ jobId: first, alsoFor });
    const { items } = await leila.api.applications.mine({});
    const inOrder = items.toSorted((a, b) => ((a.job.startsAt ?? '') < (b.job.startsAt ?? '') ? -1 : 1));
    return { ...posted, leila, applicationIds: inOrder.map(({ id }) => id) };
  }

  it('is made and accepted for the selected dates at once, with one notice each', async () => {
    const { nadia, business, leila, applicationIds } = await applied(53.1);
    // The offer named first leads, though another application has the lowest id.
    const [first = '', ...alsoFor] = applicationIds.slice(0, 3).toSorted().toReversed();
    const offer = await nadia.api.offers.make({ applicationId: first, alsoFor });
    const { items } = await leila.api.offers.mine({ group: 'live' });
    expect(items.map(({ seriesId }) => seriesId)).toEqual([offer.seriesId, offer.seriesId, offer.seriesId]);
    const amountMinor = sumOf(items, ({ terms }) => terms.workerGetsMinor);
    expect(await noticesOf(leila, 'offer-received')).toMatchObject([
      { path: expect.stringContaining(first), data: { count: 3, amountMinor } },
    ]);
    const refs = items.map(({ id, version }) => ({ offerId: id, version }));
    const [one, ...others] = refs as [(typeof refs)[number], ...typeof refs];
    expect(await failure(leila.api.offers.accept({ ...one, alsoFor: [one] }))).toMatchObject({
      code: 'offer/shift-differs',
    });
    const stale = others.map((ref) => ({ ...ref, version: ref.version + 1 }));
    expect(await failure(leila.api.offers.accept({ ...one, alsoFor: stale }))).toMatchObject({
      code: 'offer/stale',
    });
    expect((await leila.api.offers.mine({ group: 'live' })).items).toHaveLength(3);
    await leila.api.offers.accept({ ...one, alsoFor: others });
    expect((await leila.api.offers.mine({ group: 'ended' })).items.map(({ status }) => status)).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
    for (const person of [leila, nadia])
      expect(await noticesOf(person, 'offer-accepted')).toMatchObject([{ data: { count: 3 } }]);
    await leila.api.offers.accept({ ...one, alsoFor: others });
    expect(await noticesOf(nadia, 'offer-accepted')).toHaveLength(1);
    const stages = (await nadia.api.applicants.ofBusiness({ businessId: business.id })).items.map(
      ({ stage }) => stage,
    );
    expect(stages.toSorted()).toEqual(['hired', 'hired', 'hired', 'new', 'new']);
  });

  it('is declined for the selected dates at once, with one notice and one line in the chat', async () => {
    const { nadia, leila, applicationIds } = await applied(53.05);
    const [first = '', ...alsoFor] = applicationIds.slice(0, 3);
    await nadia.api.offers.make({ applicationId: first, alsoFor });
    const { items } = await leila.api.offers.mine({ group: 'live' });
    const [one, ...others] = items.map(({ id, version }) => ({ offerId: id, version }));
    if (!one) throw new Error('an offer was made');
    const stranger = await app.person();
    expect(await failure(stranger.api.offers.decline({ ...one, alsoFor: others }))).toMatchObject({
      code: 'offer/not-found',
    });
    const stale = others.map((ref) => ({ ...ref, version: ref.version + 1 }));
    expect(await failure(leila.api.offers.decline({ ...one, alsoFor: stale }))).toMatchObject({
      code: 'offer/stale',
    });
    await leila.api.offers.decline({ ...one, alsoFor: others, reason: 'Ill' });
    await leila.api.offers.decline({ ...one, alsoFor: others, reason: 'Ill' });
    const ended = (await leila.api.offers.mine({ group: 'ended' })).items;
    expect(ended.map(({ status }) => status)).toEqual(['declined', 'declined', 'declined']);
    expect(await noticesOf(nadia, 'offer-declined')).toMatchObject([{ data: { count: 3, reason: 'Ill' } }]);
    expect(await linesOf(leila)).toMatchObject([
      { line: 'applied', data: { count: 5 } },
      { line: 'offer-sent', data: { count: 3 } },
      { line: 'offer-declined', data: { count: 3 } },
    ]);
  });

  it('is withdrawn for the selected dates at once, with one notice and one line, and returns their money', async () => {
    const { nadia, business, leila, applicationIds } = await applied(53.08);
    const [first = '', ...alsoFor] = applicationIds.slice(0, 3);
    const { terms } = await nadia.api.offers.make({ applicationId: first, alsoFor });
    expect((await nadia.api.applicants.get({ applicationId: first })).shiftsApplied).toBe(5);
    const { items } = await leila.api.offers.mine({ group: 'live' });
    const [firstOffer, secondOffer, thirdOffer] = items.map(({ id, version }) => ({ offerId: id, version }));
    if (!firstOffer || !secondOffer || !thirdOffer) throw new Error('three offers were made');
    const withdraw = (others: (typeof firstOffer)[], by = nadia) =>
      by.api.offers.withdraw({ ...firstOffer, alsoFor: others, keepsApplicant: true });
    expect(await failure(withdraw([secondOffer], leila))).toMatchObject({ code: 'offer/not-allowed' });
    expect(await failure(withdraw([secondOffer], await app.person()))).toMatchObject({
      code: 'offer/not-found',
    });
    expect(await failure(withdraw([firstOffer]))).toMatchObject({ code: 'offer/shift-differs' });
    expect(await failure(withdraw([{ ...secondOffer, version: secondOffer.version + 1 }]))).toMatchObject({
      code: 'offer/stale',
    });
    expect((await leila.api.offers.mine({ group: 'live' })).items).toHaveLength(3);
    for (let times = 0; times < 2; times += 1) await withdraw([secondOffer]);
    expect((await leila.api.offers.mine({ group: 'live' })).items.map(({ id }) => id)).toEqual([
      thirdOffer.offerId,
    ]);
    expect(await noticesOf(leila, 'offer-withdrawn')).toMatchObject([
      { data: { count: 2, variant: 'kept' } },
    ]);
    expect((await linesOf(leila)).at(-1)).toMatchObject({ line: 'offer-ended', data: { count: 2 } });
    const { balances } = await nadia.api.wallet.get({ businessId: business.id });
    expect(balances).toMatchObject([{ holds: 1, heldMinor: terms.holdMinor }]);
  });

  it('is accepted for some dates and declined for others at once, which returns their money', async () => {
    const { nadia, business, leila, applicationIds } = await applied(53.07);
    const [first = '', ...alsoFor] = applicationIds.slice(0, 3);
    const { terms } = await nadia.api.offers.make({ applicationId: first, alsoFor });
    const { items } = await leila.api.offers.mine({ group: 'live' });
    const [firstOffer, secondOffer, thirdOffer] = items.map(({ id, version }) => ({ offerId: id, version }));
    if (!firstOffer || !secondOffer || !thirdOffer) throw new Error('three offers were made');
    const stale = { ...thirdOffer, version: thirdOffer.version + 1 };
    expect(
      await failure(leila.api.offers.accept({ ...firstOffer, alsoFor: [secondOffer], declines: [stale] })),
    ).toMatchObject({ code: 'offer/stale' });
    expect(
      await failure(
        leila.api.offers.accept({ ...firstOffer, alsoFor: [secondOffer], declines: [secondOffer] }),
      ),
    ).toMatchObject({ code: 'offer/shift-differs' });
    for (let times = 0; times < 2; times += 1)
      await leila.api.offers.accept({ ...firstOffer, alsoFor: [secondOffer], declines: [thirdOffer] });
    const ended = (await leila.api.offers.mine({ group: 'ended' })).items;
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['accepted', 'accepted', 'declined']);
    expect(await noticesOf(nadia, 'offer-declined')).toHaveLength(1);
    expect(await noticesOf(nadia, 'offer-accepted')).toMatchObject([{ data: { count: 2 } }]);
    const { balances } = await nadia.api.wallet.get({ businessId: business.id });
    expect(balances).toMatchObject([{ holds: 2, heldMinor: terms.holdMinor * 2 }]);
    const declined = items.find(({ id }) => id === thirdOffer.offerId);
    expect((await linesOf(leila)).slice(2)).toMatchObject([
      { line: 'offer-declined', data: { startsAt: declined?.terms.startsAt } },
      { line: 'offer-accepted', data: { count: 2 } },
      { line: 'hired', data: { count: 2 } },
    ]);
  });

  it('is accepted even though a date to decline was withdrawn in the meantime', async () => {
    const { nadia, leila, applicationIds } = await applied(53.08);
    const [first = '', ...alsoFor] = applicationIds.slice(0, 3);
    await nadia.api.offers.make({ applicationId: first, alsoFor });
    const { items } = await leila.api.offers.mine({ group: 'live' });
    const [firstOffer, secondOffer, thirdOffer] = items.map(({ id, version }) => ({ offerId: id, version }));
    if (!firstOffer || !secondOffer || !thirdOffer) throw new Error('three offers were made');
    await nadia.api.offers.withdraw(secondOffer);
    await leila.api.offers.accept({ ...firstOffer, declines: [secondOffer] });
    await leila.api.offers.decline({ ...thirdOffer, alsoFor: [secondOffer] });
    const ended = (await leila.api.offers.mine({ group: 'ended' })).items;
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['accepted', 'declined', 'withdrawn']);
  });

  it('adds one line to the chat for the reply and one for the booked shifts', async () => {
    const { nadia, leila, applicationIds } = await applied(53.06);
    const [first = '', ...alsoFor] = applicationIds;
    await nadia.api.offers.make({ applicationId: first, alsoFor });
    const { items } = await leila.api.offers.mine({ group: 'live' });
    const [one, ...others] = items.map(({ id, version }) => ({ offerId: id, version }));
    if (!one) throw new Error('an offer was made');
    await leila.api.offers.accept({ ...one, alsoFor: others });
    expect((await linesOf(leila)).slice(2)).toMatchObject([
      { line: 'offer-accepted', data: { count: 5 } },
      { line: 'hired', data: { count: 5 } },
    ]);
  });

  it('is paid from one source', async () => {
    const { nadia, business, leila, applicationIds } = await applied(53.15, false);
    const [first = '', ...alsoFor] = applicationIds;
    const { terms } = await nadia.api.offers.preview({ applicationId: first });
    await fundBusiness(app.db, app.scopeOf(nadia), business.id, {
      amountMinor: terms.holdMinor * 2,
    });
    const offer = await nadia.api.offers.make({ applicationId: first, alsoFor });
    expect(offer.status).toBe('funding');
    expect((await leila.api.offers.mine({ group: 'live' })).items).toEqual([]);
  });

  it('requires one worker and one series, all or none', async () => {
    const { nadia, business, leila, applicationIds } = await applied(53.2);
    const ahmed = await app.person({ name: 'Ahmed' });
    const single = await makeJob(app.db, app.scopeOf(nadia), business.id);
    const [first = '', second = ''] = applicationIds;
    const ofSingle = await leila.api.applications.submit({ jobId: single.id });
    const { jobId } = await nadia.api.applicants.get({ applicationId: second });
    const ofAhmed = await ahmed.api.applications.submit({ jobId });
    const make = (alsoFor: string[]) => nadia.api.offers.make({ applicationId: first, alsoFor });
    for (const other of [ofSingle.id, ofAhmed.id, first])
      expect(await failure(make([other]))).toMatchObject({ status: 409, code: 'offer/shift-differs' });
    await nadia.api.applicants.reject({ applicationId: second, reason: 'distance' });
    expect(await failure(make([second]))).toMatchObject({ code: 'application/wrong-state' });
    expect((await leila.api.offers.mine({ group: 'live' })).items).toEqual([]);
    const elsewhere = await app.person({ name: 'Zoe' });
    expect(
      await failure(elsewhere.api.offers.make({ applicationId: first, alsoFor: [second] })),
    ).toMatchObject({ code: 'application/not-found' });
  });
});

it('an unanswered application for a series nudges once and ends with one notice to each side', async () => {
  const { nadia, job } = await week(53.3, [], 5);
  const leila = await app.person({ name: 'Leila' });
  const [first = '', ...alsoFor] = job.dates.map(({ jobId }) => jobId);
  await leila.api.applications.submit({ jobId: first, alsoFor });
  const topicsOf = async (person: Person) =>
    (await person.api.notifications.list({})).items
      .map(({ topic }) => topic)
      .filter((topic) => topic === 'application-nudge' || topic === 'application-no-response');
  app.clock.forward({ days: 3 });
  await app.runDue();
  expect(await topicsOf(nadia)).toEqual(['application-nudge']);
  app.clock.set(new Date(job.startsAt ?? ''));
  await app.runDue();
  expect(await topicsOf(nadia)).toEqual(['application-no-response', 'application-nudge']);
  expect(await topicsOf(leila)).toEqual(['application-no-response']);
});

/** The deadline of an application sent now. */
const due = ({ startsAt, timeZone }: { startsAt: string | null; timeZone: string }) =>
  decideByAt(app.clock.now(), 14, startsAt === null ? null : new Date(startsAt), timeZone).toISOString();

it('moved hours of one shift move the deadline for all, with one notice when it ends', async () => {
  const { nadia, job } = await week(53.4, [], 5);
  const leila = await app.person({ name: 'Leila' });
  const [first = '', second = '', third = ''] = job.dates.map(({ jobId }) => jobId);
  await leila.api.applications.submit({ jobId: first, alsoFor: [second, third] });
  const decideBys = async () => [
    ...new Set((await leila.api.applications.mine({})).items.map(({ decideBy }) => decideBy)),
  ];
  const move = async (jobId: string, hours: ReturnType<typeof hoursIn>) => {
    const { version } = await nadia.api.jobs.get({ jobId });
    await nadia.api.jobs.update({ jobId, version, ...hours });
    await app.runDue();
  };
  await move(third, hoursIn(9));
  expect(await decideBys()).toEqual([due(job)]);
  await move(first, hoursIn(10));
  expect(await decideBys()).toEqual([due({ ...job, startsAt: job.dates[1]?.startsAt ?? null })]);
  const soonest = hoursIn(3);
  await move(third, soonest);
  expect(await decideBys()).toEqual([due({ ...job, ...soonest })]);
  app.clock.set(new Date(soonest.startsAt));
  await app.runDue();
  const ended = (await leila.api.notifications.list({})).items.filter(
    ({ topic }) => topic === 'application-no-response',
  );
  expect(ended).toHaveLength(1);
});
