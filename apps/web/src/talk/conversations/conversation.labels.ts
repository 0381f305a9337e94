import { t } from '@lingui/core/macro';
import { applicantsPath, applicationPath, engagementPath, jobPath } from '@nearhand/contract/app-paths';
import { firstNameOf } from '@nearhand/contract/people/names.rules';
import type { Conversation, ConversationState } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { settingsNow } from '../../lib/settings.ts';
import { formatAgo, formatMinutes } from '../../lib/words/format.ts';
import { messageLine, systemText } from '../messages/message.labels.ts';

export const chatPartnerName = (conversation: Pick<Conversation, 'side' | 'business' | 'worker'>): string =>
  conversation.side === 'worker' ? conversation.business.name : conversation.worker.name;

/** The business's last writer. The newest message alone would make the name flicker with each reply. */
export function personOf(
  { side, last }: Pick<Conversation, 'side' | 'last'>,
  messages: ReadonlyMap<number, Message>,
): string | null {
  if (side !== 'worker') return null;
  let newest: Message | null = null;
  for (const message of last ? [...messages.values(), last] : messages.values())
    if (message.from?.side === 'business' && message.seq >= (newest?.seq ?? 0)) newest = message;
  return newest?.from?.name ?? null;
}

export function chatRecordPath(
  { side, engagementId, applicationId, job, worker }: Conversation,
  wide: boolean,
): string {
  if (engagementId) return engagementPath(engagementId, side);
  if (side === 'worker') return applicationId ? applicationPath(applicationId) : jobPath(job.id);
  return wide || !applicationId
    ? applicantsPath(job.id, applicationId)
    : `/worker-details/${worker.id}?application=${applicationId}`;
}

export const lastLine = (
  conversation: Conversation,
  meId: string | null,
): { who: string | null; text: string } =>
  conversation.last
    ? matchingLine(conversation, conversation.last, meId)
    : { who: null, text: t`No messages yet` };

export function matchingLine(
  conversation: Conversation,
  message: Message,
  meId: string | null,
): { who: string | null; text: string } {
  if (message.system) return { who: null, text: systemText(message.system, conversation) };
  const text = messageLine(message);
  const { from } = message;
  if (from === null) return { who: null, text };
  if (from.accountId === meId) return { who: t`You`, text };
  // The worker's name is shown above already; a business has several people.
  return { who: from.side === 'worker' ? null : firstNameOf(from.name), text };
}

export function presenceText(
  conversation: Pick<Conversation, 'online' | 'lastSeenAt' | 'repliesInMinutes'>,
  now: Date,
): string | null {
  if (conversation.online) return t`online`;
  if (conversation.repliesInMinutes !== null) {
    const pace = formatMinutes(rounded(conversation.repliesInMinutes));
    return t`replies in ${pace}`;
  }
  if (conversation.lastSeenAt === null) return null;
  const ago = formatAgo(conversation.lastSeenAt, now);
  return t`last seen ${ago.toLocaleLowerCase()}`;
}

/** Response times are approximate: whole hours if two or more, quarters of an hour below, days above. */
function rounded(minutes: number): number {
  if (minutes >= 120) return Math.round(minutes / 60) * 60;
  if (minutes >= 15) return Math.round(minutes / 15) * 15;
  return Math.max(1, minutes);
}

/** The reason why nothing can be written, for the bottom of the conversation; null if it can. */
export function closedConversationText(
  conversation: Pick<Conversation, 'state' | 'blockedBy' | 'side' | 'business' | 'worker'>,
): string | null {
  const name = chatPartnerName(conversation);
  const days = settingsNow() as { chatReadOnlyDays?: number };
  const texts: Record<Exclude<ConversationState, 'active'>, string> = {
    read_only: t`The work ended more than ${days.chatReadOnlyDays ?? 30} days ago. You can read this conversation but no longer write in it.`,
    frozen: t`Our team has paused this conversation while reviewing a report. You can still read it.`,
    blocked:
      conversation.blockedBy === 'them'
        ? t`${name} isn't accepting messages from you.`
        : conversation.blockedBy === 'both'
          ? t`You and ${name} have blocked each other.`
          : t`You blocked ${name}. Neither of you can write here.`,
  };
  return conversation.state === 'active' ? null : texts[conversation.state];
}

export const messageDraftKey = (conversationId: string): string => `chat:${conversationId}`;
export const isMessageDraft = (value: unknown): value is string => typeof value === 'string';
