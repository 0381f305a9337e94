import { z } from 'zod';
import { limits } from '../limits.ts';
import { currency } from '../money.ts';
import {
  day,
  type Effect,
  id,
  idAndName,
  instant,
  line,
  type OperationMeta,
  operation,
  pageInput,
  pageOf,
  queryFlag,
  version,
} from '../operation.ts';
import { queryPoint } from '../people/places.ts';
import { rating } from '../people/rating.ts';
import { categoryIds, skillIds } from '../people/taxonomy.ts';
import { jobRelations } from '../work/pay.rules.ts';
import { jobKinds } from '../work/terms.ts';
import { applicationStatuses } from './applications.rules.ts';
import { blockHasDays, blockWithoutDays, jobDraft, jobQuestion, postedDays } from './job-posting.ts';
import {
  alertAudiences,
  type JobFlag,
  jobFlags,
  jobStandings,
  jobStatuses,
  type OptionalText,
  textsFor,
  workEndings,
} from './jobs.rules.ts';
import { screeningRules } from './screening.rules.ts';
import { seriesReaches, shiftParts } from './series-edits.rules.ts';

/** The viewer's possible actions, decided by the server. A guest is offered `apply` too: it leads to sign-in. */
export const jobActions = [
  'edit',
  'publish',
  'pause',
  'reopen',
  'duplicate',
  'close',
  'archive',
  'delete-draft',
  'apply',
  'see-applicants',
] as const;
export type JobAction = (typeof jobActions)[number];

/** The unit of pay: `hour` or `fixed` here, the others in imported postings (schema.org unitText), ADR 7. */
export const payUnits = ['hour', 'day', 'week', 'month', 'year', 'fixed'] as const;
export type PayUnit = (typeof payUnits)[number];

/** The lowest and highest pay of the shifts of a series, per the unit of its jobs. Null if all pay the same. */
const payRange = z.object({ minMinor: z.number().int(), maxMinor: z.number().int() }).nullable();

export const openSeries = z.object({
  shifts: z.number().int(),
  firstStartsAt: instant,
  lastStartsAt: instant,
  payRange,
  /** The shifts are hired all together or not at all (ADR 414); if the series has others too, they don't count. */
  asBlock: z.boolean(),
});

/** `minor` per `unit`, up to `maxMinor` for a range. `totalMinor` is one worker's pay for the whole job, if known. */
export const pay = z.object({
  /** Zero in a draft without pay yet. */
  minor: z.number().int(),
  maxMinor: z.number().int().nullable(),
  currency,
  unit: z.enum(payUnits),
  /** Paid minutes of a shift with set hours, without unpaid breaks. */
  paidMinutes: z.number().int().nullable(),
  totalMinor: z.number().int().nullable(),
  /** Fees for a job published now, in basis points of the pay. */
  businessFeeBasisPoints: z.number().int(),
  workerFeeBasisPoints: z.number().int(),
});
export type Pay = z.infer<typeof pay>;

/** A job's place for this viewer. `blurred`: within about 500 m of the exact place, the same for every viewer. */
export const jobPlace = z.object({
  label: z.string(),
  lat: z.number(),
  lng: z.number(),
  blurred: z.boolean(),
});
export type JobPlace = z.infer<typeof jobPlace>;

export const jobCard = z.object({
  id,
  kind: z.enum(jobKinds),
  title: z.string(),
  category: z.enum(categoryIds),
  business: z.object({
    id,
    name: z.string(),
    verified: z.boolean(),
    logoPath: z.string().nullable(),
    rating,
  }),
  pay,
  place: jobPlace,
  /** Great-circle metres from the caller's point; null if the input has none. */
  distanceM: z.number().int().nullable(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  dueOn: day.nullable(),
  hoursNote: z.string().nullable(),
  timeZone: z.string(),
  spotsLeft: z.number().int(),
  headCount: z.number().int(),
  publishedAt: instant.nullable(),
  /** The first qualified applicants are hired instantly (product.md: Application). */
  instantHire: z.boolean(),
  /** The pay of a free spot is already set aside: an open instant hire (product.md: Money). */
  funded: z.boolean(),
  /** The open shifts that were posted together with this one, itself included; null for fewer than two. */
  series: openSeries.nullable(),
});
export type JobCard = z.infer<typeof jobCard>;

const flagShape = Object.fromEntries(jobFlags.map((flag) => [flag, z.boolean()])) as Record<
  JobFlag,
  z.ZodBoolean
>;

export const textShape = <Name extends OptionalText>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, z.string().nullable()])) as Record<
    Name,
    z.ZodNullable<z.ZodString>
  >;

/** A shift of a series, each a separate job. */
const seriesDate = z.object({
  jobId: id,
  startsAt: instant,
  endsAt: instant,
  pay,
  spotsLeft: z.number().int(),
  /** Hired only together with the other dates that have it (ADR 414). */
  asBlock: z.boolean(),
  /** As in a job. */
  myApplication: z
    .object({ id, status: z.enum(applicationStatuses), workEnding: z.enum(workEndings).nullable() })
    .nullable(),
  /** The viewer's booked work at the same time. */
  booked: z.object({ title: z.string(), startsAt: instant, endsAt: instant }).nullable(),
});
export type SeriesDate = z.infer<typeof seriesDate>;

/** A shift of a series that has not started, as its business plans it. Amounts in minor units of `currency`. */
export const plannedShift = z.object({
  jobId: id,
  status: z.enum(jobStatuses),
  startsAt: instant,
  endsAt: instant,
  breakMinutes: z.number().int(),
  breakPaid: z.boolean(),
  timeZone: z.string(),
  payMinor: z.number().int().nullable(),
  currency,
  businessFeeBasisPoints: z.number().int(),
  headCount: z.number().int(),
  hired: z.number().int(),
  offered: z.number().int(),
  renewable: z.boolean(),
  /** Hired only together with the other dates that have it (ADR 414). */
  asBlock: z.boolean(),
  /** The parts of this shift that an edit of other shifts doesn't change. */
  changedAlone: z.array(z.enum(shiftParts)),
});
export type PlannedShift = z.infer<typeof plannedShift>;

export const job = jobCard.extend({
  /** The series of a shift; null for a single one. */
  seriesId: id.nullable(),
  /** Its series' open shifts and those the viewer applied for, by start; empty for a job without a series. */
  dates: z.array(seriesDate),
  coverPath: z.string().nullable(),
  /** Files of its photos, for everyone who sees the job (product.md, Photos of a job). */
  photoIds: z.array(id),
  version,
  status: z.enum(jobStatuses),
  description: z.string(),
  requirements: z.array(z.string()),
  skills: z.array(z.enum(skillIds)),
  breakMinutes: z.number().int(),
  breakPaid: z.boolean(),
  /** Null if the business has not answered. */
  relation: z.enum(jobRelations).nullable(),
  ...flagShape,
  ...textShape(textsFor('everyone')),
  questions: z.array(jobQuestion),
  expiresAt: instant.nullable(),
  sourceUrl: z.string().nullable(),
  actions: z.array(z.enum(jobActions)),
  /** The viewer's application, unless withdrawn. `workEnding`: how the work of a hire ended. */
  myApplication: z
    .object({ id, status: z.enum(applicationStatuses), workEnding: z.enum(workEndings).nullable() })
    .nullable(),
  /** The job's progress and what an edit must keep; null unless the viewer is a member of the business. */
  member: z
    .object({
      applicants: z.number().int(),
      newApplicants: z.number().int(),
      hired: z.number().int(),
      offered: z.number().int(),
      /** An edit of hours, place or relation makes the open offers again (ADR 384). */
      renewable: z.boolean(),
      privateAddress: z.boolean(),
      /** The address as entered, for editing; `place` then has its exact point. */
      address: z.string(),
      area: z.string(),
      ...textShape(textsFor('members')),
      /** The branch with its own address, which can differ from the job's. */
      branch: idAndName.extend({ address: z.string(), lat: z.number(), lng: z.number() }).nullable(),
      /** The screening rules that fired for a job in review, and its start. */
      review: z.object({ rules: z.array(z.enum(screeningRules)), at: instant }).nullable(),
    })
    .nullable(),
});
export type Job = z.infer<typeof job>;

export const listedJob = jobCard.extend({
  seriesId: id.nullable(),
  version,
  status: z.enum(jobStatuses),
  expiresAt: instant.nullable(),
  applicants: z.number().int(),
  newApplicants: z.number().int(),
  hired: z.number().int(),
  offered: z.number().int(),
  branch: idAndName.nullable(),
  actions: z.array(z.enum(jobActions)),
  /**
   * The totals of all matching shifts in the job's series, including this one, in a grouped list; null for
   * fewer than two.
   */
  seriesTotals: z
    .object({
      seriesId: id,
      shifts: z.number().int(),
      /** Null while no shift has hours. */
      firstStartsAt: instant.nullable(),
      lastStartsAt: instant.nullable(),
      payRange,
      /** All shifts have the same hours of the day, by the clock of the place. */
      sameHours: z.boolean(),
      headCount: z.number().int(),
      hired: z.number().int(),
      offered: z.number().int(),
      /** People, not applications: someone who applied for several shifts counts once. */
      applicants: z.number().int(),
      newApplicants: z.number().int(),
      standings: z.partialRecord(z.enum(jobStandings), z.number().int()),
    })
    .nullable(),
});
export type ListedJob = z.infer<typeof listedJob>;

/**
 * Orders of a business's jobs: newest first, soonest start first (those without a date last), latest start
 * first, by title, most spots without a hire first, or by branch.
 */
export const listedSorts = ['newest', 'soonest', 'start', 'title', 'gap', 'branch'] as const;
export type ListedSort = (typeof listedSorts)[number];

const jobRef = z.object({ jobId: id });
const steppingBack = { effects: [], whileSuspended: 'retreat' } as const;
const memberErrors = ['job/not-found', 'job/not-allowed', 'job/wrong-state'] as const;
const openingErrors = [
  'payment/balance-short',
  'payment/over-budget',
  'payment/credit-overdue',
  'job/incomplete',
  'job/starts-in-past',
  'job/too-far-ahead',
  'job/open-limit',
  'job/not-instant',
  'business/wrong-state',
] as const;

const followingMove = (
  name: string,
  summary: string,
  { effects, whileSuspended }: Pick<OperationMeta, 'whileSuspended'> & { effects: readonly Effect[] },
  errors: readonly (typeof openingErrors)[number][] = [],
) =>
  operation({ access: 'member:coordinator', errors: [...memberErrors, ...errors], effects, whileSuspended })
    .route({ method: 'POST', path: `/jobs/{jobId}/${name}`, summary })
    .input(jobRef.extend({ following: z.boolean().optional() }))
    .output(job);

/** Jobs: public to read; a business's recruiters create and change them. */
export const jobs = {
  get: operation({ access: 'public', errors: ['job/not-found'], revalidated: 'viewer' })
    .route({ method: 'GET', path: '/jobs/{jobId}', summary: 'Get a job' })
    .input(
      z.object({
        jobId: id,
        lat: queryPoint.lat.optional(),
        lng: queryPoint.lng.optional(),
      }),
    )
    .output(job),
  similar: operation({ access: 'public', errors: ['job/not-found'] })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/similar',
      summary: 'Up to six open jobs of the same category, nearest to this one',
    })
    .input(jobRef)
    .output(z.array(jobCard)),
  listed: operation({
    access: 'member:coordinator',
    errors: ['business/not-found', 'business/not-allowed', 'request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/businesses/{businessId}/jobs',
      summary: 'Jobs of a business or a branch by status and title, sorted, with counts per status',
    })
    .input(
      z.object({
        businessId: id,
        branchId: id.optional(),
        status: z.enum(jobStandings).optional(),
        q: line(limits.searchMax, 0).optional(),
        sort: z.enum(listedSorts).default('newest'),
        /** Limits the list to the shifts of one series. */
        seriesId: id.optional(),
        /** Lists a series once, as its first shift in the order that matches. */
        grouped: queryFlag.default(false),
        ...pageInput,
      }),
    )
    .output(
      pageOf(listedJob).extend({
        /** Jobs per status, on the first page only. In a grouped list, too, each shift of a series is one. */
        counts: z.partialRecord(z.enum(jobStandings), z.number().int()).nullable(),
        /** Jobs of all statuses, on the first page only. */
        total: z.number().int().nullable(),
      }),
    ),
  series: operation({ access: 'member:coordinator', errors: ['job/not-found', 'job/not-allowed'] })
    .route({
      method: 'GET',
      path: '/jobs/{jobId}/series',
      summary:
        'The shifts of the series of a job that have not started, itself included; empty for a single job',
    })
    .input(jobRef)
    .output(z.array(plannedShift)),
  create: operation({
    access: 'member:coordinator',
    errors: [
      'business/not-found',
      'business/not-allowed',
      'business/wrong-state',
      'branch/not-found',
      'branch/required',
      'branch/closed',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: ['hire'],
  })
    .route({
      method: 'POST',
      path: '/businesses/{businessId}/jobs',
      summary: 'Create a draft job',
      successStatus: 201,
    })
    .input(jobDraft.extend({ businessId: id }))
    .output(job),
  update: operation({
    access: 'member:coordinator',
    errors: [
      ...memberErrors,
      'branch/not-found',
      'branch/required',
      'branch/closed',
      'job/stale',
      'job/incomplete',
      'job/starts-in-past',
      'job/too-far-ahead',
      'job/pay-fell-after-hire',
      'job/head-count-below-hires',
      'job/terms-fixed',
      'job/not-instant',
      'job/cannot-repeat',
      'job/dates-overlap',
      'job/all-dates-required',
      'job/not-open',
      'business/wrong-state',
      'payment/balance-short',
      'payment/over-budget',
      'payment/credit-overdue',
      'payment/card-not-found',
      'payment/method-missing',
      'file/not-found',
      'file/wrong-type',
    ],
    effects: ['hire'],
  })
    .route({
      method: 'PATCH',
      path: '/jobs/{jobId}',
      summary:
        'Edit a job, and with `reach` the later or all shifts of its series; material changes notify applicants once',
    })
    .input(
      jobDraft
        .omit({ kind: true })
        .partial()
        .extend({ jobId: id, version, reach: z.enum(seriesReaches).optional() }),
    )
    .output(job),
  publish: operation({
    access: 'member:coordinator',
    errors: [...memberErrors, ...openingErrors, 'job/cannot-repeat', 'job/dates-overlap'],
    effects: ['hire', 'money'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/publish',
      summary:
        'Publish a draft, and with `alsoOn` the same shift on other days, with `asBlock` hired all together or not at all: all of it or nothing',
    })
    .input(
      jobRef
        .extend({
          ...postedDays.shape,
          /** The people who get an alert of the new jobs (ADR 402); `subscribers` if absent. */
          alerts: z.enum(alertAudiences).optional(),
        })
        .refine(blockHasDays, blockWithoutDays),
    )
    .output(job),
  pause: followingMove(
    'pause',
    'Pause an open job; with `following`, the later open shifts of its series too',
    steppingBack,
  ),
  reopen: followingMove(
    'reopen',
    'Reopen a paused or expired job; with `following`, the later paused shifts of its series too: all or none',
    { effects: ['hire', 'money'] },
    openingErrors,
  ),
  close: followingMove(
    'close',
    'Close a job and notify its applicants; with `following`, the later shifts of its series without hired people too',
    steppingBack,
  ),
  archive: operation({ access: 'member:coordinator', errors: [...memberErrors], ...steppingBack })
    .route({ method: 'POST', path: '/jobs/{jobId}/archive', summary: 'Archive a closed job' })
    .input(jobRef)
    .output(job),
  duplicate: operation({
    access: 'member:coordinator',
    errors: [...memberErrors, 'business/wrong-state'],
    effects: ['hire'],
  })
    .route({
      method: 'POST',
      path: '/jobs/{jobId}/duplicate',
      summary: 'Copy a job to a new draft, with its hours on a given day or the same weekday of a week ahead',
      successStatus: 201,
    })
    .input(
      jobRef.extend({
        /** The copy's day, by the clock of the place. Ignored for a job without set hours. */
        day: day.optional(),
      }),
    )
    .output(job),
  deleteDraft: operation({
    access: 'member:coordinator',
    errors: [...memberErrors],
    effects: [],
    whileSuspended: 'retreat',
  })
    .route({ method: 'DELETE', path: '/jobs/{jobId}', summary: 'Delete a draft' })
    .input(jobRef)
    .output(z.object({ deleted: z.literal(true) })),
};
