import type { Job } from '@nearhand/contract/hiring/jobs';
import {
  flagsOf,
  type JobFacts,
  type JobFlags,
  jobStatuses,
  materialChanges,
  mayBeEdited,
} from '@nearhand/contract/hiring/jobs.rules';
import {
  divideEdit,
  isAgreed,
  movedHours,
  partOfField,
  partsOf,
  type SeriesReach,
  type ShiftEdit,
  type ShiftPart,
} from '@nearhand/contract/hiring/series-edits.rules';
import type { TopicData } from '@nearhand/contract/talk/topics/notice-facts';
import type { MoneyScope } from '../../money/hooks.ts';
import { assertOwnBranch, branchForJob, placeOfBranch } from '../../people/branches/job-branch.ts';
import { lockBusiness } from '../../people/businesses/businesses.sql.ts';
import { branchLimitOf } from '../../people/businesses/businesses.ts';
import { countryOf, placeFactsOf } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type BookedEdit, editBookedWork, lockBookedWork } from '../../work/engagements/edited-work.ts';
import { hiringHooks, type JobChange } from '../hooks.ts';
import { rankJob } from '../matching/ranking.ts';
import { screenJob } from '../screening/screening.ts';
import { lifeEndAfterEdit, moveTimers } from './job-expiry.ts';
import { lockJob, moveJobByTimer, requireDatesApart } from './job-transitions.ts';
import { requireJobRecruiter, viewJob } from './job-views.ts';
import type { JobRow } from './jobs.columns.ts';
import {
  findBlockDates,
  findJobOwner,
  findPhotos,
  findRenewable,
  findSeriesShifts,
  leaveBlock,
  lockJobRows,
  lockOffered,
  updateJobVersion,
} from './jobs.sql.ts';
import {
  askQuestions,
  factColumns,
  factsAfter,
  factsOf,
  placeColumns,
  requireComplete,
  requireFuture,
  requireInstant,
  requirePossiblePay,
  requirePossibleTimes,
  setPhotos,
  spotsChanged,
} from './jobs.ts';

type Edit = {
  before: JobFacts;
  after: JobFacts;
  place: ReturnType<typeof placeColumns> | undefined;
  timeZone: string;
  changes: ReturnType<typeof materialChanges>;
  flags: JobFlags;
};

/**
 * Edits a job, and with `reach` the later or all shifts of its series that have not started, in one
 * transaction. Booked workers are asked about another time or place and lower pay. Other shifts keep their
 * individual changes, and whatever their people rely on. Each applicant gets one notice.
 */
export async function updateJob(
  tx: Tx,
  scope: Scope,
  {
    jobId,
    version,
    reach = 'one',
    ...input
  }: ShiftEdit & { jobId: string; version: number; reach?: SeriesReach },
): Promise<Job> {
  const { accountId } = scope.actor;
  await requireJobRecruiter(tx, accountId, jobId);
  const owner = await findJobOwner(tx, jobId);
  // With instant hire each shift's money is set aside at once, and a shortage would be reported a shift at a time.
  if ((reach !== 'one' || owner?.asBlock) && input.instantHire) throw new AppError('job/cannot-repeat');
  const otherIds = reach === 'one' ? [] : await otherShifts(tx, scope, jobId, reach);
  const parts = partsOf(input);
  // New hours or another place may renew offers, which locks the business: businesses are locked before jobs
  // (ADR 38).
  if (parts.some(isAgreed) && owner && owner.status !== 'draft') await lockBusiness(tx, owner.businessId);
  // The offers of a block are made again together (ADR 414).
  const dates =
    owner?.seriesId && parts.some(isAgreed)
      ? await findBlockDates(tx, owner.seriesId, scope.clock.now())
      : [];
  const blockIds = dates.map(({ id }) => id);
  const locked = await lockJobRows(tx, [...new Set([jobId, ...otherIds, ...blockIds])]);
  const rows = locked.filter(({ id }) => id === jobId || otherIds.includes(id));
  const row = rows.find(({ id }) => id === jobId);
  if (!row) throw new AppError('job/not-found');
  if (!mayBeEdited(row.status)) throw new AppError('job/wrong-state', { status: row.status });
  if (row.version !== version) throw new AppError('job/stale', { version: row.version });
  // The others of its block were applied for and offered without a date that has passed (ADR 414).
  const hasPassed = row.startsAt !== null && row.startsAt <= scope.clock.now();
  if (row.asBlock && hasPassed && parts.includes('hours')) await leaveBlock(tx, jobId);
  const renewableIds = await findRenewable(
    tx,
    rows.map(({ id }) => id),
  );
  const bookedIds = rows.filter(({ hiredCount }) => hiredCount > 0).map(({ id }) => id);
  if (bookedIds.length > 0 && renewableIds.size > 0) await lockOffered(tx, [...renewableIds]);
  const booked = bookedIds.length > 0 ? await lockBookedWork(tx, scope, bookedIds) : [];
  const photos = input.photoIds ? await findPhotos(tx, [jobId]) : [];
  const photoIds = photos.map(({ fileId }) => fileId);
  const changedAlone = (row.changedAlone as ShiftPart[]).filter((part) => !parts.includes(part));
  const isAlone = reach === 'one' && row.seriesId !== null && row.status !== 'draft';
  const { changes: first, edit } = await editRow(tx, scope, row, input, {
    changedAlone: isAlone ? [...changedAlone, ...parts] : changedAlone,
    renewable: renewableIds.has(jobId),
  });
  const edits = [first];
  for (const shift of rows) {
    if (shift.id === jobId || !mayBeEdited(shift.status)) continue;
    const renewable = renewableIds.has(shift.id);
    const changes = changesOfShift(shift, { input, row, edit, renewable });
    if (Object.keys(changes).length === 0) continue;
    edits.push((await editRow(tx, scope, shift, changes, { photoIds, renewable })).changes);
  }
  const renewedIds = edits.filter(({ hasNewOffers }) => hasNewOffers).map(({ id }) => id);
  const isBlockRenewed = renewedIds.some((id) => blockIds.includes(id));
  const offeredIds = isBlockRenewed ? [...new Set([...renewedIds, ...blockIds])] : renewedIds;
  if (owner?.seriesId && blockIds.length > 0) await requireDatesApart(tx, scope, owner.seriesId);
  if (offeredIds.length > 0) await hiringHooks.needs.renewOffers(tx, scope, offeredIds);
  await editBookedWork(tx, scope, booked, { edits, event: `${jobId}/${version + 1}` });
  await hiringHooks.on.jobsChanged(
    tx,
    scope,
    edits.filter(({ changes }) => changes.length > 0),
  );
  return viewJob(tx, accountId, jobId);
}

async function otherShifts(tx: Tx, scope: Scope, jobId: string, reach: 'later' | 'all'): Promise<string[]> {
  const rows = await findSeriesShifts(tx, jobId, {
    accountId: scope.actor.accountId,
    now: scope.clock.now(),
    statuses: jobStatuses.filter(mayBeEdited),
    reach,
  });
  return rows.map(({ id }) => id).filter((id) => id !== jobId);
}

/**
 * The edit as it applies to `row`, another shift of the series: its hours move by the same amount in local
 * time.
 */
function changesOfShift(
  shift: JobRow,
  { input, row, edit, renewable }: { input: ShiftEdit; row: JobRow; edit: Edit; renewable: boolean },
): ShiftEdit {
  const { parts } = divideEdit(input, {
    renewable,
    changedAlone: shift.changedAlone as ShiftPart[],
    hired: shift.hiredCount,
    offered: shift.offeredCount,
    payMinor: shift.payMinor,
  });
  const fields = Object.entries(input).filter(
    ([field, value]) => value !== undefined && parts.includes(partOfField[field as keyof ShiftEdit]),
  );
  const changes: ShiftEdit = Object.fromEntries(fields);
  const { startsAt, endsAt } = edit.after;
  const isMoved = changes.startsAt !== undefined || changes.endsAt !== undefined;
  if (!isMoved || !startsAt || !endsAt || !row.startsAt || !shift.startsAt) return changes;
  const hours = movedHours(
    { startsAt: shift.startsAt, timeZone: shift.timeZone },
    {
      before: { startsAt: row.startsAt, timeZone: row.timeZone },
      after: { startsAt, endsAt, timeZone: edit.timeZone },
    },
    parts.includes('place') ? edit.timeZone : shift.timeZone,
  );
  return { ...changes, startsAt: hours.startsAt.toISOString(), endsAt: hours.endsAt.toISOString() };
}

type EditedJob = JobChange & BookedEdit;

/** Changes that booked people are notified of, in addition to higher pay. */
const detailParts: readonly ShiftPart[] = ['title', 'requirements', 'description'];

/** Edits one locked job and everything that follows, except for booked work and notices. */
async function editRow(
  tx: Tx,
  scope: Scope,
  row: JobRow,
  input: ShiftEdit,
  options: {
    changedAlone?: ShiftPart[];
    /** Photos of a colleague that are allowed too, since the edited shift has them. */
    photoIds?: readonly string[];
    /** True if its open offers can be made again (`findRenewable`). */
    renewable: boolean;
  },
): Promise<{ changes: EditedJob; edit: Edit }> {
  const changes = await withBranch(tx, scope, row, input);
  const edit = await readEdit(tx, row, changes);
  await requireAllowed(tx, scope, row, edit, { questions: input.questions, renewable: options.renewable });
  const { after, place, flags } = edit;
  const expiresAt = lifeEndOf(row, edit, scope.config.JOB_LIFE_DAYS);
  const isAboveMax = row.payMaxMinor !== null && (after.payMinor ?? 0) > row.payMaxMinor;
  const isUpdated = await updateJobVersion(tx, row.id, row.version, {
    title: input.title,
    category: input.category,
    requirements: input.requirements,
    skills: input.skills,
    ...flags,
    ...factColumns(after, row.payUnit),
    ...place,
    branchId: changes.branchId,
    payMaxMinor: isAboveMax ? null : row.payMaxMinor,
    changedAlone: options.changedAlone,
    expiresAt,
    updatedAt: scope.clock.now(),
  });
  if (!isUpdated) throw new AppError('job/stale');
  if (input.questions) await askQuestions(tx, scope.clock.now(), row.id, input.questions);
  if (input.photoIds) await setPhotos(tx, scope.actor.accountId, row.id, input.photoIds, options.photoIds);
  if (row.status !== 'draft') await followUp(tx, scope, row, { input: changes, edit, expiresAt });
  if (['open', 'filled', 'in_review'].includes(row.status)) await screenAgain(tx, scope, row.id);
  return {
    changes: {
      id: row.id,
      title: input.title ?? row.title,
      businessName: row.businessName,
      version: row.version + 1,
      changes: row.status === 'draft' ? [] : edit.changes,
      values: changedValues(row, edit),
      hasNewOffers:
        options.renewable &&
        (edit.changes.includes('hours') ||
          edit.changes.includes('place') ||
          edit.timeZone !== row.timeZone ||
          after.relation !== edit.before.relation),
      jobId: row.id,
      payMinor: after.payMinor !== row.payMinor ? after.payMinor : null,
      hours: edit.changes.includes('hours')
        ? {
            startsAt: after.startsAt?.toISOString() ?? null,
            endsAt: after.endsAt?.toISOString() ?? null,
            breakMinutes: after.breakMinutes,
            breakPaid: after.breakPaid,
          }
        : null,
      place:
        edit.place && (edit.changes.includes('place') || edit.timeZone !== row.timeZone)
          ? {
              place: { address: after.address, area: edit.place.area, lat: after.lat, lng: after.lng },
              timeZone: edit.timeZone,
            }
          : null,
      hasNewDetails: detailParts.some((part) => partsOf(input).includes(part)),
    },
    edit,
  };
}

/**
 * The time and pay of a job before and after an edit, as far as they changed, for its applicants' notice. `row` is the
 * job before it; amounts in minor units of its currency, per hour or in total as posted.
 */
export function changedValues(
  row: JobRow,
  { after, changes, timeZone }: Pick<Edit, 'after' | 'changes' | 'timeZone'>,
): TopicData<'job-changed'> {
  const values: TopicData<'job-changed'> = {};
  if (changes.includes('hours') && row.startsAt && row.endsAt && after.startsAt && after.endsAt) {
    values.timeZone = row.timeZone;
    values.startsAt = row.startsAt.toISOString();
    values.endsAt = row.endsAt.toISOString();
    values.toStartsAt = after.startsAt.toISOString();
    values.toEndsAt = after.endsAt.toISOString();
    values.toTimeZone = timeZone;
  }
  if (changes.includes('pay') && row.payMinor !== null && after.payMinor !== null) {
    values.currency = row.currency;
    values.fromMinor = row.payMinor;
    values.toMinor = after.payMinor;
  }
  return values;
}

/**
 * Uses the branch's place unless another is given.
 * @throws branch/not-found, branch/required, branch/closed
 */
async function withBranch(tx: Tx, scope: Scope, row: JobRow, input: ShiftEdit): Promise<ShiftEdit> {
  if (input.branchId === undefined || input.branchId === row.branchId) return input;
  assertOwnBranch(await branchLimitOf(tx, row.businessId, scope.actor.accountId), input.branchId);
  if (input.branchId === null) return input;
  const branch = await branchForJob(tx, row.businessId, input.branchId);
  return { ...input, place: input.place ?? placeOfBranch(branch) };
}

async function readEdit(tx: Tx, row: JobRow, input: ShiftEdit): Promise<Edit> {
  const before = factsOf(row);
  const after = factsAfter(before, input);
  requirePossibleTimes(after);
  requirePossiblePay(after, row.payUnit, row.currency);
  const place = input.place && placeColumns(await placeFactsOf(tx, row.businessId), input.place);
  return {
    before,
    after,
    place,
    timeZone: place?.timeZone ?? row.timeZone,
    changes: materialChanges(before, after),
    flags: flagsOf(input, row),
  };
}

/**
 * Screens a changed job like a new one, if workers see it or an operator is about to. Its status may have
 * changed with its spots in the meantime.
 */
async function screenAgain(tx: Tx, scope: Scope, jobId: string): Promise<void> {
  const row = await lockJob(tx, jobId);
  const findings = await screenJob(tx, scope, row);
  // A job in review stays there until an operator decides, so that a business can't try texts until one passes.
  if (findings.length > 0 && row.status !== 'in_review') await holdForReview(tx, scope, row);
}

/** Hides a job until an operator decides, and returns the money of its free spots. */
export async function holdForReview(tx: Tx, scope: MoneyScope, row: JobRow): Promise<void> {
  if (await moveJobByTimer(tx, scope, row, 'flag'))
    await hiringHooks.needs.fundSpots(tx, scope, row.id, { all: false });
}

/** Skips drafts, which may contain any value. */
async function requireAllowed(
  tx: Tx,
  scope: Scope,
  row: JobRow,
  edit: Edit,
  { questions, renewable }: { questions: ShiftEdit['questions']; renewable: boolean },
): Promise<void> {
  const { after, changes, flags } = edit;
  if (row.status === 'draft') return;
  const country = await countryOf(tx, row.businessId);
  requireComplete(scope, row, after, { country, timeZone: edit.timeZone });
  if (changes.includes('hours')) requireFuture(after, edit.timeZone, scope.clock.now());
  if (flags.instantHire)
    await requireInstant(tx, row.id, after, { ...flags, ...(questions ? { questions } : {}) });
  requireKeptPromises(row, edit, { renewable, now: scope.clock.now() });
}

/**
 * Head count never falls below hires (product.md), the relation stays after a hire, and the frozen terms of
 * open offers must match the job. Booked workers are asked about the rest (ADR 389), for a shift before its
 * start.
 */
function requireKeptPromises(
  row: JobRow,
  { before, after, changes, timeZone }: Edit,
  { renewable, now }: { renewable: boolean; now: Date },
): void {
  const { hiredCount: hired, offeredCount: offered } = row;
  if (hired + offered === 0) return;
  if (after.headCount < hired + offered) throw new AppError('job/head-count-below-hires', { hired, offered });
  if (hired > 0 && after.relation !== before.relation)
    throw new AppError('job/terms-fixed', { changed: ['relation'] });
  const canAsk = row.kind === 'shift' && row.startsAt !== null && row.startsAt > now;
  const isAgreedWithOffers = offered > 0 && !renewable;
  if (!isAgreedWithOffers && (hired === 0 || canAsk)) return;
  const fixedParts = changes.filter((part) => part === 'hours' || part === 'place');
  if (fixedParts.length > 0) throw new AppError('job/terms-fixed', { changed: fixedParts });
  if (after.relation !== before.relation) throw new AppError('job/terms-fixed', { changed: ['relation'] });
  // Another time zone would change how the hours read.
  if (timeZone !== row.timeZone) throw new AppError('job/terms-fixed', { changed: ['place'] });
  if (hired > 0 && !canAsk && (after.payMinor ?? 0) < (before.payMinor ?? 0))
    throw new AppError('job/pay-fell-after-hire');
}

function lifeEndOf(row: JobRow, { before, after, timeZone, changes }: Edit, lifeDays: number): Date | null {
  // A filled job is listed again when a spot frees.
  const mayBeListed = ['open', 'paused', 'in_review', 'filled'].includes(row.status);
  if (!mayBeListed || !row.publishedAt || !changes.includes('hours')) return row.expiresAt;
  return lifeEndAfterEdit(
    { facts: before, timeZone: row.timeZone, expiresAt: row.source === null ? null : row.expiresAt },
    { facts: after, timeZone },
    row.publishedAt,
    lifeDays,
  );
}

async function followUp(
  tx: Tx,
  scope: Scope,
  row: JobRow,
  {
    input,
    edit: { before, after, changes },
    expiresAt,
  }: { input: ShiftEdit; edit: Edit; expiresAt: Date | null },
): Promise<void> {
  await moveTimers(tx, scope, row, expiresAt);
  const hours = changes.includes('hours');
  const criteriaChanged =
    input.skills !== undefined || input.category !== undefined || input.place !== undefined;
  if (criteriaChanged || hours) await rankJob(tx, row.id);
  if (hours) await hiringHooks.on.startMoved(tx, row.id);
  if (after.headCount !== before.headCount) await spotsChanged(tx, scope, row.id);
  // The spots of an instant hire may need more money than the balance has (ADR 75).
  if (row.status === 'open') await hiringHooks.needs.fundSpots(tx, scope, row.id, { all: true });
}
