import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { side, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { useKeptAhead } from '../../lib/device/use-kept-ahead.ts';
import { useUser } from '../../lib/session.ts';
import { myBalance } from '../../money/payouts/payouts.api.ts';
import { myConversations } from '../../talk/conversations/conversations.api.ts';
import { keepRecent } from '../../talk/messages/message-store.api.ts';
import { engagementsOf, myEngagements, oneEngagement } from '../../work/engagements/engagements.api.ts';
import { myApplications } from '../applications/applications.api.ts';
import { myInterviews } from '../interviews/interviews.api.ts';
import { myInvitations } from '../invitations/invitations.api.ts';
import { oneJob } from '../jobs/jobs.api.ts';
import { myOffers } from '../offers/offers.api.ts';
import { savedJobs } from '../saved-jobs/saved-jobs.api.ts';

/** Of the booked work, the details of what begins within this are kept: place, code, contact. */
const aheadMs = 7 * dayMs;
/** Someone with more to do this week has a network on most of the days. */
const mostDetails = 12;
const mostInvitations = 5;
/** What is no older is not fetched again. */
const freshMs = 15 * minuteMs;

/**
 * Fetches what a worker may need without a network, in the order of need: this week's work in detail, then applications, what is to be answered, conversations, balance, saved jobs, and the last messages. The app
 * stores what it has fetched and shows it with its age. Calls go one after the other, so that they never delay what someone opens. Stops at the first failure.
 */
export async function keepWeek(client: QueryClient, now: number): Promise<void> {
  const staleTime = freshMs;
  const booked = await client.fetchInfiniteQuery({ ...myEngagements('live'), staleTime, retry: false });
  const soon = engagementsOf(booked)
    .filter(({ terms }) => terms.startsAt === null || Date.parse(terms.startsAt) < now + aheadMs)
    .slice(0, mostDetails);
  for (const { id } of soon) await client.fetchQuery({ ...oneEngagement(id), staleTime, retry: false });
  const applied = await client.fetchInfiniteQuery({ ...myApplications('live'), staleTime, retry: false });
  await keepToAnswer(client, applied.pages.flatMap(({ items }) => items).some(hasInterview));
  const talked = await client.fetchInfiniteQuery({
    ...myConversations({ side: 'work' }),
    staleTime,
    retry: false,
  });
  await client.fetchQuery({ ...myBalance(), staleTime, retry: false });
  await client.fetchInfiniteQuery({ ...savedJobs(), staleTime, retry: false });
  await keepRecent(talked.pages.flatMap(({ items }) => items));
}

const hasInterview = ({ interview }: MyApplication): boolean => interview !== null;

/** What needs the worker's attention: offers, invitations with their jobs, and the times of interviews. */
async function keepToAnswer(client: QueryClient, interviews: boolean): Promise<void> {
  const options = { staleTime: freshMs, retry: false };
  await client.fetchInfiniteQuery({ ...myOffers('live'), ...options });
  const invited = await client.fetchInfiniteQuery({ ...myInvitations(), ...options });
  const open = invited.pages.flatMap(({ items }) => items).filter(({ status }) => status === 'sent');
  for (const { job } of open.slice(0, mostInvitations))
    await client.fetchQuery({ ...oneJob(job.id), ...options }).catch((error: unknown) => {
      // A job that has just been closed to the invited is no reason to keep nothing else.
      if (isNetworkError(error)) throw error;
    });
  if (!interviews) return;
  for (const group of ['to_answer', 'upcoming'] as const)
    await client.fetchInfiniteQuery({ ...myInterviews(group), ...options });
}

/** Keeps a worker's week on the device. Shows nothing. */
export default function KeepWeek(): null {
  const client = useQueryClient();
  const user = useUser();
  const works = useDeviceSetting(side) === 'work' && user?.emailVerified === true;
  const fetch = useCallback(() => keepWeek(client, Date.now()), [client]);
  useKeptAhead(works, fetch);
  return null;
}
