import { z } from 'zod';
import { engagementStatuses } from '../engagement-statuses.ts';
import { id, instant, operation } from '../operation.ts';
import { weekHoursMax } from '../people/profiles.ts';
import { interviewStatuses } from './interviews.ts';
import { offerStatuses } from './offers.ts';

/** Kinds of calendar events; an `offer` is one that can still be accepted. */
export const calendarKinds = ['engagement', 'interview', 'offer'] as const;

export const calendarEvent = z.object({
  kind: z.enum(calendarKinds),
  id,
  title: z.string(),
  businessName: z.string(),
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
  status: z.enum([...engagementStatuses, ...interviewStatuses, ...offerStatuses]),
  where: z.string(),
  path: z.string(),
});
export type CalendarEvent = z.infer<typeof calendarEvent>;

const span = { startsAt: instant, endsAt: instant };

/** A conflict with a job's hours; overlapping booked work prevents a hire. */
export const conflict = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(calendarKinds), id, title: z.string(), ...span }),
  /** Hours in which the worker is usually not free. */
  z.object({ kind: z.literal('availability'), ...span }),
  /**
   * A week with more hours than the worker wants: `minutes` counts the booked work in it, the job, and the dates of its
   * series that are offered together with it (ADR 409).
   */
  z.object({ kind: z.literal('week'), minutes: z.number().int(), hoursMax: weekHoursMax, ...span }),
]);
export type Conflict = z.infer<typeof conflict>;

/** The worker's own calendar, and its subscription address for calendar apps (ADR 37). */
export const calendar = {
  mine: operation({ access: 'verified', errors: ['calendar/range-too-long'] })
    .route({
      method: 'GET',
      path: '/calendar',
      summary: 'List your bookings, interviews and offers in a range of at most 93 days',
    })
    .input(z.object({ from: instant, to: instant }))
    .output(z.array(calendarEvent)),
  conflicts: operation({ access: 'verified', errors: ['job/not-found'] })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/conflicts',
      summary: "Conflicts of a job's hours with your calendar",
    })
    .input(z.object({ jobId: id }))
    .output(z.array(conflict)),
  feed: operation({ access: 'verified', errors: [] })
    .route({
      method: 'GET',
      path: '/calendar/feed',
      summary: 'Check whether a subscription address is in use; the address itself is shown only once',
    })
    .output(z.object({ since: instant.nullable() })),
  newFeed: operation({ access: 'verified', errors: [], effects: ['guarded'], whileSuspended: 'account' })
    .route({
      method: 'POST',
      path: '/calendar/feed',
      summary: 'Create a subscription address; an older one stops working',
    })
    .output(z.object({ url: z.url(), since: instant })),
  stopFeed: operation({ access: 'verified', errors: [], effects: [], whileSuspended: 'account' })
    .route({ method: 'DELETE', path: '/calendar/feed', summary: 'Delete the subscription address' })
    .output(z.object({ since: z.null() })),
};
