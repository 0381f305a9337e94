import { interviewPath } from '@nearhand/contract/app-paths';
import type { Side } from '@nearhand/contract/sides';
import type { SystemLine } from '@nearhand/contract/talk/messages';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Said, sayAll } from '../../talk/messages/system-lines.service.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.service.ts';
import { endOf } from './interviews.rules.ts';
import { findNoticeFacts } from './interviews.sql.ts';

export type InterviewTopic = Extract<NotificationTopic, `interview-${string}`>;

export type InterviewNotice = {
  topic: InterviewTopic;
  to: readonly Side[];
  interview: { id: string; version: number; starts_at: Date | null; minutes: number };
  /** Notifies everyone on these sides but this account, who did it. */
  but?: string;
  /** Makes the notice unique; by default the interview's version, so every move is notified. */
  event?: string;
  /** Extra data for the texts; instants as ISO text. */
  data?: Notice['data'];
};

/** The chat line for a change to an interview, where it is or is no longer scheduled. */
const lineOf: Partial<Record<InterviewTopic, SystemLine>> = {
  'interview-proposed': 'interview-proposed',
  'interview-scheduled': 'interview-scheduled',
  'interview-cancelled': 'interview-cancelled',
  'interview-lapsed': 'interview-cancelled',
};

function linesOf({ topic, interview, data }: InterviewNotice, of: Pick<Said, 'jobId' | 'workerId'>): Said[] {
  const line = lineOf[topic];
  if (!line) return [];
  const startsAt = topic === 'interview-scheduled' ? interview.starts_at?.toISOString() : undefined;
  return [
    {
      ...of,
      line,
      data: {
        interviewId: interview.id,
        ...(startsAt ? { startsAt } : {}),
        ...(topic === 'interview-lapsed' ? { why: 'lapsed' } : {}),
        ...(data?.reason ? { reason: data.reason } : {}),
      },
      key: `${interview.id}/${interview.version}`,
    },
  ];
}

/** Notifies the worker, the recruiters or both of changes to interviews, and posts them in chat; once each, however often it runs. */
export async function notifyOfInterviews(
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
  await sayAll(
    tx,
    scope,
    notices.flatMap((notice) => {
      const facts = factsOf.get(notice.interview.id);
      return facts ? linesOf(notice, { jobId: facts.job_id, workerId: facts.worker_id }) : [];
    }),
  );
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
