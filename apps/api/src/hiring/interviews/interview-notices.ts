import { interviewPath } from '@nearhand/contract/app-paths';
import { otherSide, type Side } from '@nearhand/contract/sides';
import type { SystemLine } from '@nearhand/contract/talk/messages';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { TopicData } from '@nearhand/contract/talk/topics/notice-facts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { postSystemMessages, type SystemMessageText } from '../../talk/messages/system-messages.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { interviewEnd } from './interviews.rules.ts';
import { findInterviewNoticeFacts } from './interviews.sql.ts';

type InterviewTopic = Extract<NotificationTopic, `interview-${string}`>;

export type InterviewNotice = {
  topic: InterviewTopic;
  to: readonly Side[];
  interview: { id: string; version: number; startsAt: Date | null; minutes: number };
  exceptAccountId?: string;
  /** Makes the notice unique; the interview's version by default. */
  event?: string;
  data?: TopicData<InterviewTopic>;
};

const systemLines: Partial<Record<InterviewTopic, SystemLine>> = {
  'interview-proposed': 'interview-proposed',
  'interview-times-suggested': 'interview-times-suggested',
  'interview-scheduled': 'interview-scheduled',
  'interview-cancelled': 'interview-cancelled',
  'interview-lapsed': 'interview-cancelled',
};

function chatLines(
  { topic, to, interview, data }: InterviewNotice,
  message: Pick<SystemMessageText, 'jobId' | 'workerId'>,
): SystemMessageText[] {
  const line = systemLines[topic];
  if (!line) return [];
  const startsAt = topic === 'interview-scheduled' ? interview.startsAt?.toISOString() : undefined;
  return [
    {
      ...message,
      line,
      data: {
        interviewId: interview.id,
        startsAt,
        by: topic === 'interview-times-suggested' && to[0] ? otherSide(to[0]) : undefined,
        why: topic === 'interview-lapsed' ? 'lapsed' : undefined,
        reason: data?.reason || undefined,
      },
      key: `${interview.id}/${interview.version}`,
    },
  ];
}

/** Notifies both sides of changes to interviews, by notice and in chat. Idempotent. */
export async function notifyOfInterviews(
  tx: Tx,
  scope: ClockScope,
  notices: readonly InterviewNotice[],
): Promise<void> {
  if (notices.length === 0) return;
  const noticeFacts = await findInterviewNoticeFacts(
    tx,
    notices.map(({ interview }) => interview.id),
  );
  const factsOf = new Map(noticeFacts.map((facts) => [facts.id, facts]));
  await postSystemMessages(
    tx,
    scope,
    notices.flatMap((notice) => {
      const facts = factsOf.get(notice.interview.id);
      return facts ? chatLines(notice, { jobId: facts.jobId, workerId: facts.workerId }) : [];
    }),
  );
  await notifyAll(
    tx,
    scope,
    notices.flatMap(({ topic, to, interview, exceptAccountId, event, data }) => {
      const facts = factsOf.get(interview.id);
      if (!facts) return [];
      const times = interview.startsAt && {
        startsAt: interview.startsAt.toISOString(),
        endsAt: interviewEnd(interview)?.toISOString() ?? '',
      };
      return to.flatMap((side) =>
        (side === 'worker' ? [facts.workerId] : facts.recruiters)
          .filter((accountId) => accountId !== exceptAccountId)
          .map((accountId) => ({
            accountId,
            topic,
            data: {
              jobTitle: facts.jobTitle,
              businessName: facts.businessName,
              workerName: facts.workerName,
              timeZone: facts.timeZone,
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

export const notifyOfInterview = (tx: Tx, scope: ClockScope, notice: InterviewNotice): Promise<void> =>
  notifyOfInterviews(tx, scope, [notice]);
