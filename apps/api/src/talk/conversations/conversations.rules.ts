import {
  applicantsPath,
  applicationPath,
  engagementPath,
  interviewPath,
  jobPath,
} from '@nearhand/contract/app-paths';
import { addMs, dayMs } from '@nearhand/contract/durations';
import type { ErrorCode } from '@nearhand/contract/errors';
import type { Conversation, ConversationState } from '@nearhand/contract/talk/conversations';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { type ChatSide, type SystemLine, workLines } from '@nearhand/contract/talk/messages';

/** `endedAt` of the application or engagement; null while one is open. */
export type ConversationStanding = { frozen: boolean; blockedBy: readonly ChatSide[]; endedAt: Date | null };

/**
 * The time a conversation becomes read-only: 30 days after the work, or after the application without any work
 * (product.md, Conversation).
 */
export const readOnlyAt = (endedAt: Date | null): Date | null =>
  endedAt && addMs(endedAt, talkLimits.chatReadOnlyDays * dayMs);

/** Derives the state by precedence: an operator's freeze, then a block, then time. */
export function stateOf(standing: ConversationStanding, now: Date): ConversationState {
  if (standing.frozen) return 'frozen';
  if (standing.blockedBy.length > 0) return 'blocked';
  const closesAt = readOnlyAt(standing.endedAt);
  return closesAt !== null && closesAt <= now ? 'read_only' : 'active';
}

/** The error of writing in this state. Reading, deleting and reporting are always possible. */
export const writingRefused: Record<ConversationState, ErrorCode | null> = {
  active: null,
  read_only: 'chat/read-only',
  blocked: 'chat/blocked',
  frozen: 'chat/frozen',
};

/** The side that has blocked a conversation, from the reader's point of view; null if neither. */
export function blockedByFor(side: ChatSide, blockedBy: readonly ChatSide[]): Conversation['blockedBy'] {
  if (blockedBy.length === 0) return null;
  if (blockedBy.length > 1) return 'both';
  return blockedBy[0] === side ? 'you' : 'them';
}

const answersNeeded = 3;
/** Median response time in minutes, at least 1; null with fewer than three responses. */
export function repliesInMinutes(waits: readonly number[]): number | null {
  if (waits.length < answersNeeded) return null;
  const sorted = [...waits].sort((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return Math.max(1, Math.round(middle / 60));
}

/** Read receipts go both ways. `theirs` is null if the other side has turned them off. */
export const readSeqShown = (mineShown: boolean, theirReadSeq: number | null): number | null =>
  mineShown ? theirReadSeq : null;

type Place = { side: ChatSide; jobId: string; applicationId: string | null; engagementId: string | null };

const aboutInterview: readonly SystemLine[] = [
  'interview-proposed',
  'interview-times-suggested',
  'interview-scheduled',
  'interview-cancelled',
];

/** The screen a line leads its reader to, as notices do. */
export function pathOfLine(
  line: SystemLine,
  data: Record<string, string | number | undefined>,
  place: Place,
): string | null {
  const isWorker = place.side === 'worker';
  if (aboutInterview.includes(line) && data.interviewId !== undefined)
    return interviewPath(String(data.interviewId));
  const isAboutWork = (workLines as readonly SystemLine[]).includes(line);
  if (isAboutWork || (line === 'offer-accepted' && place.engagementId !== null)) {
    if (place.engagementId === null) return null;
    return engagementPath(place.engagementId, place.side);
  }
  if (place.applicationId === null)
    return isWorker ? jobPath(place.jobId) : applicantsPath(place.jobId, null);
  return isWorker ? applicationPath(place.applicationId) : applicantsPath(place.jobId, place.applicationId);
}
