import { minuteMs } from '@nearhand/contract/durations';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useCallback } from 'react';
import { queryClient } from '../../lib/api/query.ts';
import { persistForDay } from '../../lib/api/query-options.ts';
import { side, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { usePrefetchOffline } from '../../lib/device/use-prefetch-offline.ts';
import { useUser } from '../../lib/session.ts';
import { fetchCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { siteCodeOf } from '../attendance/attendance.api.ts';
import { businessEngagements, engagementsOf, oneEngagement } from '../engagements/engagements.api.ts';

/** A business with more people on shift needs a network for the rest. */
const detailsMax = 12;
const codesMax = 4;
const freshMs = 5 * minuteMs;

/** Fetches what a manager may need on site offline, for a day (ADR 272). Stops at the first failure. */
async function prefetchShift(): Promise<void> {
  const business = await fetchCurrentBusiness(freshMs);
  if (business === null || !roleMay(business.role, 'work')) return;
  const businessId = business.id;
  const options = { staleTime: freshMs, retry: false };
  const expected = [];
  for (const group of ['here', 'late', 'due'] as const)
    expected.push(
      ...engagementsOf(
        await queryClient.fetchInfiniteQuery({ ...businessEngagements(businessId, { group }), ...options }),
      ),
    );
  const here = expected.filter(({ status }) => status === 'checked_in' || status === 'checked_out');
  for (const { id } of here.slice(0, detailsMax))
    await queryClient.fetchQuery({ ...oneEngagement(id), ...persistForDay, ...options });
  const jobs = new Set(expected.filter(({ terms }) => terms.kind === 'shift').map(({ jobId }) => jobId));
  for (const jobId of [...jobs].slice(0, codesMax))
    await queryClient.fetchQuery({ ...siteCodeOf(jobId), ...options });
}

export default function PrefetchShift(): null {
  const user = useUser();
  const isHirer = useDeviceSetting(side) === 'hire' && user?.emailVerified === true;
  const fetch = useCallback(() => prefetchShift(), []);
  usePrefetchOffline(isHirer, fetch);
  return null;
}
