import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, operation, prose } from '../operation.ts';
import { point } from '../people/places.ts';
import { lateChoices, siteCodeShape } from './attendance.rules.ts';
import { engagement, engagementMove, engagementMoveErrors, engagementOne } from './engagements.ts';
import { workLimits } from './limits.ts';

/** Wider than the earth: such a position means nothing but is not an error. */
const worstAccuracyM = 50_000_000;

/** The server uses `sentAt - at`, so a wrong clock doesn't matter. No version: an offline check-in must not fail. */
export const evidence = z.object({
  engagementId: id,
  at: instant,
  sentAt: instant,
  /** Degrees, and accuracy in metres; a poor fix may report thousands of kilometres. */
  position: z
    .object({ ...point.shape, accuracyM: z.number().min(0).max(worstAccuracyM) })
    .nullable()
    .default(null),
  code: z.string().regex(siteCodeShape).nullable().default(null),
});
export type Evidence = z.infer<typeof evidence>;

const errors = [
  'engagement/not-found',
  'engagement/not-allowed',
  'engagement/wrong-state',
  'engagement/too-early',
  'engagement/too-late',
  'engagement/not-funded',
  'attendance/time-impossible',
] as const;
const proofErrors = [
  'attendance/too-far',
  'attendance/wrong-code',
  'attendance/code-attempts',
  'attendance/no-evidence',
] as const;

const recorded = engagementOne.extend({ reason: prose(limits.reasonMax, 1) });
const recordErrors = [
  ...engagementMoveErrors,
  'engagement/too-early',
  'engagement/too-late',
  'engagement/not-funded',
] as const;

/** Check-in, breaks, check-out and the check-in code (ADR 42); lateness, and times recorded by a manager. */
export const attendance = {
  checkIn: operation({
    access: 'verified',
    errors: [...errors, ...proofErrors],
    effects: [],
    whileSuspended: 'owed',
  })
    .route(engagementMove('check-in', 'Check in by location or code, from shortly before the start'))
    .input(evidence)
    .output(engagement),
  checkOut: operation({
    access: 'verified',
    errors: [...errors, 'attendance/wrong-code', 'attendance/code-attempts'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route(engagementMove('check-out', 'Check out; being far away is flagged, not refused'))
    .input(evidence)
    .output(engagement),
  startBreak: operation({
    access: 'verified',
    errors: [...errors, 'attendance/on-break'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route(engagementMove('start-break', 'Start a break'))
    .input(evidence)
    .output(engagement),
  endBreak: operation({
    access: 'verified',
    errors: [...errors, 'attendance/not-on-break'],
    effects: [],
    whileSuspended: 'owed',
  })
    .route(engagementMove('end-break', 'End a break'))
    .input(evidence)
    .output(engagement),
  sayLate: operation({
    access: 'verified',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'engagement/wrong-state',
      'engagement/too-early',
      'engagement/too-late',
    ],
    effects: ['text:note'],
    whileSuspended: 'owed',
  })
    .route(
      engagementMove(
        'late',
        'Tell the business that you will be late; a no-show is reported later by as much',
      ),
    )
    .input(
      z
        .object({
          engagementId: id,
          /** Minutes after the start; null if they only leave a note. */
          minutes: z.literal([...lateChoices]).nullable(),
          note: prose(limits.reasonMax).default(''),
        })
        .refine(({ minutes, note }) => minutes !== null || note !== '', {
          message: 'minutes or a note',
          path: ['minutes'],
        }),
    )
    .output(engagement),
  checkInFor: operation({
    access: 'member:coordinator',
    errors: [...recordErrors],
    effects: ['text:reason'],
    whileSuspended: 'owed',
  })
    .route(
      engagementMove(
        'check-in-for',
        'Check in a worker who is there without a phone, with a reason they see',
      ),
    )
    .input(recorded)
    .output(engagement),
  checkOutFor: operation({
    access: 'member:coordinator',
    errors: [...recordErrors],
    effects: ['text:reason'],
    whileSuspended: 'owed',
  })
    .route(
      engagementMove('check-out-for', 'Check out a worker without a phone, or send them home, with a reason'),
    )
    .input(
      recorded.extend({
        /** Ends the shift early: a worker who came on time gets at least the minimum of the terms. */
        sentHome: z.boolean().default(false),
      }),
    )
    .output(engagement),
  contestRecord: operation({
    access: 'verified',
    errors: [
      'engagement/not-found',
      'engagement/not-allowed',
      'engagement/wrong-state',
      'attendance/not-contestable',
    ],
    effects: ['text:note'],
    whileSuspended: 'owed',
  })
    .route(
      engagementMove(
        'contest-record',
        'Object to a time that the business recorded for you, until your hours are approved',
      ),
    )
    .input(z.object({ engagementId: id, eventId: id, note: prose(limits.reasonMax, 1) }))
    .output(engagement),
  siteCode: operation({ access: 'member:coordinator', errors: ['job/not-found', 'job/not-allowed'] })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/site-code',
      summary: 'The current check-in code, which changes every minute, and those of the next hours',
    })
    .input(z.object({ jobId: id }))
    .output(
      z.object({
        code: z.string(),
        validUntil: instant,
        /** The codes of the minutes after `validUntil`, to show offline. */
        ahead: z.array(z.string()).max(workLimits.siteCodeAheadMinutes),
      }),
    ),
};
