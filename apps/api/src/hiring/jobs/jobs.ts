import { createHmac } from 'node:crypto';
import { jobPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { addDays, dayIn, dayMs, daysPerWeek } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job, PayUnit } from '@nearhand/contract/hiring/jobs';
import {
  type AlertAudience,
  flagsOf,
  hasStarted,
  instantProblems,
  type JobFacts,
  jobFlags,
  missingFields,
  plainFacts,
  taskTexts,
  timeProblem,
} from '@nearhand/contract/hiring/jobs.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import {
  hourlyPay,
  isTooLittlePay,
  isTooMuchAnHour,
  payMinOf,
} from '@nearhand/contract/hiring/pay-units.rules';
import { unusualTermsOf } from '@nearhand/contract/hiring/unusual-terms.rules';
import { payFloorOn } from '@nearhand/contract/people/pay-floors.rules';
import type { Point } from '@nearhand/contract/people/places';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import { instantOf, minuteIn } from '@nearhand/contract/zoned-time';
import type { MoneyScope } from '../../money/hooks.ts';
import { assertOwnBranch, branchForJob, placeOfBranch } from '../../people/branches/job-branch.ts';
import { membersAt, requireBusinessRecruiter } from '../../people/businesses/businesses.ts';
import { hiringBusiness } from '../../people/businesses/hiring.ts';
import { findOwnFile } from '../../people/files/files.ts';
import { zoneAt } from '../../people/places/time-zones.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { hiringHooks } from '../hooks.ts';
import { expireJobTask, expireWhenOver, hireUntil, warnOfExpiryTask } from './job-expiry.ts';
import { findJob, moveJobByTimer, updateFilledStatus } from './job-transitions.ts';
import { requireJobRecruiter, viewJob } from './job-views.ts';
import type { JobRow } from './jobs.columns.ts';
import {
  deleteDraftJob,
  findPhotos,
  findQuestions,
  hasReplacementSearch,
  insertJob,
  insertJobs,
  insertPhotos,
  insertQuestions,
  lockJobRow,
  replacePhotos,
  replaceQuestions,
  updateJobStatus,
} from './jobs.sql.ts';

export const pickFields = <Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
): Pick<Value, Name> => Object.fromEntries(names.map((name) => [name, value[name]])) as Pick<Value, Name>;

const nothingSet = (kind: JobFacts['kind']): JobFacts => ({
  ...(Object.fromEntries(plainFacts.map((name) => [name, null])) as Record<
    (typeof plainFacts)[number],
    null
  >),
  kind,
  description: '',
  headCount: 1,
  breakMinutes: 0,
  breakPaid: false,
  startsAt: null,
  endsAt: null,
  hoursNote: null,
  address: '',
  lat: 0,
  lng: 0,
});

/** The fees a job keeps from its creation, in basis points (product.md, Money). */
export const feesOf = (config: Config) => ({
  businessFeeBasisPoints: config.BUSINESS_FEE_BASIS_POINTS,
  workerFeeBasisPoints: config.WORKER_FEE_BASIS_POINTS,
});

/** Saves a new draft. Pay in minor units, hourly for a shift, total for a task. */
export async function createJob(
  tx: Tx,
  scope: Scope,
  { businessId, ...input }: JobDraft & { businessId: string },
): Promise<Job> {
  const { accountId } = scope.actor;
  const branches = await requireBusinessRecruiter(tx, scope.actor, businessId);
  const business = await hiringBusiness(tx, businessId);
  assertOwnBranch(branches, input.branchId ?? null);
  const branch = input.branchId ? await branchForJob(tx, businessId, input.branchId) : null;
  const facts = factsAfter(nothingSet(input.kind), input);
  requirePossibleTimes(facts);
  const unit = input.kind === 'task' ? 'fixed' : 'hour';
  const currency = business.currency;
  requirePossiblePay(facts, unit, currency);
  const now = scope.clock.now();
  const jobId = newId(now);
  await insertJob(tx, {
    id: jobId,
    businessId,
    businessName: business.name,
    branchId: branch?.id ?? null,
    kind: input.kind,
    status: 'draft',
    title: input.title,
    category: input.category,
    requirements: input.requirements ?? [],
    skills: input.skills ?? [],
    payUnit: unit,
    currency,
    ...flagsOf(input),
    ...factColumns(facts, unit),
    ...placeColumns(business, input.place ?? (branch ? placeOfBranch(branch) : business)),
    ...feesOf(scope.config),
    createdAt: now,
    updatedAt: now,
  });
  await askQuestions(tx, now, jobId, input.questions ?? []);
  await setPhotos(tx, accountId, jobId, input.photoIds ?? []);
  return viewJob(tx, accountId, jobId);
}

/**
 * Updates status and waitlist after a head count change; notifies other applicants when no spot is left. A spot that was
 * added to a hidden copy was not freed by anyone, so it neither opens the job nor goes to the pools (ADR 407).
 */
export async function spotsChanged(tx: Tx, scope: Scope, jobId: string): Promise<void> {
  if ((await updateFilledStatus(tx, scope, jobId)) === 'filled') return hiringHooks.on.jobFilled(tx, jobId);
  const { status, opensWhenFreed } = await findJob(tx, jobId);
  if (status !== 'paused' || !opensWhenFreed) await hiringHooks.on.spotFreed(tx, scope, jobId);
}

const copied = [
  ...plainFacts,
  ...jobFlags,
  'businessId',
  'businessName',
  'branchId',
  'kind',
  'title',
  'category',
  'requirements',
  'skills',
  'payMaxMinor',
  'payUnit',
  'payHourMinor',
  'currency',
  'hoursNote',
  'address',
  'area',
  'lat',
  'lng',
  'privateAddress',
  'publicLat',
  'publicLng',
  'timeZone',
] as const;

/** Copies a job to a draft, with its hours on `day` or a week or more ahead. For recruiters. */
export async function duplicateJob(
  tx: Tx,
  scope: Scope,
  input: { jobId: string; day?: string },
): Promise<Job> {
  const { accountId } = scope.actor;
  await requireJobRecruiter(tx, accountId, input.jobId);
  const row = await findJob(tx, input.jobId);
  await hiringBusiness(tx, row.businessId);
  const days =
    input.day !== undefined && row.startsAt !== null
      ? (Date.parse(input.day) - Date.parse(dayIn(row.timeZone, row.startsAt))) / dayMs
      : weeksAhead(row, scope.clock.now());
  return viewJob(tx, accountId, await copyJob(tx, scope, { ...row, seriesId: null }, days));
}

export type JobCopy = {
  /** The id of the copy. */
  id: string;
  /** The copied job, with the series of the copy. */
  row: JobRow;
  /** The days from its date to that of the copy. */
  days: number;
  /** `subscribers` if absent. */
  alertAudience?: AlertAudience;
  /** A date of the block of its series. False if absent. */
  asBlock?: boolean;
};

/** Copies a job to a draft as `copyJobs` does. Returns the draft's id. */
async function copyJob(tx: Tx, scope: Scope, row: JobRow, days: number): Promise<string> {
  const id = newId(scope.clock.now());
  await copyJobs(tx, scope, [{ id, row, days }]);
  return id;
}

/**
 * Copies jobs to drafts some days later by the clock of their place, with questions and photos and without a due date.
 * Returns the drafts in the same order.
 */
export async function copyJobs(tx: Tx, scope: Scope, copies: readonly JobCopy[]): Promise<JobRow[]> {
  if (copies.length === 0) return [];
  const now = scope.clock.now();
  const later = (at: Date | null, timeZone: string, days: number) =>
    at && new Date(instantOf(timeZone, addDays(dayIn(timeZone, at), days), minuteIn(timeZone, at)));
  const drafts = await insertJobs(
    tx,
    copies.map(({ id, row, days, alertAudience, asBlock }) => ({
      ...pickFields(row, copied),
      id,
      status: 'draft' as const,
      startsAt: later(row.startsAt, row.timeZone, days),
      endsAt: later(row.endsAt, row.timeZone, days),
      dueOn: null,
      seriesId: row.seriesId,
      alertAudience,
      asBlock,
      ...feesOf(scope.config),
      createdAt: now,
      updatedAt: now,
    })),
  );
  const copiedIds = [...new Set(copies.map(({ row }) => row.id))];
  const questions = Map.groupBy(await findQuestions(tx, copiedIds), ({ jobId }) => jobId);
  const photos = Map.groupBy(await findPhotos(tx, copiedIds), ({ jobId }) => jobId);
  await insertQuestions(
    tx,
    copies.flatMap(({ id: jobId, row }) =>
      (questions.get(row.id) ?? []).map((question) => ({ ...question, id: newId(now), jobId })),
    ),
  );
  await insertPhotos(
    tx,
    copies.flatMap(({ id: jobId, row }) => (photos.get(row.id) ?? []).map((photo) => ({ ...photo, jobId }))),
  );
  return drafts;
}

/** The days to the same weekday of the first week after `now`, or of the week after a shift that is still ahead. */
function weeksAhead({ startsAt }: Pick<JobRow, 'startsAt'>, now: Date): number {
  const behind = Math.max(0, now.getTime() - (startsAt?.getTime() ?? 0));
  return (Math.floor(behind / (daysPerWeek * dayMs)) + 1) * daysPerWeek;
}

/** Deletes an unpublished draft. For recruiters. */
export async function deleteDraft(
  tx: Tx,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<{ deleted: true }> {
  await requireJobRecruiter(tx, scope.actor.accountId, jobId);
  if (!(await deleteDraftJob(tx, jobId))) throw new AppError('job/wrong-state');
  return { deleted: true };
}

/** Locks the job if the timer for `expiresAt` still applies. */
async function lockIfDue(tx: Tx, jobId: string, expiresAt: string): Promise<JobRow | null> {
  const row = await lockJobRow(tx, jobId);
  return row?.expiresAt?.toISOString() === expiresAt ? row : null;
}

async function warnOfExpiry(
  tx: Tx,
  scope: ClockScope,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const now = scope.clock.now();
  const row = await lockIfDue(tx, jobId, expiresAt);
  if (row?.status !== 'open' || row.warnedAt !== null) return;
  await updateJobStatus(tx, jobId, 'open', { status: 'open', warnedAt: now });
  await notifyRecruiters(tx, scope, row, { topic: 'job-expiring', variant: await variantOf(tx, scope, row) });
}

async function expireJob(
  tx: Tx,
  scope: MoneyScope,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const row = await lockIfDue(tx, jobId, expiresAt);
  if (!row) return;
  const variant = await variantOf(tx, scope, row);
  // Only time ends a paused job: what paused it, a business or a search, may still open it.
  if (row.status === 'paused' && variant === undefined) {
    const runAt = hireUntil(factsOf(row), row.timeZone);
    if (runAt) await expireWhenOver(tx, jobId, expiresAt, runAt);
    return;
  }
  if (!(await moveJobByTimer(tx, scope, row, 'expire'))) return;
  await hiringHooks.needs.fundSpots(tx, scope, jobId, { all: false });
  if (row.status === 'open' || variant === 'unreplaced')
    await notifyRecruiters(tx, scope, row, { topic: 'job-expired', variant });
}

/** A begun job's words: that nobody was found, if someone was sought. Undefined before its start. */
async function variantOf(
  tx: Tx,
  { clock }: ClockScope,
  job: JobRow,
): Promise<'past' | 'unreplaced' | undefined> {
  const now = clock.now();
  if (!hasStarted(factsOf(job), now, dayIn(job.timeZone, now))) return undefined;
  return (await hasReplacementSearch(tx, job.id, { hidden: false })) ? 'unreplaced' : 'past';
}

async function notifyRecruiters(
  tx: Tx,
  scope: ClockScope,
  job: JobRow,
  { topic, variant }: { topic: 'job-expiring' | 'job-expired'; variant: 'past' | 'unreplaced' | undefined },
): Promise<void> {
  const expiresAt = job.expiresAt?.toISOString() ?? '';
  const recruiters = await membersAt(tx, job.id, 'jobs');
  await notifyAll(
    tx,
    scope,
    recruiters.map((accountId) => ({
      accountId,
      topic,
      data: {
        jobTitle: job.title,
        businessName: job.businessName,
        expiresAt,
        timeZone: job.timeZone,
        variant,
      },
      path: jobPath(job.id),
      dedupeKey: `${topic}/${job.id}/${expiresAt}`,
    })),
  );
}

type Question = NonNullable<JobDraft['questions']>[number];

/** An unchanged question keeps its id, and so its answers. */
export async function askQuestions(
  tx: Tx,
  now: Date,
  jobId: string,
  questions: readonly Question[],
): Promise<void> {
  const textOf = (question: Question) => JSON.stringify([question.prompt, question.kind, question.choices]);
  const existing = new Map((await findQuestions(tx, [jobId])).map((row) => [textOf(row), row.id]));
  const rows = questions.map((question, position) => {
    const existingId = existing.get(textOf(question));
    existing.delete(textOf(question));
    return {
      id: existingId ?? newId(now),
      jobId,
      position,
      prompt: question.prompt,
      kind: question.kind,
      choices: [...question.choices],
      required: question.required,
    };
  });
  await replaceQuestions(tx, jobId, rows);
}

/**
 * Existing and `allowed` photos may stay; new ones must be pictures that this account uploaded.
 * @throws file/not-found, file/wrong-type
 */
export async function setPhotos(
  tx: Tx,
  accountId: string,
  jobId: string,
  photoIds: readonly string[],
  allowed: readonly string[] = [],
): Promise<void> {
  const storedPhotos = await findPhotos(tx, [jobId]);
  const before = [...allowed, ...storedPhotos.map(({ fileId }) => fileId)];
  for (const fileId of photoIds)
    if (!before.includes(fileId)) await findOwnFile(tx, accountId, fileId, 'photo');
  await replacePhotos(tx, jobId, photoIds);
}

/** The part of a job that screening, copies and checks of an edit compare. */
export const factsOf = (row: JobRow): JobFacts =>
  pickFields(row, [...plainFacts, 'kind', 'startsAt', 'endsAt', 'hoursNote', 'address', 'lat', 'lng']);

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The facts as they would be after an edit. Absent fields keep their value. */
export function factsAfter(before: JobFacts, input: Partial<JobDraft>): JobFacts {
  const present = plainFacts.filter((name) => input[name] !== undefined);
  const after: JobFacts = {
    ...before,
    ...pickFields(input, present),
    startsAt: input.startsAt === undefined ? before.startsAt : dateOf(input.startsAt),
    endsAt: input.endsAt === undefined ? before.endsAt : dateOf(input.endsAt),
    ...(input.place && pickFields(input.place, ['address', 'lat', 'lng'])),
  };
  // Fields of the other kind are dropped instead of being hidden.
  return after.kind === 'shift'
    ? { ...after, dueOn: null }
    : { ...after, ...taskTexts(after), startsAt: null, endsAt: null, breakMinutes: 0, breakPaid: false };
}

/** @throws request/invalid for pay below `payMinOf` or above `hiringLimits.hourlyPayMaxMinor` an hour */
export function requirePossiblePay(
  { payMinor, startsAt, endsAt, breakMinutes, breakPaid }: PayFacts,
  unit: PayUnit,
  currency: Currency,
): void {
  const minutes = startsAt && endsAt ? paidMinutes(startsAt, endsAt, breakMinutes, breakPaid) : null;
  if (isTooMuchAnHour(payMinor, unit))
    throw new AppError('request/invalid', {
      issues: [{ path: 'payMinor', message: 'an hourly pay that someone would pay' }],
    });
  if (isTooLittlePay(payMinor, unit, currency, minutes)) {
    const per = unit === 'fixed' ? 'fixed' : 'hour';
    const minimum = `${payMinOf(currency, per, minutes)} minor units of ${currency}`;
    const isShort = payMinOf(currency, per, minutes) > payMinOf(currency, per);
    const shiftNote = isShort ? `, ${payMinOf(currency, 'fixed')} for the whole shift` : '';
    throw new AppError('request/invalid', {
      issues: [
        { path: 'payMinor', message: `at least ${minimum}${per === 'hour' ? ' an hour' : ''}${shiftNote}` },
      ],
    });
  }
}

type PayFacts = Pick<JobFacts, 'payMinor' | 'startsAt' | 'endsAt' | 'breakMinutes' | 'breakPaid'>;

/** @throws request/invalid for impossible times, even in a draft */
export function requirePossibleTimes(facts: JobFacts): void {
  const problem = timeProblem(facts);
  if (problem) throw new AppError('request/invalid', { issues: [problem] });
}

/**
 * Requires complete fields, and reasons for pay below the minimum of the country or a very short shift.
 * @throws job/incomplete
 */
export function requireComplete(
  { config }: { config: Config },
  { currency, payUnit }: Pick<JobRow, 'currency' | 'payUnit'>,
  facts: JobFacts,
  { country, timeZone }: { country: string; timeZone: string },
): void {
  const floorMinor =
    facts.startsAt === null || payUnit !== 'hour'
      ? null
      : payFloorOn({ country, currency }, dayIn(timeZone, facts.startsAt), config.PAY_FLOORS);
  const unexplained = unusualTermsOf(facts, floorMinor).filter((term) => facts[term] === null);
  const missing = [...missingFields(facts), ...unexplained];
  if (missing.length > 0) throw new AppError('job/incomplete', { missing });
}

/** @throws job/not-instant (data: because, the fields that prevent it) */
export async function requireInstant(
  db: Db,
  jobId: string,
  facts: JobFacts,
  asks: { cvRequired: boolean; questions?: readonly { kind: string }[] },
): Promise<void> {
  const questions = asks.questions ?? (await findQuestions(db, [jobId]));
  const because = instantProblems(facts, { cvRequired: asks.cvRequired, questions });
  if (because.length > 0) throw new AppError('job/not-instant', { because });
}

/**
 * Refuses days in the past, in the job's zone, and beyond `jobAheadDaysMax`.
 * @throws job/starts-in-past, job/too-far-ahead
 */
export function requireFuture(facts: JobFacts, timeZone: string, now: Date): void {
  if (hasStarted(facts, now, dayIn(timeZone, now))) throw new AppError('job/starts-in-past');
  const starts = facts.startsAt ?? (facts.dueOn === null ? null : new Date(facts.dueOn));
  if (starts !== null && starts.getTime() > now.getTime() + hiringLimits.jobAheadDaysMax * dayMs)
    throw new AppError('job/too-far-ahead');
}

/** Columns of the facts, with hourly pay in minor units, by which search sorts. */
export const factColumns = (facts: JobFacts, unit: JobRow['payUnit']) => ({
  ...pickFields(facts, [...plainFacts, 'startsAt', 'endsAt']),
  payHourMinor: hourlyPay(facts.payMinor, unit),
});

/**
 * Columns of a job's place. A private address gets a shifted public point, the same for each job of the
 * owner.
 */
export function placeColumns(
  owner: { placeSalt: string; countryCode: string },
  place: {
    address: string;
    area: string;
    lat: number;
    lng: number;
    privateAddress: boolean;
    timeZone?: string;
  },
) {
  const blurred = publicPlace(owner.placeSalt, place);
  return {
    ...pickFields(place, ['address', 'area', 'lat', 'lng', 'privateAddress']),
    publicLat: blurred.lat,
    publicLng: blurred.lng,
    timeZone: place.timeZone ?? zoneAt(place, owner.countryCode),
  };
}

const metresPerDegree = 111_195;
/** The grid that an exact place is rounded to first, in degrees of latitude (about 110 m). */
const grain = 0.001;
const blurMinM = 150;
const blurMaxM = 400;

/**
 * A rounded place always gives the same point, 150 to 400 m away, so jobs at one address can't be averaged
 * (ADR 8).
 */
export function publicPlace(salt: string, place: Point & { privateAddress: boolean }): Point {
  if (!place.privateAddress) return { lat: place.lat, lng: place.lng };
  const lat = clamp(Math.round(place.lat / grain) * grain, -89.9, 89.9);
  const narrow = Math.cos((lat * Math.PI) / 180);
  const lngGrain = grain / narrow;
  const lng = Math.round(place.lng / lngGrain) * lngGrain;
  const hash = createHmac('sha256', salt)
    .update(`${lat.toFixed(3)} ${lng.toFixed(6)}`)
    .digest();
  const angle = (hash.readUInt32BE(0) / 2 ** 32) * 2 * Math.PI;
  const share = hash.readUInt32BE(4) / 2 ** 32;
  const metres = Math.sqrt(blurMinM ** 2 + share * (blurMaxM ** 2 - blurMinM ** 2));
  return {
    lat: round(lat + (metres * Math.cos(angle)) / metresPerDegree),
    lng: round(wrapLongitude(lng + (metres * Math.sin(angle)) / (metresPerDegree * narrow))),
  };
}

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
const round = (degrees: number) => Number(degrees.toFixed(5));
const wrapLongitude = (lng: number) => {
  if (lng > 180) return lng - 360;
  return lng < -180 ? lng + 360 : lng;
};

export const jobsTasks = [
  defineTask({
    ...warnOfExpiryTask,
    run: ({ db, clock }, payload) => db.transaction().execute((tx) => warnOfExpiry(tx, { clock }, payload)),
  }),
  defineTask({
    ...expireJobTask,
    run: (scope, payload) => scope.db.transaction().execute((tx) => expireJob(tx, scope, payload)),
  }),
];
