import { dayMs, hourMs } from '@nearhand/contract/durations';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { hire } from '../offers/offers.fixtures.ts';
import { openReviewedJob } from './job-lifecycle.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp();

/** Three dates that are hired together: in two, three and ten days. */
async function block({ headCount = 1, funded = true } = {}) {
  const nadia = await app.person({ name: 'Nadia' });
  const scope = app.scopeOf(nadia);
  const business = await makeBusiness(app.db, scope, { name: 'Zilverlinde', funded });
  const first = Math.ceil(app.clock.now().getTime() / dayMs + 2) * dayMs + 8 * hourMs;
  const draft = await makeJob(app.db, scope, business.id, {
    status: 'draft',
    title: 'Market week',
    headCount,
    startsAt: new Date(first).toISOString(),
    endsAt: new Date(first + 8 * hourMs).toISOString(),
  });
  const alsoOn = [1, 8].map((days) => new Date(first + days * dayMs).toISOString().slice(0, 10));
  const job = await nadia.api.jobs.publish({ jobId: draft.id, alsoOn, asBlock: true });
  return { nadia, business, job, jobIds: job.dates.map(({ jobId }) => jobId) as [string, string, string] };
}

async function applied(options: Parameters<typeof block>[0] = {}) {
  const posted = await block(options);
  const leila = await app.person({ name: 'Leila' });
  return { ...posted, leila, applicationIds: await applyFor(leila, posted.jobIds) };
}

async function applyFor(worker: Person, [jobId, ...alsoFor]: [string, ...string[]]) {
  await worker.api.applications.submit({ jobId, alsoFor });
  const { items } = await worker.api.applications.mine({});
  return items
    .toSorted((a, b) => Date.parse(a.job.startsAt ?? '') - Date.parse(b.job.startsAt ?? ''))
    .map(({ id }) => id) as [string, ...string[]];
}

async function offered(options: Parameters<typeof block>[0] = {}) {
  const posted = await applied(options);
  const [applicationId, ...alsoFor] = posted.applicationIds;
  await posted.nadia.api.offers.make({ applicationId, alsoFor });
  return { ...posted, refs: await refsOf(posted.leila) };
}

type Ref = { offerId: string; version: number };
const refsOf = async (worker: Person): Promise<[Ref, ...Ref[]]> =>
  (await worker.api.offers.mine({ group: 'live' })).items.map(({ id, version }) => ({
    offerId: id,
    version,
  })) as [Ref, ...Ref[]];

async function booked() {
  const posted = await offered();
  const [ref, ...alsoFor] = posted.refs;
  await posted.leila.api.offers.accept({ ...ref, alsoFor });
  return posted;
}

const statusesOf = async (worker: Person) =>
  (await worker.api.applications.mine({})).items.map(({ status }) => status).toSorted();
const topicsOf = async (person: Person, topic: string) =>
  (await person.api.notifications.list({})).items.filter((notice) => notice.topic === topic);
const worksOf = async (worker: Person) =>
  app.db.selectFrom('engagements').selectAll().where('workerId', '=', worker.accountId).execute();
const blockOf = async (jobIds: readonly string[]) =>
  (await app.db.selectFrom('jobs').select(['id', 'asBlock']).where('id', 'in', jobIds).execute())
    .filter(({ asBlock }) => asBlock)
    .map(({ id }) => id);

const needsAll = (...jobIds: string[]) => ({
  status: 409,
  code: 'job/all-dates-required',
  data: { jobIds: expect.toSatisfy((ids: string[]) => ids.toSorted().join() === jobIds.toSorted().join()) },
});

describe('a block', () => {
  it('is posted with its other days, and says so wherever it is seen', async () => {
    const { nadia, business, job, jobIds } = await block();
    expect(job.series).toMatchObject({ shifts: 3, asBlock: true });
    expect(job.dates.map(({ asBlock }) => asBlock)).toEqual([true, true, true]);
    expect((await nadia.api.jobs.series({ jobId: job.id })).map(({ asBlock }) => asBlock)).toContain(true);
    const copy = await nadia.api.jobs.duplicate({ jobId: job.id });
    expect(await blockOf([...jobIds, copy.id])).toHaveLength(3);
    expect(await failure(nadia.api.jobs.publish({ jobId: copy.id, asBlock: true }))).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'asBlock' }] },
    });
    const instant = await makeJob(app.db, app.scopeOf(nadia), business.id, {
      status: 'draft',
      instantHire: true,
    });
    const alsoOn = [job.dates[2]?.startsAt.slice(0, 10) ?? ''];
    expect(await failure(nadia.api.jobs.publish({ jobId: instant.id, alsoOn, asBlock: true }))).toMatchObject(
      { code: 'job/cannot-repeat' },
    );
    expect(
      await failure(nadia.api.jobs.update({ jobId: job.id, version: job.version, instantHire: true })),
    ).toMatchObject({ code: 'job/cannot-repeat' });
    const { body } = await app.raw({ method: 'GET', url: publicJobPath(job) });
    expect(body).toContain('All 3 dates from');
    expect(body).toMatch(/"description":"[^"]*All 3 dates from [^"]*You apply for all dates together/);
  });

  it('is applied for whole, by someone who is free on all its dates', async () => {
    const { nadia, business, jobIds } = await block();
    const [first, second, third] = jobIds;
    const leila = await app.person({ name: 'Leila' });
    const apply = (jobId: string, ...alsoFor: string[]) =>
      failure(leila.api.applications.submit({ jobId, alsoFor }));
    expect(await apply(first)).toMatchObject(needsAll(second, third));
    expect(await apply(second, third)).toMatchObject(needsAll(first));
    const date = await leila.api.jobs.get({ jobId: third });
    const other = await makeJob(app.db, app.scopeOf(nadia), business.id, {
      title: 'Dinner',
      startsAt: date.startsAt,
      endsAt: date.endsAt,
    });
    const { id } = await leila.api.applications.submit({ jobId: other.id });
    await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(leila) }, id);
    expect(await apply(first, second, third)).toMatchObject({
      code: 'engagement/overlap',
      data: { title: 'Dinner', startsAt: date.startsAt },
    });
    expect(await statusesOf(leila)).toEqual(['hired']);
  });

  it('is offered and accepted whole, from the balance, and booked in one step', async () => {
    const { nadia, leila, jobIds, applicationIds } = await applied();
    const [applicationId, second = '', third = ''] = applicationIds;
    const make = (input: { alsoFor?: string[]; funding?: { from: 'card'; cardId: string } }) =>
      nadia.api.offers.make({ applicationId, ...input });
    expect(await failure(make({}))).toMatchObject(needsAll(jobIds[1], jobIds[2]));
    expect(await failure(make({ alsoFor: [second] }))).toMatchObject(needsAll(jobIds[2]));
    expect((await leila.api.offers.mine({})).items).toEqual([]);
    const ahmed = await app.person({ name: 'Ahmed' });
    expect(
      await failure(nadia.api.rebook.offer({ jobId: jobIds[0], workerId: leila.accountId })),
    ).toMatchObject({ status: 409 });
    // A card is charged for each date, so the balance pays whatever source is named.
    const card = { from: 'card', cardId: '0193aaaa-0000-7000-8000-000000000001' } as const;
    expect(await make({ alsoFor: [second, third], funding: card })).toMatchObject({
      status: 'sent',
      asBlock: true,
      funding: 'funded',
    });
    const offers = (await leila.api.offers.mine({ group: 'live' })).items;
    expect(offers.map(({ funding }) => funding).toSorted()).toEqual(['funded', 'funded', 'planned']);
    expect(new Set(offers.map(({ expiresAt }) => expiresAt)).size).toBe(1);
    const [ref, ...others] = await refsOf(leila);
    expect(await failure(leila.api.offers.accept(ref))).toMatchObject({ code: 'job/all-dates-required' });
    expect(
      await failure(
        leila.api.offers.accept({ ...ref, alsoFor: others.slice(1), declines: others.slice(0, 1) }),
      ),
    ).toMatchObject({ status: 409 });
    expect(await worksOf(leila)).toEqual([]);
    await leila.api.offers.accept({ ...ref, alsoFor: others });
    expect((await worksOf(leila)).map(({ funding }) => funding).toSorted()).toEqual([
      'funded',
      'funded',
      'planned',
    ]);
    expect(await failure(ahmed.api.applications.submit({ jobId: jobIds[0] }))).toMatchObject({
      code: 'job/filled',
    });
  });

  it('has no offer without the money for its first week', async () => {
    const { nadia, leila, applicationIds } = await applied({ funded: false });
    const [applicationId, ...alsoFor] = applicationIds;
    expect(await failure(nadia.api.offers.make({ applicationId, alsoFor }))).toMatchObject({
      code: 'payment/balance-short',
    });
    expect((await leila.api.offers.mine({})).items).toEqual([]);
  });

  it('is rejected, withdrawn and declined whole, with one notice', async () => {
    const { nadia, leila, jobIds, applicationIds, business } = await applied({ headCount: 3 });
    const [first, second = ''] = applicationIds;
    await nadia.api.applicants.reject({ applicationId: second, reason: 'distance' });
    expect(await statusesOf(leila)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await topicsOf(leila, 'application-rejected')).toHaveLength(1);
    const ahmed = await app.person({ name: 'Ahmed' });
    const [ofAhmed] = await applyFor(ahmed, jobIds);
    const { results } = await nadia.api.applicants.bulk({
      businessId: business.id,
      action: 'reject',
      reason: 'distance',
      items: [{ applicationId: ofAhmed }, { applicationId: first }],
    });
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await statusesOf(ahmed)).toEqual(['rejected', 'rejected', 'rejected']);
    const zoe = await app.person({ name: 'Zoe' });
    const [ofZoe] = await applyFor(zoe, jobIds);
    await zoe.api.applications.withdraw({ applicationId: ofZoe });
    expect(await statusesOf(zoe)).toEqual(['withdrawn', 'withdrawn', 'withdrawn']);
    const sam = await app.person({ name: 'Sam' });
    const [applicationId, ...alsoFor] = await applyFor(sam, jobIds);
    await nadia.api.offers.make({ applicationId, alsoFor });
    const [, ref = { offerId: '', version: 0 }] = await refsOf(sam);
    await sam.api.offers.decline(ref);
    expect(await statusesOf(sam)).toEqual(['offer_declined', 'offer_declined', 'offer_declined']);
    expect(await topicsOf(nadia, 'offer-declined')).toMatchObject([{ data: { count: 3 } }]);
    const { balances } = await nadia.api.wallet.get({ businessId: business.id });
    expect(balances).toMatchObject([{ holds: 0, heldMinor: 0 }]);
  });

  it('loses all its open offers at once: withdrawn, expired or made again', async () => {
    const { nadia, leila, job, jobIds, refs } = await offered({ headCount: 2 });
    await nadia.api.offers.withdraw({ ...refs[0], keepsApplicant: true });
    expect(await statusesOf(leila)).toEqual(['viewed', 'viewed', 'viewed']);
    const [applicationId, ...alsoFor] = (await leila.api.applications.mine({})).items.map(({ id }) => id);
    await nadia.api.offers.make({ applicationId: applicationId ?? '', alsoFor });
    const before = (await refsOf(leila)).map(({ offerId }) => offerId);
    const { version, endsAt } = await nadia.api.jobs.get({ jobId: jobIds[1] });
    const later = new Date(Date.parse(endsAt ?? '') + hourMs).toISOString();
    await nadia.api.jobs.update({ jobId: jobIds[1], version, endsAt: later });
    const { items } = await leila.api.offers.mine({ group: 'live' });
    expect(items.filter(({ id }) => before.includes(id))).toEqual([]);
    expect(items.map(({ terms }) => terms.endsAt)).toContain(later);
    expect(items).toHaveLength(3);
    app.clock.set(items[0]?.expiresAt ?? '');
    await app.runDue();
    expect(await statusesOf(leila)).toEqual(['offer_expired', 'offer_expired', 'offer_expired']);
    for (const person of [leila, nadia])
      expect(await topicsOf(person, 'offer-expired')).toMatchObject([{ data: { count: 3 } }]);
    expect((await nadia.api.jobs.get({ jobId: job.id })).series).toMatchObject({ shifts: 3, asBlock: true });
  });

  it('keeps its dates apart, and offers made for all of them', async () => {
    const { nadia, leila, job, jobIds } = await offered({ headCount: 2 });
    const [first, second, third] = jobIds;
    const { startsAt, endsAt, version } = job;
    const moved = (at: string | null) => new Date(Date.parse(at ?? '') + dayMs).toISOString();
    const overlap = { startsAt: moved(startsAt), endsAt: moved(endsAt) };
    expect(await failure(nadia.api.jobs.update({ jobId: first, version, ...overlap }))).toMatchObject({
      status: 422,
      code: 'job/dates-overlap',
    });
    const [ref, ...alsoFor] = await refsOf(leila);
    await leila.api.offers.accept({ ...ref, alsoFor });
    const work = (await worksOf(leila)).find(({ jobId }) => jobId === second);
    const engagement = await leila.api.engagements.get({ engagementId: work?.id ?? '' });
    await leila.api.engagements.cancel({
      engagementId: engagement.id,
      version: engagement.version,
      reason: 'Ill',
    });
    // Another spot is free on each date, so the next person still works all of them.
    expect(await blockOf(jobIds)).toHaveLength(3);
    const ahmed = await app.person({ name: 'Ahmed' });
    expect(await failure(ahmed.api.applications.submit({ jobId: first, alsoFor: [third] }))).toMatchObject(
      needsAll(second),
    );
    const [applicationId, ...others] = await applyFor(ahmed, jobIds);
    await nadia.api.offers.make({ applicationId, alsoFor: others });
    const { version: changed } = await nadia.api.jobs.get({ jobId: second });
    const later = new Date(Date.parse(engagement.terms.endsAt ?? '') + hourMs).toISOString();
    const before = (await refsOf(ahmed)).map(({ offerId }) => offerId);
    await nadia.api.jobs.update({ jobId: second, version: changed, endsAt: later });
    const { items } = await ahmed.api.offers.mine({ group: 'live' });
    expect(items.filter(({ id }) => !before.includes(id))).toHaveLength(3);
  });

  it('has offers made again when a freed date and the later ones are moved', async () => {
    const { nadia, leila, jobIds } = await booked();
    const work = (await worksOf(leila)).find(({ jobId }) => jobId === jobIds[0]);
    const { id, version } = await leila.api.engagements.get({ engagementId: work?.id ?? '' });
    await leila.api.engagements.cancel({ engagementId: id, version, reason: 'Ill' });
    const ahmed = await app.person({ name: 'Ahmed' });
    const [applicationId] = await applyFor(ahmed, [jobIds[0]]);
    await nadia.api.offers.make({ applicationId });
    const [before] = await refsOf(ahmed);
    const freed = await nadia.api.jobs.get({ jobId: jobIds[0] });
    const endsAt = new Date(Date.parse(freed.endsAt ?? '') + hourMs).toISOString();
    const edited = await nadia.api.jobs.update({
      jobId: freed.id,
      version: freed.version,
      endsAt,
      reach: 'later',
    });
    expect(edited).toMatchObject({ endsAt });
    const { items } = await ahmed.api.offers.mine({ group: 'live' });
    expect(items).toMatchObject([{ id: expect.not.stringMatching(before.offerId), terms: { endsAt } }]);
  });

  it('can’t be applied for while one of its dates is held, and opens with the others', async () => {
    const { nadia, jobIds } = await block();
    const [first, second, third] = jobIds;
    const leila = await app.person({ name: 'Leila' });
    const hold = (status: 'in_review' | 'open' | 'paused') =>
      app.db.updateTable('jobs').set({ status }).where('id', '=', second).execute();
    await hold('in_review');
    const job = await leila.api.jobs.get({ jobId: first });
    expect(job).toMatchObject({ status: 'open', actions: [] });
    const { body } = await app.raw({ method: 'GET', url: publicJobPath(job) });
    expect(body).not.toContain('JobPosting');
    expect(await failure(leila.api.applications.submit({ jobId: first, alsoFor: [third] }))).toMatchObject({
      code: 'job/not-open',
      data: { status: 'in_review' },
    });
    await nadia.api.jobs.pause({ jobId: first });
    const operator = app.scopeOf(await app.person());
    await app.db.transaction().execute((tx) => openReviewedJob(tx, operator, second, { hidden: false }));
    expect((await nadia.api.jobs.get({ jobId: second })).status).toBe('paused');
    await nadia.api.jobs.reopen({ jobId: second });
    expect(await leila.api.jobs.get({ jobId: first })).toMatchObject({ actions: ['apply'] });
  });

  it('begins with its first date, also where a search matches a later one', async () => {
    const { job, jobIds } = await block();
    const [first, , third] = jobIds;
    const { place, startsAt, dates } = job;
    const search = async (from?: string) =>
      (
        await app.apiAs(null).nearby.search({ lat: place.lat, lng: place.lng, limit: 100, from })
      ).items.filter(({ id }) => jobIds.includes(id));
    expect(await search()).toMatchObject([{ id: first, series: { shifts: 3 } }]);
    expect(await search(dates[2]?.startsAt.slice(0, 10))).toMatchObject([
      { id: third, series: { asBlock: true, shifts: 3, firstStartsAt: startsAt } },
    ]);
    await app.db.updateTable('jobs').set({ asBlock: false }).where('id', '=', first).execute();
    const cards = (await search()).toSorted((a, b) => jobIds.indexOf(a.id) - jobIds.indexOf(b.id));
    expect(cards.map(({ id }) => id)).toEqual(jobIds.slice(0, 2));
    expect(cards[1]).toMatchObject({ series: { asBlock: true, shifts: 2 } });
    for (const [id, canonicalId] of [
      [first, first],
      [third, jobIds[1]],
    ] as const) {
      const { body } = await app.raw({ method: 'GET', url: publicJobPath({ ...job, id }) });
      const canonical = /<link rel="canonical" href="([^"]*)"/.exec(body)?.[1];
      expect(canonical).toContain(publicJobPath({ ...job, id: canonicalId }));
    }
  });

  it('tells who applied once that it was filled, and reminds once of its offers', async () => {
    const { leila, jobIds, refs } = await offered();
    const ahmed = await app.person({ name: 'Ahmed' });
    await applyFor(ahmed, jobIds);
    const [offer] = (await leila.api.offers.mine({ group: 'live' })).items;
    const expiresAt = offer?.expiresAt ?? '';
    app.clock.set(new Date(Date.parse(expiresAt) - 1_000).toISOString());
    await app.runDue();
    expect(await topicsOf(leila, 'offer-reminder')).toMatchObject([{ data: { count: 3 } }]);
    const [ref, ...alsoFor] = refs;
    await leila.api.offers.accept({ ...ref, alsoFor });
    await app.runDue();
    expect(await statusesOf(ahmed)).toEqual(['position_filled', 'position_filled', 'position_filled']);
    expect(await topicsOf(ahmed, 'application-position-filled')).toHaveLength(1);
  });

  it('is paused and reopened whole', async () => {
    const { nadia, jobIds } = await block();
    await nadia.api.jobs.pause({ jobId: jobIds[1] });
    const statuses = async () =>
      (await app.db.selectFrom('jobs').select('status').where('id', 'in', jobIds).execute()).map(
        ({ status }) => status,
      );
    expect(await statuses()).toEqual(['paused', 'paused', 'paused']);
    await nadia.api.jobs.reopen({ jobId: jobIds[2] });
    expect(await statuses()).toEqual(['open', 'open', 'open']);
  });

  it('offers a date on its own once its spot is freed', async () => {
    const { nadia, leila, jobIds } = await booked();
    const work = (await worksOf(leila)).find(({ jobId }) => jobId === jobIds[1]);
    const { version } = await leila.api.engagements.get({ engagementId: work?.id ?? '' });
    await leila.api.engagements.cancel({ engagementId: work?.id ?? '', version, reason: 'Ill' });
    expect((await worksOf(leila)).map(({ status }) => status).toSorted()).toEqual([
      'booked',
      'booked',
      'cancelled_by_worker',
    ]);
    expect((await blockOf(jobIds)).toSorted()).toEqual([jobIds[0], jobIds[2]].toSorted());
    const job = await leila.api.jobs.get({ jobId: jobIds[1] });
    expect(job).toMatchObject({ status: 'open', series: null });
    const ahmed = await app.person({ name: 'Ahmed' });
    const { id } = await ahmed.api.applications.submit({ jobId: jobIds[1] });
    await hire(app.db, { recruiter: app.scopeOf(nadia), worker: app.scopeOf(ahmed) }, id);
    expect(await worksOf(ahmed)).toHaveLength(1);
  });

  it('offers a date on its own that was freed after its life, or moved after it had passed', async () => {
    const { leila, jobIds } = await booked();
    const [first, second] = jobIds;
    await app.db.updateTable('jobs').set({ expiresAt: app.clock.now() }).where('id', '=', second).execute();
    const work = (await worksOf(leila)).find(({ jobId }) => jobId === second);
    const { version } = await leila.api.engagements.get({ engagementId: work?.id ?? '' });
    await leila.api.engagements.cancel({ engagementId: work?.id ?? '', version, reason: 'Ill' });
    expect((await blockOf(jobIds)).toSorted()).toEqual([first, jobIds[2]].toSorted());

    const posted = await block();
    app.clock.set(posted.job.endsAt ?? '');
    await app.runDue();
    const { version: passed } = await posted.nadia.api.jobs.get({ jobId: posted.job.id });
    const startsAt = new Date(Date.parse(posted.job.startsAt ?? '') + 4 * dayMs).toISOString();
    const endsAt = new Date(Date.parse(posted.job.endsAt ?? '') + 4 * dayMs).toISOString();
    await posted.nadia.api.jobs.update({ jobId: posted.job.id, version: passed, startsAt, endsAt });
    expect(await blockOf(posted.jobIds)).toHaveLength(2);
  });

  it('goes whole to one of two people who are offered its only spot at the same time', async () => {
    const { nadia, leila, jobIds, applicationIds } = await applied();
    const ahmed = await app.person({ name: 'Ahmed' });
    const ofAhmed = await applyFor(ahmed, jobIds);
    const offers = [applicationIds, ofAhmed].map(([applicationId, ...alsoFor]) =>
      nadia.api.offers.make({ applicationId, alsoFor }),
    );
    const answers = await Promise.allSettled(offers);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const counts = [];
    for (const person of [leila, ahmed])
      counts.push((await person.api.offers.mine({ group: 'live' })).items.length);
    expect(counts.toSorted()).toEqual([0, 3]);
  });

  it('is not booked in part when its worker takes another job on one date at the same time', async () => {
    const { nadia, business, leila, jobIds, refs } = await offered();
    const date = await leila.api.jobs.get({ jobId: jobIds[2] });
    const other = await makeJob(app.db, app.scopeOf(nadia), business.id, {
      title: 'Dinner',
      startsAt: date.startsAt,
      endsAt: date.endsAt,
    });
    const { id } = await leila.api.applications.submit({ jobId: other.id });
    const single = await nadia.api.offers.make({ applicationId: id });
    const [ref, ...alsoFor] = refs;
    const answers = await Promise.allSettled([
      leila.api.offers.accept({ ...ref, alsoFor }),
      leila.api.offers.accept({ offerId: single.id, version: single.version }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect([1, 3]).toContain((await worksOf(leila)).length);
  });
});
