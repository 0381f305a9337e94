import { z } from 'zod';
import { engagementStatuses } from '../engagement-statuses.ts';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import { day, id, instant, operation } from '../operation.ts';
import { jobStatuses } from './jobs.ts';

const rosterPerson = z.object({
  /** The engagement, or the application that has the offer. */
  id,
  workerId: id,
  name: z.string(),
  /** `offered` until the offer is answered. */
  status: z.enum([...engagementStatuses, 'offered']),
});
export type RosterPerson = z.infer<typeof rosterPerson>;

export const rosterShift = z.object({
  jobId: id,
  title: z.string(),
  status: z.enum(jobStatuses),
  branch: z.object({ id, name: z.string() }).nullable(),
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
  headCount: z.number().int(),
  /** Applications that wait for a decision. */
  applicants: z.number().int(),
  currency,
  /** For one person: paid minutes, and pay with Nearhand's fee in minor units; null without pay. */
  paidMinutes: z.number().int(),
  costMinor: z.number().int().nullable(),
  /** Booked first. Without those who cancelled. */
  people: z.array(rosterPerson),
});
export type RosterShift = z.infer<typeof rosterShift>;

/** A business's week: its shifts with who works them, and which spots are still open. */
export const roster = {
  week: operation({
    access: 'member:recruiter',
    errors: ['business/not-found', 'business/not-allowed'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/roster',
      summary: 'Shifts that start within seven days, with the people booked or offered, soonest first',
    })
    .input(
      z.object({
        businessId: id,
        /** The first of seven days, by the clock of each shift's place. */
        from: day,
      }),
    )
    .output(
      z.object({
        shifts: z.array(rosterShift).max(limits.rosterShiftsMax),
        /** More shifts start in these days than are listed. */
        more: z.boolean(),
      }),
    ),
};
