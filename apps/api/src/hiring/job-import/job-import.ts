import { addMs, dayMs } from '@nearhand/contract/durations';
import { materialChanges, mayBeEdited } from '@nearhand/contract/hiring/jobs.rules';
import { hourlyPay } from '@nearhand/contract/hiring/pay-units.rules';
import { dayEndsAt } from '@nearhand/contract/zoned-time';
import { businessesForImport, importName } from '../../people/businesses/business-import.ts';
import { type HiringBusiness, hiringBusiness } from '../../people/businesses/hiring.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { sha256 } from '../../platform/sign.ts';
import { hiringHooks } from '../hooks.ts';
import { changedValues } from '../jobs/job-edits.ts';
import { lifeEnd, moveTimers, setTimersOfNew } from '../jobs/job-expiry.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { factsAfter, factsOf, feesOf, placeColumns, spotsChanged } from '../jobs/jobs.ts';
import { insertImportedJobs, lockImportedJobs, type NewJob, updateImportedJob } from './job-import.sql.ts';
import type { ImportRow, Refusal } from './posting.rules.ts';

/** `left`: changed at its source but ended here, where the business decides. */
export type ImportOutcome = 'imported' | 'updated' | 'same' | 'left' | Refusal;
const quarterMs = 900_000;

/**
 * Imports postings as open jobs, all or nothing; ended jobs stay ended (ADR 26). No
 * operation exists: the operator is accountable, and `scope.actor` is the owner they name.
 */
export async function importJobs(
  tx: Tx,
  scope: Scope,
  input: { source: string; operator: string; rows: readonly ImportRow[] },
): Promise<ImportOutcome[]> {
  const { source, operator, rows } = input;
  const businesses = await businessesForImport(
    tx,
    scope,
    operator,
    rows.map((row) => ({ name: row.businessName, category: row.category, place: row.place })),
  );
  const hiring = new Map<string, HiringBusiness>();
  for (const id of [...businesses.values()].filter((businessId) => businessId !== null).sort())
    hiring.set(id, await hiringBusiness(tx, id));

  const postings = rows.map((row) => ({
    row,
    businessId: businesses.get(importName(row.businessName)) ?? null,
  }));
  const importedJobs = await lockImportedJobs(
    tx,
    source,
    postings.flatMap(({ row, businessId }) =>
      businessId === null ? [] : [{ businessId, sourceId: row.sourceId }],
    ),
  );
  const knownBy = new Map(importedJobs.map((job) => [`${job.businessId} ${job.sourceId}`, job]));

  const outcomes: ImportOutcome[] = [];
  const fresh: NewJob[] = [];
  for (const { row, businessId } of postings) {
    const business = businessId === null ? undefined : hiring.get(businessId);
    if (businessId === null || !business) {
      outcomes.push({
        code: 'business-not-hiring',
        words: `The business '${row.businessName}' was closed or suspended here.`,
      });
      continue;
    }
    const before = knownBy.get(`${businessId} ${row.sourceId}`);
    if (before) outcomes.push(await takeOverChange(tx, scope, before, row, business));
    else if (business.status !== 'verified')
      // Unverified businesses may open only a few jobs (OPEN_JOBS_WHILE_UNVERIFIED); an import must not bypass that.
      outcomes.push({
        code: 'business-not-hiring',
        words: `The business '${row.businessName}' exists here and is not verified yet.`,
      });
    else {
      fresh.push(newJob(scope, source, businessId, business, row));
      outcomes.push('imported');
    }
  }
  await insertOpenJobs(tx, scope, operator, fresh);
  await setTimersOfNew(tx, scope, fresh);
  return outcomes;
}

const digestOf = (row: ImportRow): string => sha256(JSON.stringify(row));

function postingColumns(row: ImportRow, business: HiringBusiness, privateAddress: boolean) {
  return {
    kind: row.kind,
    title: row.title,
    category: row.category,
    description: row.description,
    payMinor: row.payMinor,
    payMaxMinor: row.payMaxMinor,
    payUnit: row.payUnit,
    payHourMinor: hourlyPay(row.payMinor, row.payUnit),
    currency: row.currency,
    headCount: row.headCount,
    hoursNote: row.hoursNote,
    ...placeColumns(business, { ...row.place, privateAddress }),
    sourceUrl: row.sourceUrl,
    sourceDigest: digestOf(row),
  };
}

function newJob(
  scope: Scope,
  source: string,
  businessId: string,
  business: HiringBusiness,
  row: ImportRow,
): NewJob {
  const now = scope.clock.now();
  const columns = postingColumns(row, business, false);
  return {
    id: newId(now),
    businessId,
    businessName: business.name,
    status: 'open',
    ...columns,
    ...feesOf(scope.config),
    publishedAt: now,
    expiresAt: importEnd(row, columns.timeZone, now, scope.config.JOB_LIFE_DAYS),
    source,
    sourceId: row.sourceId,
    createdAt: now,
    updatedAt: now,
  };
}

const importEnd = (row: ImportRow, timeZone: string, now: Date, lifeDays: number): Date =>
  cutAtSource(row, timeZone, now, addMs(now, lifeDays * dayMs));

function cutAtSource(row: ImportRow, timeZone: string, now: Date, end: Date): Date {
  if (row.until === null) return end;
  return new Date(
    Math.min(end.getTime(), Math.max(dayEndsAt(timeZone, row.until), now.getTime() + quarterMs)),
  );
}

async function insertOpenJobs(
  tx: Tx,
  scope: Scope,
  operator: string,
  jobs: readonly NewJob[],
): Promise<void> {
  const now = scope.clock.now();
  const moves = jobs.map((job) => ({
    id: newId(now),
    jobId: job.id,
    actor: operator,
    action: 'publish',
    fromStatus: 'draft',
    toStatus: 'open',
    reason: 'import',
    at: now,
  }));
  await insertImportedJobs(tx, jobs, moves);
  await hiringHooks.on.jobsOpened(
    tx,
    scope,
    jobs.map(({ id }) => id),
  );
}

async function takeOverChange(
  tx: Tx,
  scope: Scope,
  before: JobRow,
  row: ImportRow,
  business: HiringBusiness,
): Promise<ImportOutcome> {
  if (before.sourceDigest === digestOf(row)) return 'same';
  if (!mayBeEdited(before.status) || before.status === 'in_review') return 'left';
  const columns = postingColumns(row, business, before.privateAddress);
  const now = scope.clock.now();
  const facts = factsOf(before);
  const after = factsAfter(
    { ...facts, kind: row.kind },
    {
      payMinor: row.payMinor,
      headCount: row.headCount,
      place: { ...row.place, privateAddress: before.privateAddress },
    },
  );
  const changes = materialChanges(facts, after);
  const broken = brokenPromise(before, row, columns, changes);
  if (broken) return broken;
  const expiresAt =
    before.publishedAt && ['open', 'paused'].includes(before.status)
      ? cutAtSource(
          row,
          columns.timeZone,
          now,
          lifeEnd(after, columns.timeZone, before.publishedAt, scope.config.JOB_LIFE_DAYS),
        )
      : before.expiresAt;
  await updateImportedJob(tx, before, {
    ...columns,
    // Columns of the other kind are cleared when the source turns a shift into a task or back.
    startsAt: after.startsAt,
    endsAt: after.endsAt,
    breakMinutes: after.breakMinutes,
    breakPaid: after.breakPaid,
    dueOn: after.dueOn,
    expiresAt,
    updatedAt: now,
  });
  await moveTimers(tx, scope, before, expiresAt);
  if (row.headCount !== before.headCount) await spotsChanged(tx, scope, before.id);
  if (changes.length > 0)
    await hiringHooks.on.jobsChanged(tx, scope, [
      {
        ...before,
        title: row.title,
        version: before.version + 1,
        changes,
        values:
          row.currency === before.currency
            ? changedValues(before, { after, changes, timeZone: columns.timeZone })
            : {},
        hasNewOffers: false,
      },
    ]);
  return 'updated';
}

function brokenPromise(
  before: JobRow,
  row: ImportRow,
  columns: Parameters<typeof hasPayFallen>[1],
  changes: readonly string[],
): Refusal | null {
  const { hiredCount: hired, offeredCount: offered } = before;
  if (hired + offered === 0) return null;
  if (row.headCount < hired + offered)
    return {
      code: 'head-count-below-hires',
      words: `${hired} are hired, ${offered} have an offer; the source now asks for ${row.headCount}.`,
    };
  if (changes.includes('hours') || changes.includes('place'))
    return {
      code: 'terms-fixed',
      words: 'The source changed the hours or place of work that someone is hired for or was offered.',
    };
  if (hired > 0 && hasPayFallen(before, columns))
    return {
      code: 'pay-fell-after-hire',
      words: 'The source pays less than hired workers were promised.',
    };
  return null;
}

const hasPayFallen = (
  before: JobRow,
  after: { payMinor: number; payHourMinor: number | null; payUnit: string; currency: string },
) =>
  before.currency !== after.currency ||
  (before.payUnit === after.payUnit
    ? after.payMinor < (before.payMinor ?? 0)
    : (after.payHourMinor ?? 0) < (before.payHourMinor ?? 0));
