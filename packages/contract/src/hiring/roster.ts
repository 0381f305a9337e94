import { z } from 'zod';
import { addDays, daysPerWeek } from '../durations.ts';
import { engagementStatuses } from '../engagement-statuses.ts';
import { downloadLink } from '../money/downloads.ts';
import { currency } from '../money.ts';
import { clockTime, day, id, idAndName, instant, line, operation } from '../operation.ts';
import { blockHasDays, blockWithoutDays, postedShift } from './job-posting.ts';
import { jobStatuses } from './jobs.rules.ts';
import { job } from './jobs.ts';
import { hiringLimits } from './limits.ts';
import { crewRefusals, ifDeclinedChoices } from './rebook.ts';

const rosterPerson = z.object({
  /** The engagement, or the application that has the offer. */
  id,
  workerId: id,
  name: z.string(),
  /** `offered` until the offer is answered. */
  status: z.enum([...engagementStatuses, 'offered']),
  /** The shift is offered to others, and `waiting` if one took it and a recruiter has to agree (ADR 385). */
  giveaway: z.object({ id, status: z.enum(['open', 'waiting']) }).nullable(),
  /**
   * The shift has other hours than the booking (ADR 389): `asked` until the worker answers, then `kept` if they stay
   * booked as agreed.
   */
  hours: z.enum(['asked', 'kept']).nullable(),
  /** Asks for this day off and waits for an answer (ADR 406). */
  asksDayOff: z.boolean(),
});
export type RosterPerson = z.infer<typeof rosterPerson>;

export const rosterShift = z.object({
  jobId: id,
  title: z.string(),
  status: z.enum(jobStatuses),
  branch: idAndName.nullable(),
  startsAt: instant,
  endsAt: instant,
  timeZone: z.string(),
  headCount: z.number().int(),
  /** Applications that wait for a decision. */
  applicants: z.number().int(),
  instantHire: z.boolean(),
  /** Hired only together with the other dates of its series that have it (ADR 414). */
  asBlock: z.boolean(),
  /** Posted for the rest of a shift that someone did not work. */
  isReplacement: z.boolean(),
  currency,
  /** Paid minutes for one person, and pay with Nearhand's fee in minor units; null if the shift has no pay. */
  paidMinutes: z.number().int(),
  costMinor: z.number().int().nullable(),
  /** Booked first. Excludes people who cancelled or gave the shift away. */
  people: z.array(rosterPerson),
});
export type RosterShift = z.infer<typeof rosterShift>;

export const rosterFileRows = ['role', 'worker', 'branch'] as const;
export type RosterFileRows = (typeof rosterFileRows)[number];

/** The week of a shift, and the weeks in which it can be posted too. */
const sameShiftDaysMax = (hiringLimits.alsoOnWeeksMax + 1) * daysPerWeek;

/** A business's week: its shifts with who works them, and which spots are still open. For recruiters. */
export const roster = {
  week: operation({
    access: 'member:coordinator',
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
        shifts: z.array(rosterShift).max(hiringLimits.rosterShiftsMax),
        /** More shifts start in these days than are listed. */
        more: z.boolean(),
      }),
    ),
  file: operation({
    access: 'member:coordinator',
    errors: ['business/not-found', 'business/not-allowed', 'branch/not-found'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/roster/link',
      summary: 'A link to a week of the roster as PDF: A4 landscape, a row per branch, role or worker',
    })
    .input(
      z.object({
        businessId: id,
        from: day,
        rows: z.enum(rosterFileRows).default('role'),
        /** Only this branch. */
        branchId: id.optional(),
      }),
    )
    .output(downloadLink),
  sameShiftDays: operation({
    access: 'member:coordinator',
    errors: ['business/not-found', 'business/not-allowed'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/roster/same-shift-days',
      summary: 'The days on which a shift of the same role, branch and hours is planned, soonest first',
    })
    .input(
      z
        .object({
          businessId: id,
          title: line(hiringLimits.titleMax),
          /** Absent for shifts that belong to no branch. */
          branchId: id.optional(),
          /** Start and end by the clock of the shift's place. */
          from: clockTime,
          to: clockTime,
          first: day,
          last: day,
          /** Leaves this job out, such as the draft that is about to be published. */
          exceptJobId: id.optional(),
        })
        .refine(({ first, last }) => last >= first && last <= addDays(first, sameShiftDaysMax - 1), {
          path: ['last'],
          message: `${sameShiftDaysMax} days at most`,
        }),
    )
    .output(z.object({ days: z.array(day).max(sameShiftDaysMax) })),
  add: operation({
    access: 'member:coordinator',
    errors: [
      'business/wrong-state',
      'job/not-found',
      'job/not-allowed',
      'job/cannot-repeat',
      'job/dates-overlap',
      'job/incomplete',
      'job/starts-in-past',
      'job/too-far-ahead',
      'job/open-limit',
      'job/not-instant',
      'branch/not-found',
      'branch/closed',
      'payment/balance-short',
      'payment/over-budget',
      'payment/credit-overdue',
    ],
    effects: ['hire', 'money'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/roster-shifts',
      summary:
        'Copy a shift, without its people, to other times, and publish it unless it stays a draft: all of it or nothing',
      successStatus: 201,
    })
    .input(postedShift.extend({ jobId: id }).refine(blockHasDays, blockWithoutDays))
    .output(job),
  copy: operation({
    access: 'member:coordinator',
    errors: [
      'business/not-found',
      'business/not-allowed',
      'business/wrong-state',
      'job/not-found',
      'job/not-allowed',
      'job/cannot-repeat',
      'job/incomplete',
      'job/starts-in-past',
      'job/too-far-ahead',
      'job/open-limit',
      'branch/not-found',
      'branch/closed',
      'offer/terms-missing',
      'offer/starts-in-past',
      'payment/balance-short',
      'payment/over-budget',
      'payment/credit-overdue',
    ],
    effects: ['hire', 'money'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/roster/copies',
      summary:
        'Copy shifts to a day later or earlier and publish them, or offer them to the same people: all of it or nothing',
      successStatus: 201,
    })
    .input(
      z.object({
        businessId: id,
        jobIds: z
          .array(id)
          .min(1)
          .max(hiringLimits.copiedShiftsMax)
          .refine((ids) => new Set(ids).size === ids.length, { message: 'each shift once' }),
        /** Seven for the same weekday a week later. Local times stay, over a change of clocks too. */
        days: z
          .number()
          .int()
          .min(-hiringLimits.alsoOnWeeksMax * 7)
          .max(hiringLimits.alsoOnWeeksMax * 7),
        asDrafts: z.boolean().default(false),
        /** Offers each copy to the people booked on its shift, at most `copiedPeopleMax` in all. Not for drafts. */
        withPeople: z.boolean().default(false),
        /**
         * Decides about a copy whose spots were all offered, once a spot of it is free since someone declined or did
         * not answer (ADR 407). `nobody` if absent.
         */
        ifDeclined: z.enum(ifDeclinedChoices).optional(),
      }),
    )
    .output(
      z.object({
        /** The copies, in the order of `jobIds`. Screening may keep some in review (ADR 178), which nobody is offered. */
        copies: z.array(z.object({ jobId: id, status: z.enum(jobStatuses), offers: z.number().int() })),
        /** People whom the business can no longer reach, or for whom a copy has no spot. */
        leftOut: z.array(z.object({ workerId: id, code: z.enum([...crewRefusals, 'offer/no-spot']) })),
      }),
    ),
};
