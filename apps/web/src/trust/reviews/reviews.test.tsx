import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, type RenderOptions } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { field, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { sampleApplicant } from '../../hiring/pipeline/pipeline.fixtures.ts';
import { sampleOwnReview, samplePage, samplePublished, sampleWorkToReview } from './reviews.fixtures.ts';

const now = '2026-11-22T09:00:00Z';
const none = { items: [], nextCursor: null };
const open = (path: string, api: Handlers, session: RenderOptions['session'] = 'worker') =>
  renderApp(path, { session, now, api });
const stars = (name: string) => screen.getByRole('radio', { name });
const body = /^In your words/;
/** No screen may reveal whether the other side has written. */
const blind = () =>
  expect(document.body.textContent).not.toMatch(
    /(has|have)(n't| not)? (already |yet )?(written|reviewed) you/,
  );

describe('a review to write', () => {
  const work = sampleWorkToReview();
  const api = { 'reviews.toWrite': { items: [work], nextCursor: null } } satisfies Handlers;

  it('requires stars, shows that it stays hidden, and is sent once', async () => {
    const rendered = open('/rating-review', { ...api, 'reviews.write': sampleOwnReview() });
    expect(await screen.findByText('Until Sat 5 Dec, 13:00')).toBeTruthy();
    await press(/^Write a review/);
    expect(
      await screen.findByText(/^Hidden until both of you have written, or until Sat 5 Dec, 13:00/),
    ).toBeTruthy();
    blind();
    await press('Send review');
    expect(await screen.findByText('Choose one to five stars.')).toBeTruthy();
    expect(document.activeElement).toBe(stars('Very poor, 1 of 5'));
    expect(rendered.api.calls('reviews.write')).toHaveLength(0);

    fireEvent.click(stars('Good, 4 of 5'));
    await press('Paid as agreed');
    await press('Yes');
    type(body, ' A good team. ');
    await pressTwice('Send review');
    expect(await screen.findByText("Review sent. It's hidden for now.")).toBeTruthy();
    blind();
    expect(rendered.api.inputs('reviews.write')).toEqual([
      {
        engagementId: work.engagementId,
        stars: 4,
        tags: ['paid_as_agreed'],
        body: 'A good team.',
        again: true,
      },
    ]);
  });

  it.each([true, false])('offers a word about breaks if one was agreed: %s', async (hasBreak) => {
    open('/rating-review', {
      'reviews.toWrite': { items: [sampleWorkToReview({ hasBreak })], nextCursor: null },
    });
    await press(/^Write a review/);
    await screen.findByRole('button', { name: 'Paid as agreed' });
    expect(screen.queryByRole('button', { name: 'Breaks kept' }) !== null).toBe(hasBreak);
  });

  it.each([
    ['x'.repeat(1_001), /characters or fewer\.$/],
    ['Call me: 06 12345678', 'Remove phone numbers, addresses and links.'],
  ])('rejects %s and keeps it', async (text, problem) => {
    const rendered = open('/rating-review', api);
    await press(/^Write a review/);
    fireEvent.click(await screen.findByRole('radio', { name: 'Excellent, 5 of 5' }));
    type(body, text);
    await press('Send review');
    await waitFor(() => expect(problemAt(body)).toMatch(problem));
    expect(field(body).value).toBe(text);
    expect(rendered.api.calls('reviews.write')).toHaveLength(0);
  });

  it('shows when its deadline passed during writing, and keeps the text on the device', async () => {
    open('/rating-review', {
      ...api,
      'reviews.write': () => {
        throw refuse('review/closed');
      },
    });
    await press(/^Write a review/);
    fireEvent.click(await screen.findByRole('radio', { name: 'OK, 3 of 5' }));
    type(body, 'It was fine.');
    await press('Send review');
    expect(await screen.findByText('The time to review this work is over.')).toBeTruthy();
    expect(field(body).value).toBe('It was fine.');
    globalThis.dispatchEvent(new Event('pagehide'));
    expect(Object.values({ ...localStorage }).join()).toContain('It was fine.');
  });

  it.each([
    ['over', null, 'The time to review this work is over.'],
    ['used', sampleOwnReview(), "You've already reviewed this work."],
  ])('shows that its deadline is %s when opened by a link', async (_, own, text) => {
    open(`/rating-review?write=${work.engagementId}`, {
      'reviews.toWrite': none,
      'reviews.ofEngagement': { toWrite: null, own, other: null },
    });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(await screen.findByText('Nothing to review')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('opens at once from a link to its work', async () => {
    open(`/rating-review?write=${work.engagementId}`, {
      ...api,
      'reviews.ofEngagement': { toWrite: work, own: null, other: null },
    });
    expect(await screen.findByRole('dialog', { name: 'How was Kopi & Crumb?' })).toBeTruthy();
  });

  it('goes through several workers of a shift, with tags, and skips excluded ones', async () => {
    const person = (end: string, name: string) =>
      sampleWorkToReview({
        side: 'business',
        engagementId: `0193aaaa-0000-7000-8000-0000000000${end}`,
        worker: { id: `0193aaaa-0000-7000-8000-0000000000a${end[1]}`, name, photoPath: null },
      });
    const people = [person('e1', 'Leila Haddad'), person('e2', 'Kwame Mensah'), person('e3', 'Ana Silva')];
    const rendered = open(
      '/business-review?part=to-write',
      {
        'reviews.toWrite': { items: people, nextCursor: null },
        'reviews.write': ({ engagementId, tags }) =>
          sampleOwnReview({ engagementId, side: 'business', tags }),
      },
      'business',
    );
    await press('Review 3 people');
    expect(await screen.findByRole('dialog', { name: 'How was Leila Haddad? 1 of 3' })).toBeTruthy();
    fireEvent.click(stars('Good, 4 of 5'));
    await press('Punctual');
    await press('Send review');
    expect(await screen.findByRole('dialog', { name: 'How was Kwame Mensah? 2 of 3' })).toBeTruthy();
    await press('Skip');
    expect(await screen.findByRole('dialog', { name: 'How was Ana Silva? 3 of 3' })).toBeTruthy();
    fireEvent.click(stars('Excellent, 5 of 5'));
    await press('Send review');
    expect(await screen.findByText('2 reviews sent')).toBeTruthy();
    expect(
      rendered.api
        .inputs('reviews.write')
        .map(({ engagementId, stars: givenStars, tags }) => [engagementId, givenStars, tags]),
    ).toEqual([
      [people[0]?.engagementId, 4, ['punctual']],
      [people[2]?.engagementId, 5, ['punctual']],
    ]);
  });
});

describe('a review that was given', () => {
  const givenReview = (review = sampleOwnReview()) =>
    ({ 'reviews.given': { items: [review], nextCursor: null } }) satisfies Handlers;

  it('is hidden and can be changed, with its version', async () => {
    const rendered = open('/rating-review?part=given', {
      ...givenReview(),
      'reviews.edit': sampleOwnReview({ stars: 2, version: 4 }),
    });
    expect(await screen.findByText('Hidden until Sat 5 Dec, 13:00 at the latest')).toBeTruthy();
    blind();
    await press(/^Edit/);
    expect(field(body).value).toBe('A good team.');
    fireEvent.click(stars('Poor, 2 of 5'));
    await press('Save changes');
    expect(await screen.findByText('Review changed')).toBeTruthy();
    expect(rendered.api.inputs('reviews.edit')).toEqual([
      {
        reviewId: sampleOwnReview().id,
        version: 3,
        stars: 2,
        tags: ['paid_as_agreed'],
        body: 'A good team.',
        again: true,
      },
    ]);
  });

  it.each([
    ['published', { state: 'published', publishedAt: '2026-11-23T09:00:00Z' }, 'Published Mon 23 Nov'],
    [
      'removed',
      { state: 'removed', removed: { reason: 'It insults people.', at: now } },
      'We removed it: It insults people.',
    ],
    ['past its time', { closesAt: '2026-11-22T08:59:59Z' }, /^Hidden until Sun 22 Nov/],
  ] as const)("can't be changed once it is %s", async (_, change, text) => {
    open('/rating-review?part=given', givenReview(sampleOwnReview(change)));
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull();
  });
});

describe('reviews of a business', () => {
  const path = '/business-review';
  const reviews = [
    samplePublished({ canReply: true }),
    samplePublished({
      id: '0193aaaa-0000-7000-8000-0000000000f2',
      author: 'Kwame M.',
      stars: 1,
      again: false,
    }),
    samplePublished({ id: '0193aaaa-0000-7000-8000-0000000000f3', author: 'Ana S.', stars: 4 }),
  ];
  const all = samplePage(reviews, { rating: { count: 3, averageTenths: 30 }, counts: [1, 0, 0, 2, 0] });

  it("show the average, the distribution of stars, and a line's reviews in the selected order", async () => {
    const rendered = open(
      path,
      {
        'reviews.ofBusiness': ({ stars: only }) =>
          only ? { ...all, items: reviews.filter((review) => review.stars === only) } : all,
      },
      'business',
    );
    expect(await screen.findByRole('heading', { name: '3.0 3 reviews' })).toBeTruthy();
    const spread = screen.getByRole('group', { name: 'Only with' });
    const lines = within(spread).getAllByRole('button');
    expect(lines.map((line) => line.querySelector('.vh')?.textContent)).toEqual([
      '5 stars: 0',
      '4 stars: 2',
      '3 stars: 0',
      '2 stars: 0',
      '1 star: 1',
    ]);
    await press('1 star: 1');
    await waitFor(() => expect(screen.queryByText('Leila H.')).toBeNull());
    expect(await screen.findByText('Kwame M.')).toBeTruthy();
    type('Sort by', 'lowest');
    await waitFor(() =>
      expect(rendered.api.inputs('reviews.ofBusiness').at(-1)).toMatchObject({ sort: 'lowest', stars: 1 }),
    );
    await press('Show all');
    expect(await screen.findByText('Leila H.')).toBeTruthy();
  });

  it('below three show no average', async () => {
    open(path, { 'reviews.ofBusiness': samplePage([samplePublished()]) }, 'business');
    expect(await screen.findByText('1 review')).toBeTruthy();
    expect(screen.getByText('An average appears from 3 reviews on.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Reply/ })).toBeNull();
    const report = screen.getByRole('link', { name: /^Report.*Leila/ });
    expect(report.getAttribute('href')).toMatch(/^\/tabs\/menu\/report\/review\//);
    report.click();
    expect(await screen.findByRole('heading', { name: 'Report this review' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Leila H.', level: 2 })).toBeTruthy();
  });

  it('can be replied to once, in public', async () => {
    let reply: { body: string; at: string } | null = null;
    const first = () => samplePublished({ canReply: reply === null, reply });
    const rendered = open(
      path,
      {
        'reviews.ofBusiness': () => samplePage([first()]),
        'reviews.reply': ({ body: text }) => {
          reply = { body: text, at: now };
          return first();
        },
      },
      'business',
    );
    await press(/^Reply/);
    await press('Publish reply');
    expect(problemAt(/^Your reply to Leila H\./)).toBe('Write your reply.');
    type(/^Your reply to Leila H\./, ' Thank you, Leila. ');
    await pressTwice('Publish reply');
    expect(await screen.findByText('Thank you, Leila.')).toBeTruthy();
    expect(rendered.api.inputs('reviews.reply')).toEqual([
      { reviewId: samplePublished().id, body: 'Thank you, Leila.' },
    ]);
    expect(screen.queryByRole('button', { name: /^Reply:/ })).toBeNull();
  });

  it('ask for a business when there is none', async () => {
    open(path, { 'businesses.mine': [] });
    expect(await screen.findByText('Which business?')).toBeTruthy();
  });
});

describe('reviews of a worker', () => {
  it('are listed once they are published', async () => {
    const rendered = open('/rating-review?part=received', { 'reviews.ofWorker': samplePage([]) });
    expect(await screen.findByText('No reviews yet')).toBeTruthy();
    blind();
    expect(rendered.api.inputs('reviews.ofWorker')).toMatchObject([
      { workerId: sampleWorkToReview().worker.id, sort: 'newest' },
    ]);
  });

  it('are visible to a business that they applied to, from the profile', async () => {
    const worker = { ...sampleApplicant().worker, rating: { count: 3, averageTenths: 47 } };
    const page = samplePage([samplePublished({ author: 'Kopi & Crumb', body: 'Always on time.' })]);
    const { api } = open(
      `/worker-details/${worker.workerId}`,
      {
        'profiles.worker': worker,
        'reviews.ofWorker': page,
        'applicants.ofWorker': [],
        'pools.ofWorker': ({ workerId }) => ({ workerId, pools: [], tags: [], notes: 0 }),
        'jobs.listed': { ...none, counts: {}, total: 0 },
        'reliability.ofWorker': () => {
          throw refuse('profile/not-found');
        },
      },
      'business',
    );
    fireEvent.click(await screen.findByRole('link', { name: '4.7 from 3 reviews' }));
    expect(await screen.findByRole('heading', { name: 'Reviews of Leila Haddad', level: 1 })).toBeTruthy();
    expect(await screen.findByText('Always on time.')).toBeTruthy();
    expect(api.inputs('reviews.ofWorker')).toMatchObject([{ workerId: worker.workerId, sort: 'newest' }]);
  });

  it('show when they fail to load', async () => {
    open('/rating-review?part=received', {
      'reviews.ofWorker': () => {
        throw refuse('profile/not-found');
      },
    });
    expect(await screen.findByText("We couldn't load the reviews")).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});
