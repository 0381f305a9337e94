import { t } from '@lingui/core/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { ChatSide, Message, SystemLine } from '@nearhand/contract/talk/messages';
import { useRoom } from '../messages/message-store.api.ts';

const lowerWords = (text: string): Set<string> =>
  new Set(text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Returns whether two quick replies are nearly the same, so that ours would be redundant. */
export function isNearlyAlike(sentence: string, draft: string): boolean {
  const a = lowerWords(sentence);
  const b = lowerWords(draft);
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, Math.min(a.size, b.size)) >= 0.6;
}

type ReplyStep =
  | 'applying'
  | 'interview'
  | 'offer'
  | 'hired'
  | 'working'
  | 'worked'
  | 'ended'
  | 'declined'
  | 'missed';

const stepAfter: Record<SystemLine, ReplyStep> = {
  applied: 'applying',
  invited: 'applying',
  shortlisted: 'applying',
  'application-ended': 'ended',
  'interview-proposed': 'interview',
  'interview-times-suggested': 'interview',
  'interview-scheduled': 'interview',
  'interview-cancelled': 'applying',
  'offer-sent': 'offer',
  'offer-accepted': 'hired',
  'offer-declined': 'declined',
  'offer-ended': 'ended',
  hired: 'hired',
  'work-confirmed': 'hired',
  'checked-in': 'working',
  'checked-out': 'worked',
  'hours-submitted': 'worked',
  'hours-countered': 'worked',
  'work-delivered': 'worked',
  'changes-requested': 'worked',
  'work-approved': 'worked',
  'pay-released': 'worked',
  'work-cancelled': 'ended',
  'work-handed-on': 'declined',
  'work-day-off': 'hired',
  'no-show-reported': 'missed',
  'dispute-opened': 'worked',
  'dispute-settled': 'worked',
};

const repliesAt = (step: ReplyStep): Record<ChatSide, string[]> => {
  switch (step) {
    case 'applying':
      return {
        worker: [t`Is the job still open?`, t`What should I bring?`, t`When would I hear from you?`],
        business: [t`Thank you for applying. When could you come by?`, t`Have you done this work before?`],
      };
    case 'interview':
      return {
        worker: [t`Thank you for the invitation.`, t`Could we find another time?`, t`What should I bring?`],
        business: [t`I look forward to meeting you.`, t`Could we find another time?`],
      };
    case 'offer':
      return {
        worker: [t`Thank you for the offer.`, t`Can I let you know tomorrow?`, t`What should I bring?`],
        business: [t`Do you have any questions about the offer?`, t`We'd be glad to have you.`],
      };
    case 'hired':
      return {
        worker: [
          t`Thank you, I'll be there.`,
          t`I'm on my way.`,
          t`When should I come?`,
          t`What should I bring?`,
        ],
        business: [t`Please ring the bell when you arrive.`, t`See you soon.`],
      };
    case 'working':
      return {
        worker: [t`I've arrived.`, t`Who should I ask for?`, t`Could you help me for a moment?`],
        business: [t`How is it going?`, t`Please come and see me when you have a moment.`],
      };
    case 'worked':
      return {
        worker: [t`Thank you, I'd be glad to come again.`, t`When will you approve my hours?`],
        business: [t`Thank you for your great work.`, t`How did it go today?`],
      };
    // Either side may have ended it, so nobody thanks the other for it.
    case 'ended':
      return {
        worker: [t`Please keep me in mind for other jobs.`],
        business: [t`I hope it works out another time.`],
      };
    case 'declined':
      return {
        worker: [t`Please keep me in mind for other jobs.`],
        business: [t`Thank you for letting me know.`, t`I hope it works out another time.`],
      };
    case 'missed':
      return {
        worker: [t`I'd like to explain what happened.`],
        business: [t`Could you tell me what happened?`],
      };
  }
};

const workSteps: readonly ReplyStep[] = ['hired', 'working', 'worked', 'missed'];

/**
 * Replies that fit the latest step: nobody asks if a job is open once their interview is arranged. While another shift
 * is booked, the end of one leaves the replies of someone hired.
 */
export function suggestedReplies(
  { side, hired }: Pick<Conversation, 'side' | 'hired'>,
  messages: ReadonlyMap<number, Message>,
): string[] {
  let step: ReplyStep = hired ? 'hired' : 'applying';
  let showsHire = false;
  // The link of a line about work names its shift.
  const bookedPaths = new Set<string | null>();
  for (const { system } of [...messages.values()].toSorted((first, second) => first.seq - second.seq)) {
    const next = system ? stepAfter[system.line] : undefined;
    if (!system || !next) continue;
    step = next;
    showsHire ||= workSteps.includes(step);
    if (step === 'hired' && system.line !== 'work-day-off') bookedPaths.add(system.path);
    else bookedPaths.delete(system.path);
  }
  // The messages that are loaded may all be older than the hire.
  if (hired && !showsHire) step = 'hired';
  if (hired && bookedPaths.size > 0 && step !== 'working' && step !== 'missed') step = 'hired';
  return repliesAt(step)[side];
}

export const useSuggestions = (conversation: Pick<Conversation, 'id' | 'side' | 'hired'>): string[] =>
  suggestedReplies(conversation, useRoom(conversation.id).log.messages);
