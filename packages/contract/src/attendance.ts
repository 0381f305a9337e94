import { z } from 'zod';
import { engagement, engagementMove } from './engagements.ts';
import { id, instant, operation } from './operation.ts';

/**
 * What a device knows when somebody checks in or out. `at` is the moment by the device's clock and `sentAt` the device's clock when sending: the
 * server takes the difference off its own clock, so that a wrong clock harms nobody and a queued check-in keeps its true time. No version: a check-in from a
 * device that was offline must not fail because something else has changed.
 */
export const evidence = z.object({
  engagementId: id,
  at: instant,
  sentAt: instant,
  /** Degrees, and the radius in metres that the device is sure of; devices without a good fix say thousands of kilometres. */
  position: z
    .object({
      lat: z.number().min(-90).max(90),
      lng: z.number().min(-180).max(180),
      accuracyM: z.number().min(0).max(50_000_000),
    })
    .nullable()
    .default(null),
  /** The six digits shown at the place at that moment. */
  code: z
    .string()
    .regex(/^\d{6}$/)
    .nullable()
    .default(null),
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

/** Arriving, breaks and leaving, as the worker's device tells them, and the code shown at the place (ADR 0042). */
export const attendance = {
  checkIn: operation({ access: 'verified', errors: [...errors, ...proofErrors] })
    .route(
      engagementMove(
        'check-in',
        'Arrive: from 60 minutes before the start, by position or by the code of the place',
      ),
    )
    .input(evidence)
    .output(engagement),
  checkOut: operation({
    access: 'verified',
    errors: [...errors, 'attendance/wrong-code', 'attendance/code-attempts'],
  })
    .route(engagementMove('check-out', 'Leave; being far away is noted, not refused'))
    .input(evidence)
    .output(engagement),
  startBreak: operation({ access: 'verified', errors: [...errors, 'attendance/on-break'] })
    .route(engagementMove('start-break', 'Begin a break'))
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
      summary: 'The six digits to show at the place now; they change every minute',
    })
    .input(z.object({ jobId: id }))
    .output(z.object({ code: z.string(), validUntil: instant })),
};
