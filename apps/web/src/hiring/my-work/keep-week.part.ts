import { dayMs, minuteMs } from '@nearhand/contract/durations';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { side, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { useKeptAhead } from '../../lib/device/use-kept-ahead.ts';
import { useUser } from '../../lib/session.ts';
import { myBalance } from '../../money/payouts/payouts.api.ts';
import { myConversations } from '../../talk/conversations/conversations.api.ts';
import { keepRecent } from '../../talk/messages/message-store.api.ts';
import { engagementsOf, myEngagements, oneEngagement } from '../../work/engagements/engagements.api.ts';
import { myApplications } from '../applications/applications.api.ts';
import { savedJobs } from '../saved-jobs/saved-jobs.api.ts';

/** Of the booked work, the details of what begins within this are kept: place, code, contact. */
const aheadMs = 7 * dayMs;
/** Someone with more to do this week has a network on most of the days. */
const mostDetails = 12;
/** What is no older is not fetched again. */
const freshMs = 15 * minuteMs;

/**
 * Fetches what a worker may need without a network, in the order of need: this week's work in detail, then applications, conversations, balance, saved jobs, and the last messages. The app
 * stores what it has fetched and shows it with its age. Calls go one after the other, so that they never delay what someone opens. Stops at the first failure.
 */
export async function keepWeek(client: QueryClient, now: number): Promise<void> {
  const staleTime = freshMs;
  const booked = await client.fetchInfiniteQuery({ ...myEngagements('live'), staleTime, retry: false });
  const soon = engagementsOf(booked)
    .filter(({ terms }) => terms.startsAt === null || Date.parse(terms.startsAt) < now + aheadMs)
    .slice(0, mostDetails);
  for (const { id } of soon) await client.fetchQuery({ ...oneEngagement(id), staleTime, retry: false });
  await client.fetchInfiniteQuery({ ...myApplications('live'), staleTime, retry: false });
  const talked = await client.fetchInfiniteQuery({
    ...myConversations({ side: 'work' }),
    staleTime,
    retry: false,
  });
  await client.fetchQuery({ ...myBalance(), staleTime, retry: false });
  await client.fetchInfiniteQuery({ ...savedJobs(), staleTime, retry: false });
  await keepRecent(talked.pages.flatMap(({ items }) => items));
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
