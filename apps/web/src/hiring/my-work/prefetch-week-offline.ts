import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { useCallback } from 'react';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { side, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { usePrefetchOffline } from '../../lib/device/use-prefetch-offline.ts';
import { useUser } from '../../lib/session.ts';
import { myBalance } from '../../money/payouts/payouts.api.ts';
import { myConversations } from '../../talk/conversations/conversations.api.ts';
import { storeRecent } from '../../talk/messages/message-store.api.ts';
import { engagementsOf, myEngagements, oneEngagement } from '../../work/engagements/engagements.api.ts';
import { myApplications } from '../applications/applications.api.ts';
import { myInterviews } from '../interviews/interviews.api.ts';
import { myInvitations } from '../invitations/invitations.api.ts';
import { jobQuery } from '../jobs/jobs.api.ts';
import { myOffers } from '../offers/offers.api.ts';
import { savedJobs } from '../saved-jobs/saved-jobs.api.ts';

/** Details of work that begins within this time are stored: place, code, contact. */
const aheadMs = 7 * dayMs;
/** Someone with more work this week is online on most days. */
const detailsMax = 12;
const invitationsMax = 5;
const freshMs = 15 * minuteMs;

/**
 * Fetches what a worker may need offline, one call at a time so as not to delay others. Stops at the first
 * failure.
 */
async function prefetchWeek(now: number): Promise<void> {
  const staleTime = freshMs;
  const booked = await queryClient.fetchInfiniteQuery({ ...myEngagements('live'), staleTime, retry: false });
  const soon = engagementsOf(booked)
    .filter(({ terms }) => terms.startsAt === null || Date.parse(terms.startsAt) < now + aheadMs)
    .slice(0, detailsMax);
  for (const { id } of soon) await queryClient.fetchQuery({ ...oneEngagement(id), staleTime, retry: false });
  const applied = await queryClient.fetchInfiniteQuery({
    ...myApplications('live'),
    staleTime,
    retry: false,
  });
  await prefetchToAnswer(applied.pages.flatMap(({ items }) => items).some(hasInterview));
  const talked = await queryClient.fetchInfiniteQuery({
    ...myConversations({ side: 'work' }),
    staleTime,
    retry: false,
  });
  await queryClient.fetchQuery({ ...myBalance(), staleTime, retry: false });
  await queryClient.fetchInfiniteQuery({ ...savedJobs(), staleTime, retry: false });
  await storeRecent(talked.pages.flatMap(({ items }) => items));
}

const hasInterview = ({ interview }: MyApplication): boolean => interview !== null;

async function prefetchToAnswer(interviews: boolean): Promise<void> {
  const options = { staleTime: freshMs, retry: false };
  await queryClient.fetchInfiniteQuery({ ...myOffers('live'), ...options });
  const invited = await queryClient.fetchInfiniteQuery({ ...myInvitations(), ...options });
  const open = invited.pages.flatMap(({ items }) => items).filter(({ status }) => status === 'sent');
  for (const { job } of open.slice(0, invitationsMax))
    await queryClient.fetchQuery({ ...jobQuery(job.id), ...options }).catch((error: unknown) => {
      // A job closed to the invited must not stop the rest.
      if (isNetworkError(error)) throw error;
    });
  if (!interviews) return;
  for (const group of ['to_answer', 'upcoming'] as const)
    await queryClient.fetchInfiniteQuery({ ...myInterviews(group), ...options });
}

export default function PrefetchWeek(): null {
  const user = useUser();
  const isWorking = useDeviceSetting(side) === 'work' && user?.emailVerified === true;
  const fetch = useCallback(() => prefetchWeek(Date.now()), []);
  usePrefetchOffline(isWorking, fetch);
  return null;
}
