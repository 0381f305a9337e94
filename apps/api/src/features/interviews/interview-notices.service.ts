import type { NotificationTopic } from '@nearhand/contract/notifications';
import type { Side } from '@nearhand/contract/terms';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../notifications/notifications.service.ts';
import { endOf } from './interviews.rules.ts';
import { findNoticeFacts } from './interviews.sql.ts';

export type InterviewTopic = Extract<NotificationTopic, `interview-${string}`>;

/** Where a notice about an interview leads, on either side. */
export const interviewPath = (interviewId: string): string => `/interview?id=${interviewId}`;

export type InterviewNotice = {
  topic: InterviewTopic;
  to: readonly Side[];
  interview: { id: string; version: number; starts_at: Date | null; minutes: number };
  /** Told to everyone of these sides but this account: it did it. */
  but?: string;
  /** Makes the notice one of its kind; absent: the version of the interview, so that every move is told. */
  event?: string;
  /** What the words need besides; instants as ISO text. */
  data?: Notice['data'];
};

/** Tells the worker, the recruiters of the business or both what happened to interviews; each once, however often it runs. */
export async function tellOfInterviews(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  notices: readonly InterviewNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  const known = await findNoticeFacts(
    tx,
    notices.map(({ interview }) => interview.id),
  );
  const factsOf = new Map(known.map((facts) => [facts.id, facts]));
  await notifyAll(
    tx,
    scope,
    notices.flatMap(({ topic, to, interview, but, event, data }) => {
      const facts = factsOf.get(interview.id);
      if (!facts) return [];
      const times = interview.starts_at && {
        startsAt: interview.starts_at.toISOString(),
        endsAt: endOf(interview)?.toISOString() ?? '',
      };
      return to.flatMap((side) =>
        (side === 'worker' ? [facts.worker_id] : facts.recruiters)
          .filter((accountId) => accountId !== but)
          .map((accountId) => ({
            accountId,
            topic,
            data: {
              jobTitle: facts.job_title,
              businessName: facts.business_name,
              workerName: facts.worker_name,
              timeZone: facts.time_zone,
              side,
              ...times,
              ...data,
            },
            path: interviewPath(interview.id),
            dedupeKey: `${topic}/${interview.id}/${event ?? interview.version}`,
          })),
      );
    }),
  );
}
