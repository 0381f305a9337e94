import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RenderOptions } from '../../../test/device.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { queryClient } from '../../lib/api/query.ts';
import { codeAt } from '../attendance/attendance.api.ts';
import { sampleEngagement } from '../engagements/engagements.fixtures.ts';
import PrefetchShift from './prefetch-shift-offline.ts';

const here = sampleEngagement({
  id: '0193aaaa-0000-7000-8000-0000000000e1',
  status: 'checked_in',
  side: 'business',
});
const due = sampleEngagement({
  id: '0193aaaa-0000-7000-8000-0000000000e2',
  status: 'booked',
  side: 'business',
});
const counts = { due: 1, late: 0, here: 1, to_approve: 0, unsettled: 0, no_show: 0, ended: 0 };
const code = { code: '123456', validUntil: '2026-11-21T09:01:00Z', ahead: ['234567', '345678'] };

const open = (session: RenderOptions['session']) =>
  renderPart(<PrefetchShift />, {
    session,
    api: {
      'businesses.mine': [sampleBusiness()],
      'engagements.forBusiness': ({ group }) => ({
        items: group === 'here' ? [here] : group === 'due' ? [due] : [],
        nextCursor: null,
        counts,
      }),
      'engagements.get': here,
      'attendance.siteCode': code,
    },
  });

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('keeping the shift of a business on the device', () => {
  it('fetches expected workers, the attendance of those present, and the codes, for a day', async () => {
    const { api } = open('business');
    await vi.advanceTimersByTimeAsync(10_000);
    await vi.waitFor(() => expect(api.calls('attendance.siteCode')).toHaveLength(1));
    expect(api.inputs('engagements.forBusiness').map(({ group }) => group)).toEqual(['here', 'late', 'due']);
    expect(api.inputs('engagements.get')).toEqual([{ engagementId: here.id }]);
    const queries = queryClient.getQueryCache().getAll();
    for (const { queryKey, meta } of queries)
      if (!JSON.stringify(queryKey).includes('businesses'))
        expect(meta, JSON.stringify(queryKey)).toEqual({ keep: 'day' });
    expect(queries).toHaveLength(6);
  });

  it.each(['worker', 'signedOut'] as const)('fetches nothing for %s', async (session) => {
    const { api } = open(session);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(api.calls('engagements.forBusiness')).toEqual([]);
    expect(api.calls('businesses.mine')).toEqual([]);
  });
});

describe('the check-in code without a network', () => {
  it.each([
    ['09:00:30', '123456', '09:01:00'],
    ['09:01:00', '234567', '09:02:00'],
    ['09:02:59', '345678', '09:03:00'],
  ])('at %s is %s until %s', (at, day, until) => {
    expect(codeAt(code, new Date(`2026-11-21T${at}Z`))).toEqual({
      code: day,
      validUntil: new Date(`2026-11-21T${until}Z`),
    });
  });

  it('is empty when the stored ones are used up', () => {
    expect(codeAt(code, new Date('2026-11-21T09:03:00Z'))).toBeNull();
  });
});
