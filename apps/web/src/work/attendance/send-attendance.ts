import type { Engagement } from '@nearhand/contract/work/engagements';
import { giveUpAfter } from '../../lib/api/abort-after.ts';
import { api } from '../../lib/api/api.ts';

export type Attendance = 'checkIn' | 'startBreak' | 'endBreak' | 'checkOut';
export type AttendanceInput = {
  engagementId: string;
  at: string;
  sentAt: string;
  position: { lat: number; lng: number; accuracyM: number } | null;
  code: string | null;
};
/** A phone that changes networks can leave a request pending for minutes; the queue must not wait for it. */
const answerMs = 8_000;

/** Sends one attendance event. The idempotency key makes a retry safe. */
export async function sendAttendance(
  kind: Attendance,
  input: AttendanceInput,
  idempotencyKey: string,
): Promise<Engagement> {
  const { signal, stop } = giveUpAfter(answerMs);
  try {
    return await api.attendance[kind](input, { context: { idempotencyKey }, signal });
  } finally {
    stop();
  }
}

export const readEngagement = (engagementId: string): Promise<Engagement> =>
  api.engagements.get({ engagementId });
