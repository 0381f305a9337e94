import { minuteMs } from '../durations.ts';
import { limits } from '../limits.ts';
import { type Move, type Mover, nextState } from '../moves.ts';
import type { JobRelation } from '../work/pay.rules.ts';
import { instantOf as zonedInstant } from '../zoned-time.ts';

/** The statuses of a job (product.md, States). */
export const jobStatuses = [
  'draft',
  'in_review',
  'open',
  'paused',
  'filled',
  'expired',
  'closed',
  'archived',
  'suspended',
  'rejected',
] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** A job's status as its business reads it: its outcome once its time has come (`jobStanding`). */
export const jobStandings = [...jobStatuses, 'in_progress', 'finished', 'not_filled'] as const;
export type JobStanding = (typeof jobStandings)[number];

/** Statuses in which a business still interviews, offers and hires, even if the job is hidden or full. */
export const hiringJobStatuses = ['open', 'paused', 'filled'] as const satisfies readonly JobStatus[];

/** Statuses that nobody outside the business sees. */
export const neverPublicJobStatuses: readonly JobStatus[] = ['draft', 'in_review', 'rejected'];

/** Returns whether new people may be offered a spot. */
export const stillHires = (status: JobStatus): boolean =>
  (hiringJobStatuses as readonly JobStatus[]).includes(status);

/** The dates of a series that someone chooses from on the page of one: those of its block together, or the others (ADR 414). */
export function datesToApply<Date extends { jobId: string; asBlock: boolean }>({
  id,
  dates,
}: {
  id: string;
  dates: readonly Date[];
}): Date[] {
  const isOfBlock = dates.some(({ jobId, asBlock }) => jobId === id && asBlock);
  return dates.filter(({ asBlock }) => asBlock === isOfBlock);
}

/** Boolean settings of a job, false by default. A new one also needs a column in snake case and a checkbox. */
export const jobFlags = ['cvRequired', 'instantHire'] as const;
export type JobFlag = (typeof jobFlags)[number];
export type JobFlags = Record<JobFlag, boolean>;

/** Each flag from the first source that sets it, otherwise false. */
export const flagsOf = (...sources: readonly Partial<JobFlags>[]): JobFlags =>
  Object.fromEntries(
    jobFlags.map((flag) => [flag, sources.find((source) => source[flag] !== undefined)?.[flag] ?? false]),
  ) as JobFlags;

type TextReaders = 'everyone' | 'members';
/**
 * Optional texts of a job, up to `limits.reasonMax` characters, null if empty: the part of a shift that an edit
 * changes with each, who reads it besides operators, and whether tasks have none. A new one also needs a column in
 * snake case (docs/architecture.md, A field of a job).
 */
export const optionalTexts = {
  shortReason: { part: 'hours', readers: 'members', shiftOnly: true },
  payReason: { part: 'pay', readers: 'members', shiftOnly: true },
} as const satisfies Record<
  string,
  {
    part: 'description' | 'place' | 'hours' | 'pay' | 'requirements';
    readers: TextReaders;
    shiftOnly: boolean;
  }
>;
export type OptionalText = keyof typeof optionalTexts;
export const optionalTextNames = Object.keys(optionalTexts) as OptionalText[];
/** One value per optional text, such as a column, a field or an input. */
export const mapTexts = <Value>(valueFor: (name: OptionalText) => Value): Record<OptionalText, Value> =>
  Object.fromEntries(optionalTextNames.map((name) => [name, valueFor(name)])) as Record<OptionalText, Value>;

/** The texts of a task, which drops those that only shifts have. */
export const taskTexts = (texts: Record<OptionalText, string | null>): Record<OptionalText, string | null> =>
  mapTexts((name) => (optionalTexts[name].shiftOnly ? null : texts[name]));

/** The texts that only members of the business read, or those that everyone reads. */
export type TextsFor<Readers extends TextReaders> = {
  [Name in OptionalText]: (typeof optionalTexts)[Name]['readers'] extends Readers ? Name : never;
}[OptionalText];
/** The optional texts that these readers see. */
export const textsFor = <Readers extends TextReaders>(readers: Readers): TextsFor<Readers>[] =>
  optionalTextNames.filter(
    (name): name is TextsFor<Readers> => optionalTexts[name].readers === (readers as TextReaders),
  );

/** The ways in which booked work ends. */
export const workEndings = ['done', 'cancelled', 'no_show'] as const;
export type WorkEnding = (typeof workEndings)[number];

export type JobMoveName =
  | 'publish'
  | 'flag'
  | 'approve'
  | 'approve-paused'
  | 'approve-late'
  | 'reject'
  | 'pause'
  | 'reopen'
  | 'show'
  | 'fill'
  | 'free-spot'
  | 'free-hidden-spot'
  | 'expire'
  | 'close'
  | 'archive'
  | 'suspend'
  | 'restore'
  | 'restore-paused'
  | 'restore-filled'
  | 'restore-expired'
  | 'restore-review';

/** The states of a job (product.md, States: Job). `fill` and the `free-…` moves follow from hires, as the timer's. */
export const jobMoves: readonly Move<JobStatus, JobMoveName>[] = [
  ['draft', 'publish', 'business', 'open'],
  // Screening flagged a new, reopened or changed job (ADR 178).
  ['draft', 'flag', 'timer', 'in_review'],
  ['open', 'flag', 'timer', 'in_review'],
  ['filled', 'flag', 'timer', 'in_review'],
  ['paused', 'flag', 'timer', 'in_review'],
  ['expired', 'flag', 'timer', 'in_review'],
  ['in_review', 'approve', 'operator', 'open'],
  // An instant hire needs the money of its spots first; a job whose time has passed can't open.
  ['in_review', 'approve-paused', 'operator', 'paused'],
  ['in_review', 'approve-late', 'operator', 'expired'],
  ['in_review', 'reject', 'operator', 'rejected'],
  ['rejected', 'approve', 'operator', 'open'],
  ['rejected', 'approve-paused', 'operator', 'paused'],
  ['rejected', 'approve-late', 'operator', 'expired'],
  ['open', 'pause', 'business', 'paused'],
  ['paused', 'reopen', 'business', 'open'],
  // The job was hidden while a replacement was sought (ADR 385).
  ['paused', 'show', 'timer', 'open'],
  ['expired', 'reopen', 'business', 'open'],
  ['open', 'fill', 'timer', 'filled'],
  // The last spot of a hidden or expired job can still be hired through an open offer.
  ['paused', 'fill', 'timer', 'filled'],
  ['expired', 'fill', 'timer', 'filled'],
  ['filled', 'free-spot', 'timer', 'open'],
  // It was paused when its last spot was hired, and has not been reopened since (ADR 9).
  ['filled', 'free-hidden-spot', 'timer', 'paused'],
  ['open', 'expire', 'timer', 'expired'],
  ['paused', 'expire', 'timer', 'expired'],
  ['in_review', 'close', 'business', 'closed'],
  ['open', 'close', 'business', 'closed'],
  ['paused', 'close', 'business', 'closed'],
  ['filled', 'close', 'business', 'closed'],
  ['expired', 'close', 'business', 'closed'],
  ['rejected', 'close', 'business', 'closed'],
  ['suspended', 'close', 'business', 'closed'],
  ['closed', 'archive', 'business', 'archived'],
  ['in_review', 'suspend', 'operator', 'suspended'],
  ['open', 'suspend', 'operator', 'suspended'],
  ['paused', 'suspend', 'operator', 'suspended'],
  ['filled', 'suspend', 'operator', 'suspended'],
  ['expired', 'suspend', 'operator', 'suspended'],
  // The decision that hid the job has ended: the job returns to its previous status, if that is still
  // possible (ADR 179).
  ['suspended', 'restore', 'operator', 'open'],
  ['suspended', 'restore-paused', 'operator', 'paused'],
  ['suspended', 'restore-filled', 'operator', 'filled'],
  ['suspended', 'restore-expired', 'operator', 'expired'],
  ['suspended', 'restore-review', 'operator', 'in_review'],
];

/**
 * Returns the status after a move of the state table (product.md, Job), or null where that mover may not
 * make it.
 */
export const nextJobStatus = (from: JobStatus, action: JobMoveName, mover: Mover): JobStatus | null =>
  nextState(jobMoves, from, action, mover);

/** Returns whether a job can be edited in this status. */
export const mayBeEdited = (status: JobStatus): boolean =>
  ['draft', 'in_review', 'open', 'paused', 'filled', 'expired'].includes(status);

export const plainFacts = [
  'description',
  'payMinor',
  'headCount',
  'breakMinutes',
  'breakPaid',
  'dueOn',
  'relation',
  ...optionalTextNames,
] as const satisfies readonly (keyof JobFacts)[];

/** The fields that make a job complete or an edit material. Times in UTC, pay in minor units. */
export type JobFacts = Record<OptionalText, string | null> & {
  kind: 'shift' | 'task';
  description: string;
  payMinor: number | null;
  headCount: number;
  startsAt: Date | null;
  endsAt: Date | null;
  breakMinutes: number;
  breakPaid: boolean;
  dueOn: string | null;
  /** An imported posting's hours in words, in place of exact hours. */
  hoursNote: string | null;
  relation: JobRelation | null;
  address: string;
  lat: number;
  lng: number;
};

/** The fields that are missing before a job can be published, by their contract names. */
export function missingFields(job: JobFacts): string[] {
  const missing: string[] = [];
  if (job.description === '') missing.push('description');
  if (job.payMinor === null) missing.push('payMinor');
  if (job.kind === 'shift' && job.hoursNote === null) {
    if (job.startsAt === null) missing.push('startsAt');
    if (job.endsAt === null) missing.push('endsAt');
  }
  return missing;
}

export type InstantProblem = 'payMinor' | 'startsAt' | 'endsAt' | 'cvRequired' | 'questions';

/** Fields that rule out an instant hire: the application is not read first, and pay and hours must be known. */
export function instantProblems(
  job: Pick<JobFacts, 'kind' | 'payMinor'> & { startsAt: unknown; endsAt: unknown },
  asks: { cvRequired: boolean; questions: readonly { kind: string }[] },
): InstantProblem[] {
  const problems: InstantProblem[] = [];
  if (job.payMinor === null) problems.push('payMinor');
  if (job.kind === 'shift' && job.startsAt === null) problems.push('startsAt');
  if (job.kind === 'shift' && job.endsAt === null) problems.push('endsAt');
  if (asks.cvRequired) problems.push('cvRequired');
  if (asks.questions.some(({ kind }) => kind === 'text')) problems.push('questions');
  return problems;
}

/** The problem of impossible times, or null. A shift lasts at most two days, and longer than its break. */
export function timeProblem(job: JobFacts): { path: string; message: string } | null {
  if (job.endsAt !== null && job.startsAt === null)
    return { path: 'startsAt', message: 'a start for the end' };
  if (job.startsAt === null || job.endsAt === null) return null;
  const minutes = (job.endsAt.getTime() - job.startsAt.getTime()) / minuteMs;
  if (minutes <= 0) return { path: 'endsAt', message: 'an end after the start' };
  if (minutes > limits.shiftMinutesMax)
    return { path: 'endsAt', message: 'an end within 48 hours of the start' };
  if (job.breakMinutes >= minutes) return { path: 'breakMinutes', message: 'a break shorter than the shift' };
  return null;
}

/** True for a shift that started, or a task past its due date (`today` in its zone). */
export const hasStarted = (job: JobFacts, now: Date, today: string): boolean =>
  (job.startsAt !== null && job.startsAt <= now) || (job.dueOn !== null && job.dueOn < today);

/** The outcome of a job whose time has come; otherwise its status. `standingOf` calculates the same in SQL. */
export function jobStanding(
  job: {
    kind: 'shift' | 'task';
    status: JobStatus;
    startsAt: string | null;
    endsAt: string | null;
    dueOn: string | null;
    timeZone: string;
  },
  hired: number,
  now: Date,
): JobStanding {
  const { kind, status } = job;
  // A full task is unfinished until it is delivered, however late that is.
  if (status !== 'expired' && status !== 'paused' && !(status === 'filled' && kind === 'shift'))
    return status;
  const past = (at: string | null) => at !== null && Date.parse(at) <= now.getTime();
  const started =
    past(job.startsAt) ||
    (job.dueOn !== null && zonedInstant(job.timeZone, job.dueOn, 24 * 60) <= now.getTime());
  if (!started) return status;
  if (hired === 0) return 'not_filled';
  return job.endsAt !== null && !past(job.endsAt) ? 'in_progress' : 'finished';
}

/** True for the standings of a job whose start has passed. */
export const isStartedStanding = (standing: JobStanding): boolean =>
  standing === 'in_progress' || standing === 'finished' || standing === 'not_filled';

/** Terms that applicants rely on. Times are instants; absent fields are not compared. */
export type JobTerms = Partial<
  Pick<
    JobFacts,
    'payMinor' | 'headCount' | 'breakMinutes' | 'breakPaid' | 'dueOn' | 'address' | 'lat' | 'lng'
  > & { startsAt: Date | string | null; endsAt: Date | string | null }
>;
export type MaterialChange = 'pay' | 'hours' | 'place' | 'head-count';

const msOrNull = (time: Date | string | null) => (time === null ? null : new Date(time).getTime());

/** Changes that applicants are notified of: pay, hours or place, or fewer spots (product.md: Job). */
export function materialChanges(before: JobTerms, after: JobTerms): MaterialChange[] {
  const hasChanged = (...keys: (keyof JobTerms)[]) =>
    keys.some((key) => {
      const old = before[key];
      const now = after[key];
      if (old === undefined || now === undefined) return false;
      return key === 'startsAt' || key === 'endsAt'
        ? msOrNull(old as Date | string | null) !== msOrNull(now as Date | string | null)
        : old !== now;
    });
  const isFewer = (after.headCount ?? 0) < (before.headCount ?? 0) && after.headCount !== undefined;
  return [
    ...(hasChanged('payMinor') ? (['pay'] as const) : []),
    ...(hasChanged('startsAt', 'endsAt', 'breakMinutes', 'breakPaid', 'dueOn') ? (['hours'] as const) : []),
    ...(hasChanged('address', 'lat', 'lng') ? (['place'] as const) : []),
    ...(isFewer ? (['head-count'] as const) : []),
  ];
}

/** The tags as stored: the first spelling of each, ignoring case, in the given order. */
export function cleanTags(tags: readonly string[]): string[] {
  const tagsByKey = new Map<string, string>();
  for (const tag of tags) {
    const key = tag.normalize('NFC').toLowerCase();
    if (!tagsByKey.has(key)) tagsByKey.set(key, tag.normalize('NFC'));
  }
  return [...tagsByKey.values()];
}

/**
 * The people who get an alert when a job opens. `subscribers` follow the business or saved a search that matches;
 * `everyone` adds colleagues, who did such work for the business or are in its pools; `colleagues` are only these
 * (ADR 402).
 */
export const alertAudiences = ['subscribers', 'everyone', 'colleagues', 'nobody'] as const;
export type AlertAudience = (typeof alertAudiences)[number];
