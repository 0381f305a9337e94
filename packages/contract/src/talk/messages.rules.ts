import { minuteMs } from '../durations.ts';
import { talkLimits } from './limits.ts';

/** Authors may edit a message for 5 minutes, inclusive. */
export const mayStillEdit = (sentAt: Date, now: Date): boolean =>
  now.getTime() - sentAt.getTime() <= talkLimits.chatEditMinutes * minuteMs;

/** Control characters alone would make an empty bubble. */
const hasVisibleText = (body: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(body);

/** The reason why this can't be sent; null if it can. Files alone are a message. */
export function messageProblem({
  body,
  files,
}: {
  body: string;
  files: number;
}): 'empty' | 'too-long' | null {
  if (body.trim().length > talkLimits.chatMessageMax) return 'too-long';
  return files === 0 && !hasVisibleText(body) ? 'empty' : null;
}

const excerptLength = 140;

/** The start of a message as a reply quotes it, cut between characters. */
export const excerptOf = (body: string): string =>
  [...body.slice(0, excerptLength * 2)].slice(0, excerptLength).join('');
