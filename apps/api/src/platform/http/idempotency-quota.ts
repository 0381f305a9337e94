import { dayMs } from '@nearhand/contract/durations';
import { AppError } from '../app-error.ts';

/** Stored bytes per account and day, per write allowed in a minute: 7.9 MB by default (ADR 5). */
const bytesPerWriteOfMinute = 64 * 1024;
const accountsCounted = 50_000;

/** Stored bytes per account and day, in memory like rate limits (ADR 125). */
export type AnswerRoom = {
  /** @throws request/too-many (data: retryAfterSeconds) over the daily limit */
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
      // Reinserted last, so that the map's first entry has the oldest day.
      if (day.bytes === bytes) days.delete(accountId);
      days.set(accountId, day);
      const [first] = days.keys();
      if (days.size > accountsCounted && first !== undefined) days.delete(first);
    },
  };
}
