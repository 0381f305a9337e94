import type { OwnReview, PublishedReview, ReviewPage, ReviewToWrite } from '@nearhand/contract/trust/reviews';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;

export const sampleWorkToReview = (change: Partial<ReviewToWrite> = {}): ReviewToWrite => ({
  engagementId: id('e1'),
  jobId: id('01'),
  jobTitle: 'Weekend barista',
  side: 'worker',
  worker: { id: id('a1'), name: 'Leila Haddad', photoPath: null },
  business: { id: id('b1'), name: 'Kopi & Crumb', logoPath: null },
  cancelled: false,
  noShowOverturned: false,
  hasBreak: true,
  endedAt: '2026-11-21T13:00:00Z',
  closesAt: '2026-12-05T13:00:00Z',
  ...change,
});

export const sampleOwnReview = (change: Partial<OwnReview> = {}): OwnReview => ({
  ...sampleWorkToReview(),
  id: id('f1'),
  version: 3,
  state: 'submitted',
  stars: 4,
  tags: ['paid_as_agreed'],
  body: 'A good team.',
  again: true,
  writtenAt: '2026-11-22T09:00:00Z',
  publishedAt: null,
  reply: null,
  removed: null,
  ...change,
});

export const samplePublished = (change: Partial<PublishedReview> = {}): PublishedReview => ({
  id: id('f1'),
  author: 'Leila H.',
  stars: 4,
  tags: ['paid_as_agreed'],
  body: 'A good team.',
  again: true,
  jobTitle: 'Weekend barista',
  noShowOverturned: false,
  publishedAt: '2026-11-23T09:00:00Z',
  reply: null,
  canReply: false,
  ...change,
});

export const samplePage = (items: PublishedReview[], change: Partial<ReviewPage> = {}): ReviewPage => ({
  items,
  nextCursor: null,
  rating: { count: items.length, averageTenths: null },
  counts: null,
  ...change,
});
