import { t } from '@lingui/core/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';

const lowerWords = (text: string): Set<string> =>
  new Set(text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Returns whether two quick replies are nearly the same, so that ours would be redundant. */
export function isNearlyAlike(sentence: string, draft: string): boolean {
  const a = lowerWords(sentence);
  const b = lowerWords(draft);
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(1, Math.min(a.size, b.size)) >= 0.6;
}

/** Replies that fit the step: a worker is not on their way, or done with the work, before a hire. */
export const suggestions = ({ side, hired }: Pick<Conversation, 'side' | 'hired'>): string[] => {
  if (!hired)
    return side === 'worker'
      ? [t`Is the job still open?`, t`What should I bring?`, t`When would I hear from you?`]
      : [t`Thank you for applying. When could you come by?`, t`Have you done this work before?`];
  return side === 'worker'
    ? [t`Thank you, I'll be there.`, t`I'm on my way.`, t`When should I come?`, t`What should I bring?`]
    : [t`Please ring the bell when you arrive.`, t`Thank you for your great work.`, t`How did it go today?`];
};
