import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { describe, expect, it } from 'vitest';
import { offerThatCounts } from './offer-answer.part.tsx';

const id = '0193aaaa-0000-7000-8000-0000000000d1';
const application = (
  status: MyApplication['status'],
  offer: NonNullable<MyApplication['offer']>['status'] | null,
) =>
  ({ status, offer: offer === null ? null : { id, status: offer } }) as Pick<
    MyApplication,
    'status' | 'offer'
  >;

describe('the pay in the head of an application', () => {
  it('is that of the offer while it waits and once it is accepted, else that of the job', () => {
    expect(offerThatCounts(application('offered', 'sent'))).toBe(id);
    expect(offerThatCounts(application('hired', 'accepted'))).toBe(id);
    expect(offerThatCounts(application('offer_declined', 'declined'))).toBeNull();
    expect(offerThatCounts(application('submitted', null))).toBeNull();
  });
});
