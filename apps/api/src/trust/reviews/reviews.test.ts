import { addMs } from '@nearhand/contract/durations';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { nextReviewState, reviewLimits } from '@nearhand/contract/trust/reviews.rules';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { useEndedWork } from '../../../test/use-ended-work.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';

const app = useTestApp();
const cast = useEndedWork(app);
const five = { stars: 5, tags: [], body: '', again: null };
const write = ({ api }: Person, words: object = {}, engagementId = cast.engagementId) =>
  api.reviews.write({ engagementId, ...five, ...words } as never);
const ratingOfBusiness = async () =>
  (await app.apiAs(null).businesses.profile({ businessId: cast.businessId })).rating;
const starsOfWorker = async () =>
  (
    await app.db
      .selectFrom('profiles')
      .select('reviewStars')
      .where('accountId', '=', cast.leila.accountId)
      .executeTakeFirst()
  )?.reviewStars ?? null;
const noticesOf = async ({ api }: Person) =>
  (await api.notifications.list({ limit: 50 })).items
    .map(({ topic }) => topic)
    .filter((topic) => topic.startsWith('review-'));
const days = async (count: number) => {
  app.clock.forward({ days: count });
  await app.runDue();
};

describe('nextReviewState', () => {
  it('allows the moves of the state table, each by its mover, and no repeats', () => {
    expect(nextReviewState('open', 'write', 'worker')).toBe('submitted');
    expect(nextReviewState('submitted', 'edit', 'business')).toBe('submitted');
    expect(nextReviewState('removed', 'republish', 'operator')).toBe('published');
    expect(nextReviewState('submitted', 'write', 'worker')).toBeNull();
    expect(nextReviewState('published', 'edit', 'worker')).toBeNull();
    expect(nextReviewState('removed', 'publish', 'timer')).toBeNull();
    expect(nextReviewState('open', 'remove', 'operator')).toBeNull();
    expect(nextReviewState('open', 'expire', 'operator')).toBeNull();
  });
});

describe('reviews.write', () => {
  it('hides the first review and publishes both with the second', async () => {
    const before = await ratingOfBusiness();
    const own = await write(cast.leila, {
      stars: 4,
      tags: ['paid_as_agreed', 'safe_place'],
      body: ' Good coffee, <b>kind</b> people. ',
      again: true,
    });
    expect(own).toMatchObject({
      state: 'submitted',
      stars: 4,
      side: 'worker',
      version: 2,
      publishedAt: null,
      again: true,
      tags: ['paid_as_agreed', 'safe_place'],
      body: 'Good coffee, <b>kind</b> people.',
    });
    expect(await ratingOfBusiness()).toEqual(before);
    const { own: none, other } = await cast.nadia.api.reviews.ofEngagement({
      engagementId: cast.engagementId,
    });
    expect([none, other]).toEqual([null, null]);

    const theirs = await write(cast.nadia, { stars: 5, tags: ['punctual'] });
    expect(theirs).toMatchObject({ state: 'published', side: 'business' });
    expect((await ratingOfBusiness()).count).toBe(before.count + 1);
    expect(await starsOfWorker()).toEqual([0, 0, 0, 0, 1]);
    const reviews = await cast.nadia.api.reviews.ofEngagement({ engagementId: cast.engagementId });
    expect(reviews.other).toMatchObject({ author: 'Leila H.', stars: 4, canReply: true });
    expect(await noticesOf(cast.leila)).toEqual(['review-published']);
    await app.runDue();
    await days(15);
    expect((await ratingOfBusiness()).count).toBe(before.count + 1);
  });

  it('is published alone at the deadline, and then nothing can be written', async () => {
    const before = (await ratingOfBusiness()).count;
    const { closesAt } = await write(cast.leila, { stars: 2 });
    app.clock.set(new Date(Date.parse(closesAt) - 1000));
    await app.runDue();
    expect((await ratingOfBusiness()).count).toBe(before);
    app.clock.set(closesAt);
    // The timer has not run yet, but the deadline has passed.
    expect(await failure(write(cast.nadia))).toMatchObject({
      status: 409,
      code: 'review/closed',
      data: { until: closesAt },
    });
    await app.runDue();
    expect((await ratingOfBusiness()).count).toBe(before + 1);
    expect(await failure(write(cast.nadia))).toMatchObject({ code: 'review/closed' });
    expect(await starsOfWorker()).toBeNull();
  });

  it('allows only the two sides of ended work', async () => {
    const stranger = await app.person();
    const rival = await app.person();
    await makeBusiness(app.db, app.scopeOf(rival));
    for (const person of [stranger, rival])
      expect(await failure(write(person))).toMatchObject({ status: 404, code: 'engagement/not-found' });
    const finance = await app.person();
    await makeMember(app.db, app.clock, cast.businessId, finance.accountId, 'finance');
    expect(await failure(write(finance))).toMatchObject({ status: 403, code: 'engagement/not-allowed' });
    expect(await failure(write(cast.leila, {}, crypto.randomUUID()))).toMatchObject({ status: 404 });
    expect(
      await failure(app.apiAs(null).reviews.write({ engagementId: cast.engagementId, stars: 5 })),
    ).toMatchObject({
      status: 401,
    });
    const unverified = await app.person({ verified: false });
    expect(await failure(write(unverified))).toMatchObject({ status: 403 });
  });

  it("rejects work that hasn't ended or was cancelled in time, and accepts a late cancellation", async () => {
    const sides = { worker: app.scopeOf(cast.leila), recruiter: app.scopeOf(cast.nadia) };
    const booked = await makeEngagement(app.db, sides, cast.businessId);
    expect(await failure(write(cast.leila, {}, booked.id))).toMatchObject({
      status: 409,
      code: 'review/not-open',
    });
    const { version } = booked;
    await cast.leila.api.engagements.cancel({ engagementId: booked.id, version, reason: 'I am ill.' });
    expect(await failure(write(cast.leila, {}, booked.id))).toMatchObject({ code: 'review/not-open' });

    const late = await makeEngagement(app.db, sides, cast.businessId, {
      kind: 'shift',
      title: 'Evening bar',
    });
    app.clock.set(new Date(Date.parse(late.terms.startsAt ?? '') - 3 * 3_600_000));
    await cast.nadia.api.engagements.cancel({
      engagementId: late.id,
      version: late.version,
      reason: 'No guests.',
    });
    expect(await write(cast.leila, { stars: 1 }, late.id)).toMatchObject({
      cancelled: true,
      jobTitle: 'Evening bar',
    });
  });

  it('rejects a second one, and treats a repeated call as one', async () => {
    const token = await signAccessToken(app.secret, app.clock, cast.leila);
    const api = app.apiAs(token, { 'idempotency-key': crypto.randomUUID() });
    const once = () => api.reviews.write({ engagementId: cast.engagementId, ...five });
    const first = await once();
    expect(await once()).toEqual(first);
    expect(await failure(write(cast.leila))).toMatchObject({
      status: 409,
      code: 'review/already-written',
      data: { reviewId: first.id },
    });
  });

  it.each([
    ['no stars', { stars: undefined }],
    ['0 stars', { stars: 0 }],
    ['6 stars', { stars: 6 }],
    ['half a star', { stars: 4.5 }],
    ['1,001 characters', { body: 'x'.repeat(reviewLimits.bodyMax + 1) }],
    ['a right-to-left override', { body: 'Nice \u202Eevil' }],
    ['an isolate', { body: 'Nice \u2067evil' }],
    ['a control character', { body: 'Nice\u0000' }],
    ['half a character', { body: 'Nice \uD83D' }],
    ['an unknown tag', { tags: ['rich'] }],
  ])('rejects %s', async (_what, wrong) => {
    expect(await failure(write(cast.leila, wrong))).toMatchObject({ status: 400, code: 'request/invalid' });
  });

  it('rejects tags of the other side, duplicate tags and contact details', async () => {
    for (const tags of [['punctual'], ['safe_place', 'safe_place']])
      expect(await failure(write(cast.leila, { tags }))).toMatchObject({
        status: 422,
        code: 'review/wrong-tag',
      });
    expect(
      await failure(write(cast.leila, { body: 'Call me: 06 12345678, or mail a@b.example' })),
    ).toMatchObject({
      status: 422,
      code: 'review/contact-details',
      data: { found: ['phone', 'email'] },
    });
  });

  it('accepts exactly 1,000 characters, and stores scripts and any writing as text', async () => {
    const body = `<script>alert(1)</script> שלום 👍 ${'x'.repeat(reviewLimits.bodyMax)}`.slice(
      0,
      reviewLimits.bodyMax,
    );
    expect((await write(cast.leila, { body })).body).toBe(body);
  });

  it('publishes once in a race of both sides and the timer', async () => {
    await cast.alone();
    const before = (await ratingOfBusiness()).count;
    const { closesAt } = await write(cast.leila, { stars: 3 });
    app.clock.set(new Date(Date.parse(closesAt) - 1));
    const racing = [
      failure(write(cast.nadia)).catch(() => null),
      app.runDue(),
      failure(write(cast.nadia)).catch(() => null),
    ];
    app.clock.set(closesAt);
    await Promise.all([...racing, app.runDue(), app.runDue()]);
    expect((await ratingOfBusiness()).count).toBe(before + 1);
    const { rows } = await app.pool.query(
      `select count(*)::int as published from review_moves join reviews on reviews.id = review_id
       where engagement_id = $1 and action = 'publish' and author_side = 'worker'`,
      [cast.engagementId],
    );
    expect(rows).toEqual([{ published: 1 }]);
  });

  it('publishes once for both sides concurrently', async () => {
    const before = (await ratingOfBusiness()).count;
    await Promise.all([write(cast.leila), write(cast.nadia)]);
    expect((await ratingOfBusiness()).count).toBe(before + 1);
    expect(await starsOfWorker()).toEqual([0, 0, 0, 0, 1]);
  });

  it('is never required for pay, which came before', async () => {
    const { status, releases } = await cast.leila.api.engagements.get({ engagementId: cast.engagementId });
    expect([status, releases[0]?.kind]).toEqual(['completed', 'rest']);
  });
});

describe('reviews.edit', () => {
  it('changes a hidden review, but not a published one', async () => {
    const first = await write(cast.leila, { stars: 1, body: 'Bad.' });
    const { id: reviewId, version } = first;
    const edited = await cast.leila.api.reviews.edit({ reviewId, version, ...five, body: 'Good.' });
    expect(edited).toMatchObject({ stars: 5, body: 'Good.', version: 3, state: 'submitted' });
    expect(await failure(cast.leila.api.reviews.edit({ reviewId, version, ...five }))).toMatchObject({
      status: 409,
      code: 'review/stale',
      data: { version: 3 },
    });
    const edit = { reviewId, version: 3, ...five };
    for (const person of [cast.nadia, await app.person()])
      expect(await failure(person.api.reviews.edit(edit))).toMatchObject({
        status: 404,
        code: 'review/not-found',
      });
    expect(await failure(cast.leila.api.reviews.edit({ ...edit, body: 'www.evil.com' }))).toMatchObject({
      code: 'review/contact-details',
    });
    await write(cast.nadia);
    expect(await failure(cast.leila.api.reviews.edit({ ...edit, version: 4 }))).toMatchObject({
      status: 409,
      code: 'review/published',
    });
  });

  it("rejects, like a reply, what a first text can't contain, and changes nothing", async () => {
    const { id: reviewId, version } = await write(cast.leila);
    const invalid = { status: 400, code: 'request/invalid' };
    const texts = ['x'.repeat(reviewLimits.bodyMax + 1), 'Nice \u202Eevil', 'Nice\u0000'];
    for (const wrong of [{ stars: 0 }, { stars: 6 }, ...texts.map((body) => ({ body }))])
      expect(
        await failure(cast.leila.api.reviews.edit({ reviewId, version, ...five, ...wrong })),
      ).toMatchObject(invalid);
    await write(cast.nadia);
    for (const body of texts)
      expect(await failure(cast.nadia.api.reviews.reply({ reviewId, body }))).toMatchObject(invalid);
    const script = '<script>alert(1)</script>';
    const review = await cast.nadia.api.reviews.reply({ reviewId, body: script });
    expect(review).toMatchObject({ stars: 5, reply: { body: script } });
  });

  it('rejects after the deadline, before the timer has run', async () => {
    const { id: reviewId, version, closesAt } = await write(cast.leila);
    app.clock.set(closesAt);
    expect(
      await failure(cast.leila.api.reviews.edit({ reviewId, version, ...five, stars: 1 })),
    ).toMatchObject({
      code: 'review/published',
    });
  });
});

describe('reviews.reply', () => {
  it('is public, once, from the reviewed side', async () => {
    const { id: reviewId } = await write(cast.leila, { stars: 2 });
    const reply = { reviewId, body: 'Sorry about the mess.' };
    expect(await failure(cast.nadia.api.reviews.reply(reply))).toMatchObject({
      status: 404,
      code: 'review/not-found',
    });
    await write(cast.nadia);
    for (const person of [cast.leila, await app.person()])
      expect(await failure(person.api.reviews.reply(reply))).toMatchObject({ status: 404 });
    expect(await failure(cast.nadia.api.reviews.reply({ ...reply, body: 'Call 0612345678' }))).toMatchObject({
      code: 'review/contact-details',
    });
    expect(await failure(cast.nadia.api.reviews.reply({ ...reply, body: ' ' }))).toMatchObject({
      status: 400,
    });
    const review = await cast.nadia.api.reviews.reply(reply);
    expect(review).toMatchObject({ reply: { body: 'Sorry about the mess.' }, canReply: false });
    expect(await failure(cast.nadia.api.reviews.reply(reply))).toMatchObject({
      status: 409,
      code: 'review/already-replied',
    });
    const { items } = await app.apiAs(null).reviews.ofBusiness({ businessId: cast.businessId });
    expect(items[0]).toMatchObject({
      id: reviewId,
      reply: { body: 'Sorry about the mess.' },
      canReply: false,
    });
    expect(await noticesOf(cast.leila)).toContain('review-replied');
  });
});

describe('reviews.toWrite', () => {
  it("lists a side's ended work until it is reviewed or the deadline passes", async () => {
    const second = await cast.work();
    const mine = () => cast.leila.api.reviews.toWrite({});
    expect((await mine()).items.map(({ engagementId }) => engagementId)).toEqual([
      cast.engagementId,
      second.id,
    ]);
    const [{ items: one, nextCursor }] = [await cast.leila.api.reviews.toWrite({ limit: 1 })];
    expect(one).toHaveLength(1);
    const rest = await cast.leila.api.reviews.toWrite({ limit: 1, cursor: nextCursor ?? '' });
    expect(rest.items.map(({ engagementId }) => engagementId)).toEqual([second.id]);
    await write(cast.leila);
    expect((await mine()).items.map(({ engagementId }) => engagementId)).toEqual([second.id]);

    const { businessId, jobId } = cast;
    const theirs = await cast.nadia.api.reviews.toWrite({ businessId, jobId });
    expect(theirs.items).toMatchObject([
      { engagementId: cast.engagementId, side: 'business', worker: { name: 'Leila Haddad' } },
    ]);
    const stranger = await app.person();
    expect(await failure(stranger.api.reviews.toWrite({ businessId }))).toMatchObject({
      status: 404,
      code: 'business/not-found',
    });
    await days(settingDefaults.reviewDays);
    expect((await mine()).items).toEqual([]);
    expect(await failure(cast.leila.api.reviews.toWrite({ cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });

  it('reminds a side on days 2 and 12 unless it has written', async () => {
    await write(cast.leila);
    await days(2);
    expect(await noticesOf(cast.leila)).toEqual([]);
    const before = (await noticesOf(cast.nadia)).filter((topic) => topic === 'review-reminder').length;
    expect(before).toBeGreaterThan(0);
    await days(10);
    const after = (await noticesOf(cast.nadia)).filter((topic) => topic === 'review-reminder').length;
    expect(after).toBe(before + 1);
    expect(await noticesOf(cast.leila)).toEqual([]);
  });
});

describe('reviews.given', () => {
  it("lists only a side's own reviews, including hidden ones", async () => {
    await write(cast.leila, { stars: 3 });
    expect((await cast.leila.api.reviews.given({})).items).toMatchObject([{ stars: 3, state: 'submitted' }]);
    const { items } = await cast.nadia.api.reviews.given({ businessId: cast.businessId });
    expect(items.filter(({ engagementId }) => engagementId === cast.engagementId)).toEqual([]);
    expect(await failure(cast.leila.api.reviews.given({ businessId: cast.businessId }))).toMatchObject({
      status: 404,
    });
    const finance = await app.person();
    await makeMember(app.db, app.clock, cast.businessId, finance.accountId, 'finance');
    expect(await failure(finance.api.reviews.given({ businessId: cast.businessId }))).toMatchObject({
      status: 403,
      code: 'business/not-allowed',
    });
  });
});

describe('reviews.ofEngagement', () => {
  it('returns what can still be written, to the two sides', async () => {
    const request = { engagementId: cast.engagementId };
    expect(await cast.leila.api.reviews.ofEngagement(request)).toMatchObject({
      toWrite: { side: 'worker' },
      own: null,
      other: null,
    });
    await write(cast.leila, { stars: 4 });
    expect(await cast.leila.api.reviews.ofEngagement(request)).toMatchObject({
      toWrite: null,
      own: { stars: 4 },
    });
    expect(await failure((await app.person()).api.reviews.ofEngagement(request))).toMatchObject({
      status: 404,
      code: 'engagement/not-found',
    });
  });
});

describe('reviews.ofBusiness', () => {
  it("sorts and filters workers' reviews, in pages, with an average from three on", async () => {
    const owner = await app.person({ name: 'Owen Park' });
    const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner));
    const { makeEndedWork } = await import('./reviews.fixtures.ts');
    const all = () => app.apiAs(null).reviews.ofBusiness({ businessId, limit: 2 });
    for (const [index, stars] of [5, 1, 4, 1].entries()) {
      const worker = await app.person({ name: `Worker Nr${index}` });
      const sides = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
      const startsAt = addMs(app.clock.now(), 2 * 86_400_000);
      const work = await makeEndedWork(app.db, sides, businessId, startsAt);
      app.clock.set(work.endedAt);
      await write(worker, { stars, body: `${index}` }, work.id);
      await write(owner, {}, work.id);
      if (index === 1)
        expect(await all()).toMatchObject({ rating: { count: 2, averageTenths: null }, counts: null });
    }
    expect(await all()).toMatchObject({ rating: { count: 4, averageTenths: 28 }, counts: [2, 0, 0, 1, 1] });
    const bodies = async (sort: 'newest' | 'highest' | 'lowest', stars?: number) => {
      const bodies: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await app.apiAs(null).reviews.ofBusiness({
          businessId,
          sort,
          limit: 1,
          stars,
          cursor: cursor ?? undefined,
        });
        bodies.push(...page.items.map(({ body }) => body));
        cursor = page.nextCursor;
      } while (cursor);
      return bodies.join('');
    };
    expect(await bodies('newest')).toBe('3210');
    expect(await bodies('highest')).toBe('0231');
    expect(await bodies('lowest')).toBe('3120');
    expect(await bodies('newest', 1)).toBe('31');
    expect(await failure(app.apiAs(null).reviews.ofBusiness({ businessId, stars: 6 }))).toMatchObject({
      status: 400,
    });
    expect(
      await failure(app.apiAs(null).reviews.ofBusiness({ businessId: crypto.randomUUID() })),
    ).toMatchObject({
      status: 404,
      code: 'business/not-found',
    });
  });
});

describe('reviews.ofWorker', () => {
  it('allows only the worker and recruiters of businesses they applied to', async () => {
    await write(cast.leila);
    await write(cast.nadia, { stars: 4, tags: ['careful'], body: 'Careful and quick.' });
    const of = { workerId: cast.leila.accountId };
    for (const [person, canReply] of [
      [cast.leila, true],
      [cast.nadia, false],
    ] as const)
      expect((await person.api.reviews.ofWorker(of)).items).toMatchObject([
        { author: expect.any(String), stars: 4, tags: ['careful'], canReply },
      ]);
    expect((await cast.nadia.api.profiles.worker(of)).rating).toEqual({ count: 1, averageTenths: null });
    expect(await failure((await app.person()).api.reviews.ofWorker(of))).toMatchObject({
      status: 404,
      code: 'profile/not-found',
    });
    expect(await failure(app.apiAs(null).reviews.ofWorker(of))).toMatchObject({ status: 401 });
  });
});
