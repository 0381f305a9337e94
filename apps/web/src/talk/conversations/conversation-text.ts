import { t } from '@lingui/core/macro';
import { applicantsPath, applicationPath, engagementPath, jobPath } from '@nearhand/contract/app-paths';
import type { Conversation, ConversationState } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { settingsNow } from '../../lib/settings.ts';
import { formatAgo, formatMinutes } from '../../lib/words/format.ts';
import { messageLine, systemText } from '../messages/message-text.ts';

/** The other side's name: the business for a worker, the worker for a business. */
export const otherName = (one: Pick<Conversation, 'side' | 'business' | 'worker'>): string =>
  one.side === 'worker' ? one.business.name : one.worker.name;

/**
 * Who writes for the business, for a worker: the last of them among the loaded messages; null without any. Not from the newest message
 * alone, or the name would flicker with each answer.
 */
export function personOf(
  { side, last }: Pick<Conversation, 'side' | 'last'>,
  known: ReadonlyMap<number, Message>,
): string | null {
  if (side !== 'worker') return null;
  let found: Message | null = null;
  for (const one of last ? [...known.values(), last] : known.values())
    if (one.from?.side === 'business' && one.seq >= (found?.seq ?? 0)) found = one;
  return found?.from?.name ?? null;
}

/**
 * The path of a conversation's record for this caller. An applicant opens next to the job's board on a desktop (`wide`), as a separate
 * page on a phone.
 */
export function recordPath(
  { side, engagementId, applicationId, job, worker }: Conversation,
  wide: boolean,
): string {
  if (engagementId) return engagementPath(engagementId, side);
  if (side === 'worker') return applicationId ? applicationPath(applicationId) : jobPath(job.id);
  return wide || !applicationId
    ? applicantsPath(job.id, applicationId)
    : `/worker-details/${worker.id}?application=${applicationId}`;
}

/** A conversation's last line in the list: who wrote it, and what. */
export const lastLine = (one: Conversation, meId: string | null): { who: string | null; text: string } =>
  one.last ? matchingLine(one, one.last, meId) : { who: null, text: t`No messages yet` };

/** One message of a conversation in the list. */
export function matchingLine(
  one: Conversation,
  message: Message,
  meId: string | null,
): { who: string | null; text: string } {
  if (message.system) return { who: null, text: systemText(message.system, one) };
  const text = messageLine(message);
  const { from } = message;
  if (from === null) return { who: null, text };
  if (from.accountId === meId) return { who: t`You`, text };
  // The worker's name is shown above already; a business has several people.
  return { who: from.side === 'worker' ? null : (from.name.split(' ')[0] ?? from.name), text };
}

/** The other side's presence and response time; null if unknown. */
export function presenceText(
  one: Pick<Conversation, 'online' | 'lastSeenAt' | 'repliesInMinutes'>,
  now: Date,
): string | null {
  if (one.online) return t`online`;
  if (one.repliesInMinutes !== null) {
    const pace = formatMinutes(rounded(one.repliesInMinutes));
    return t`replies in ${pace}`;
  }
  if (one.lastSeenAt === null) return null;
  const ago = formatAgo(one.lastSeenAt, now);
  return t`last seen ${ago.toLocaleLowerCase()}`;
}

/** Response times are approximate: whole hours from two hours on, quarters below, days above. */
function rounded(minutes: number): number {
  if (minutes >= 120) return Math.round(minutes / 60) * 60;
  if (minutes >= 15) return Math.round(minutes / 15) * 15;
  return Math.max(1, minutes);
}

/** Why nothing can be written, for the bottom of the conversation; null if it can. */
export function closedText(
  one: Pick<Conversation, 'state' | 'blockedBy' | 'side' | 'business' | 'worker'>,
): string | null {
  const name = otherName(one);
  const days = settingsNow() as { chatReadOnlyDays?: number };
  const texts: Record<Exclude<ConversationState, 'active'>, string> = {
    read_only: t`The work ended more than ${days.chatReadOnlyDays ?? 30} days ago. You can read this conversation but no longer write in it.`,
    frozen: t`Our team has paused this conversation while reviewing a report. You can still read it.`,
    blocked:
      one.blockedBy === 'them'
        ? t`${name} isn't accepting messages from you.`
        : one.blockedBy === 'both'
          ? t`You and ${name} have blocked each other.`
          : t`You blocked ${name}. Neither of you can write here.`,
  };
  return one.state === 'active' ? null : texts[one.state];
}

/** The device key of a conversation's draft. */
export const draftKey = (conversationId: string): string => `chat:${conversationId}`;
export const isDraft = (value: unknown): value is string => typeof value === 'string';
