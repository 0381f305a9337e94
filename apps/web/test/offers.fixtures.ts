import type { Offer } from '@nearhand/contract/hiring/offers';
import { sampleWork } from '../src/work/engagements/engagements.fixtures.ts';

export function sampleOffer(change: Partial<Offer> = {}): Offer {
  const { business, worker, terms, applicationId, jobId } = sampleWork();
  return {
    id: '0193aaaa-0000-7000-8000-0000000000f1',
    version: 1,
    side: 'worker',
    status: 'sent',
    source: 'business',
    applicationId,
    jobId,
    seriesId: null,
    asBlock: false,
    business,
    worker,
    terms,
    funding: 'funded',
    hold: null,
    message: '',
    sentAt: '2026-11-20T09:00:00Z',
    expiresAt: '2026-11-22T09:00:00Z',
    decidedAt: null,
    reason: null,
    engagementId: null,
    steps: [],
    actions: ['accept', 'decline'],
    ...change,
  };
}
