import type { Engagement } from '@nearhand/contract/work/engagements';
import { api } from '../../lib/api/api.ts';

export type Attendance = 'checkIn' | 'startBreak' | 'endBreak' | 'checkOut';
export type AttendanceInput = {
  engagementId: string;
  at: string;
  sentAt: string;
  position: { lat: number; lng: number; accuracyM: number } | null;
  code: string | null;
};
/** Sends one attendance event. The idempotency key makes a retry safe. */
export const sendAttendance = async (
  kind: Attendance,
  input: AttendanceInput,
  idempotencyKey: string,
): Promise<Engagement> => api.attendance[kind](input, { context: { idempotencyKey } });
