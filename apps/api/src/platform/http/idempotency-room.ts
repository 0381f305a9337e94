import { dayMs } from '@nearhand/contract/durations';
import { AppError } from '../app-error.ts';

/** Bytes of answers kept for an account in a day, for each write that it may do in a minute: 7.9 MB unless configured (ADR 0005). */
const bytesPerWriteOfMinute = 64 * 1024;
/** Accounts counted at the same time; beyond it the day of who came first begins anew. */
const accountsCounted = 50_000;

/** How much each account has had kept since its day began. It lives in the process, as the counts of calls do (ADR 0125). */
export type AnswerRoom = {
  /** @throws request/too-many (data: retryAfterSeconds) for an account whose day is full */
  reserve(accountId: string, now: Date): void;
  take(accountId: string, bytes: number, now: Date): void;
};

export function createAnswerRoom(writesPerMinute: number): AnswerRoom {
  const bytesOfDay = writesPerMinute * bytesPerWriteOfMinute;
  const days = new Map<string, { endsAt: number; bytes: number }>();
  const dayOf = (accountId: string, now: Date) => {
    const day = days.get(accountId);
    return day && day.endsAt > now.getTime() ? day : undefined;
  };
  return {
    reserve(accountId, now) {
      const day = dayOf(accountId, now);
      if (day && day.bytes >= bytesOfDay)
        throw new AppError('request/too-many', {
          retryAfterSeconds: Math.ceil((day.endsAt - now.getTime()) / 1_000),
        });
    },
    take(accountId, bytes, now) {
      const day = dayOf(accountId, now) ?? { endsAt: now.getTime() + dayMs, bytes: 0 };
      day.bytes += bytes;
      // Put last again, so that the first of the map is whose day began first.
      if (day.bytes === bytes) days.delete(accountId);
      days.set(accountId, day);
      const [first] = days.keys();
      if (days.size > accountsCounted && first !== undefined) days.delete(first);
    },
  };
}
