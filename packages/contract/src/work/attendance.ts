import { z } from 'zod';
import { id, instant, operation } from '../operation.ts';
import { point } from '../people/places.ts';
import { siteCodeShape } from './attendance.rules.ts';
import { engagement, engagementMove } from './engagements.ts';

/** Wider than the earth: such a position says nothing and is still no error. */
const worstAccuracyM = 50_000_000;

/**
 * A device's evidence for an attendance event. `at` and `sentAt` are by the device's clock; the server subtracts their difference from its own, so a wrong
 * clock or a queued event doesn't matter. No version: an offline check-in must not fail because something else changed.
 */
export const evidence = z.object({
  engagementId: id,
  at: instant,
  sentAt: instant,
  /** Degrees, and accuracy in metres; a poor fix may report thousands of kilometres. */
  position: z
    .object({ ...point.shape, accuracyM: z.number().min(0).max(worstAccuracyM) })
    .nullable()
    .default(null),
  /** The check-in code. */
  code: z.string().regex(siteCodeShape).nullable().default(null),
});
export type Evidence = z.infer<typeof evidence>;

const errors = [
  'engagement/not-found',
  'engagement/not-allowed',
  'engagement/wrong-state',
  'engagement/too-early',
  'engagement/too-late',
  'attendance/time-impossible',
] as const;
const proofErrors = [
  'attendance/too-far',
  'attendance/wrong-code',
  'attendance/code-attempts',
  'attendance/no-evidence',
] as const;

/** Check-in, breaks and check-out, and the check-in code (ADR 0042). */
export const attendance = {
  checkIn: operation({ access: 'verified', errors: [...errors, ...proofErrors] })
    .route(engagementMove('check-in', 'Check in by location or code, from 60 minutes before the start'))
    .input(evidence)
    .output(engagement),
  checkOut: operation({
    access: 'verified',
    errors: [...errors, 'attendance/wrong-code', 'attendance/code-attempts'],
  })
    .route(engagementMove('check-out', 'Check out; being far away is flagged, not refused'))
    .input(evidence)
    .output(engagement),
  startBreak: operation({ access: 'verified', errors: [...errors, 'attendance/on-break'] })
    .route(engagementMove('start-break', 'Start a break'))
    .input(evidence)
    .output(engagement),
  endBreak: operation({ access: 'verified', errors: [...errors, 'attendance/not-on-break'] })
    .route(engagementMove('end-break', 'End a break'))
    .input(evidence)
    .output(engagement),
  siteCode: operation({ access: 'member:recruiter', errors: ['job/not-found', 'job/not-allowed'] })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/site-code',
      summary: 'The current check-in code, which changes every minute',
    })
    .input(z.object({ jobId: id }))
    .output(z.object({ code: z.string(), validUntil: instant })),
};
