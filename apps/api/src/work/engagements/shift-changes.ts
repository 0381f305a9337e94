import { payForMinutes, shareOfAmount } from '@nearhand/contract/arithmetic';
import { addMs, hourMs } from '@nearhand/contract/durations';
import { type EngagementStatus, isUpcoming } from '@nearhand/contract/engagement-statuses';
import { plannedFundingFor } from '@nearhand/contract/money/funding';
import { type Mover, nextState } from '@nearhand/contract/moves';
import type { TopicData } from '@nearhand/contract/talk/topics/notice-facts';
import { awakeDeadline, confirmByFor } from '@nearhand/contract/work/confirm.rules';
import {
  type Engagement,
  type ShiftChangeAnswer,
  type ShiftChangeStatus,
  shiftChangeMoves,
} from '@nearhand/contract/work/engagements';
import type { Terms } from '@nearhand/contract/work/terms';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { type CoverPlan, reduceHold } from '../../money/holds/cover.ts';
import type { MoneyScope } from '../../money/hooks.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { ShiftChanges } from '../../platform/tables.gen.ts';
import { cancelTask, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { sharedValues } from '../../talk/notifications/notifications.rules.ts';
import { workHooks } from '../hooks.ts';
import { findBookings, termsAt } from './booking.ts';
import { endUnneededDayOff } from './days-off.ts';
import { confirmHours, fundingSettings, mayComeLate } from './engagement-actions.rules.ts';
import { type EngagementRow, makeEngagementMove, openEngagement } from './engagement-transitions.ts';
import { viewEngagement } from './engagement-views.ts';
import {
  lockEngagement,
  lockJobOf,
  nextStep,
  spotProblemOf,
  takeTime,
  updateEngagement,
} from './engagements.sql.ts';
import {
  endBooking,
  notifyOfEngagement,
  setAutoSubmit,
  setConfirmWatch,
  stopConfirmWatch,
} from './engagements.ts';

type ChangeRow = Omit<Selectable<ShiftChanges>, 'before' | 'after'> & { before: Terms; after: Terms };

/** The parts of an edit of a job that its booked workers have to agree to. Null parts stay. */
export type ProposedParts = {
  hours: Pick<Terms, 'startsAt' | 'endsAt' | 'breakMinutes' | 'breakPaid'> | null;
  place: Pick<Terms, 'place' | 'timeZone'> | null;
  /** Minor units per hour; higher pay than agreed is no proposal. */
  payMinor: number | null;
};

type ProposalScope = ClockScope & {
  config: Pick<
    Config,
    | 'CONFIRM_ASKED_HOURS'
    | 'CONFIRM_AGAIN_HOURS'
    | 'CONFIRM_BY_HOURS'
    | 'SENT_HOME_MINUTES'
    | 'CHANGE_ANSWER_HOURS'
    | 'FUND_AHEAD_DAYS'
    | 'FUND_BY_HOURS'
  >;
};

/** The terms with another pay, per hour or for a task, and other paid minutes. Fees stay as agreed. */
export function pricedTerms(
  terms: Terms,
  { payMinor, paidMinutes: minutes }: Pick<Terms, 'payMinor' | 'paidMinutes'>,
): Terms {
  const payTotalMinor = minutes === null ? payMinor : payForMinutes(payMinor, minutes);
  return {
    ...terms,
    payMinor,
    paidMinutes: minutes,
    payTotalMinor,
    workerGetsMinor: payTotalMinor - shareOfAmount(payTotalMinor, terms.workerFeeBasisPoints),
    holdMinor: payTotalMinor + shareOfAmount(payTotalMinor, terms.businessFeeBasisPoints),
  };
}

/** The terms of a shift with the parts of an edit, and those of `base` otherwise. Fees stay as agreed. */
function proposedTerms(scope: ProposalScope, terms: Terms, base: Terms, parts: ProposedParts): Terms {
  const { startsAt, endsAt, breakMinutes, breakPaid } = parts.hours ?? base;
  const { place, timeZone } = parts.place ?? base;
  if (startsAt === null || endsAt === null) return terms;
  const payMinor = Math.min(parts.payMinor ?? base.payMinor, terms.payMinor);
  const minutes = paidMinutes(new Date(startsAt), new Date(endsAt), breakMinutes, breakPaid);
  const isMoved = startsAt !== terms.startsAt || timeZone !== terms.timeZone;
  const confirmBy = confirmByFor(new Date(startsAt), timeZone, confirmHours(scope.config), scope.clock.now());
  return {
    ...pricedTerms(terms, { payMinor, paidMinutes: minutes }),
    startsAt,
    endsAt,
    breakMinutes,
    breakPaid,
    place,
    timeZone,
    minimumMinutes: terms.minimumMinutes && Math.min(minutes, scope.config.SENT_HOME_MINUTES),
    confirmBy:
      isMoved && terms.confirmBy !== undefined ? (confirmBy?.toISOString() ?? null) : terms.confirmBy,
    plannedFunding:
      isMoved && terms.plannedFunding
        ? plannedFundingFor(new Date(startsAt), fundingSettings(scope.config), scope.clock.now())
        : terms.plannedFunding,
  };
}

/** The parts that a worker agrees to, field by field: keys of terms from the database come in another order. */
const agreedParts = ({ startsAt, endsAt, breakMinutes, breakPaid, place, timeZone, payMinor }: Terms) =>
  JSON.stringify([
    startsAt && Date.parse(startsAt),
    endsAt && Date.parse(endsAt),
    breakMinutes,
    breakPaid,
    place.address,
    place.area,
    place.lat,
    place.lng,
    timeZone,
    payMinor,
  ]);
const isSame = (a: Terms, b: Terms): boolean => agreedParts(a) === agreedParts(b);

/** A booked shift, its terms after what applies at once, and the open change that an edit replaces. */
export type Proposal = { row: EngagementRow; terms: Terms; open: ChangeRow | null; after: Terms | null };

/** Locks the holds of work whose engagements are locked, before any money moves (ADR 38). */
export async function lockHoldsOfWork(tx: Tx, engagementIds: readonly string[]): Promise<void> {
  await sql`select from holds where engagement_id = any(${[...engagementIds]}::uuid[]) order by id for update`.execute(
    tx,
  );
}

/**
 * Finds what an edit proposes to booked shifts, which are locked, and locks their open changes. `after` is null if
 * nothing is open then.
 * Shifts that the edit neither changes nor leaves open are missing.
 */
export async function lockProposals(
  tx: Tx,
  scope: ProposalScope,
  shifts: readonly { row: EngagementRow; terms: Terms; parts: ProposedParts }[],
): Promise<Proposal[]> {
  const ids = shifts.map(({ row }) => row.id);
  const { rows } = await sql<ChangeRow>`
    select * from shift_changes where engagement_id = any(${ids}::uuid[]) and status = 'open' order by id for update`.execute(
    tx,
  );
  return shifts.flatMap(({ row, terms, parts }) => {
    const open = rows.find(({ engagementId }) => engagementId === row.id) ?? null;
    const after = proposedTerms(scope, terms, open?.after ?? terms, parts);
    const isKept = open ? isSame(after, open.after) && isSame(terms, open.before) : isSame(after, terms);
    return isKept ? [] : [{ row, terms, open, after: isSame(after, terms) ? null : after }];
  });
}

/** The plan of a hold while a change is open: the dearer of the agreed and the proposed terms. */
export const coverPlanOf = ({ row, terms, after }: Proposal): CoverPlan => ({
  engagementId: row.id,
  terms: after !== null && after.holdMinor > terms.holdMinor ? after : terms,
  proposed: after ?? undefined,
});

/** Ends the open changes that an edit replaces, before the new ones are counted against budgets. */
export async function replaceChanges(
  tx: Tx,
  scope: ClockScope,
  proposals: readonly Proposal[],
): Promise<void> {
  for (const { open } of proposals)
    if (open) await moveChange(tx, scope, open, { action: 'replace', who: 'business' });
}

/** Proposes changes to their workers, with one notice each. Open ones are replaced, and holds have their plan. */
export async function proposeChanges(
  tx: Tx,
  scope: ProposalScope & MoneyScope,
  proposals: readonly Proposal[],
  edit: string,
): Promise<void> {
  for (const { row, terms, after } of proposals)
    if (after) await insertChange(tx, scope, { row, before: terms, after, edit });
  const byWorker = Map.groupBy(proposals, ({ row }) => row.workerId);
  for (const work of byWorker.values()) {
    const changes = work.filter(({ after }) => after !== null);
    const [first] = changes.length > 0 ? changes : work;
    if (!first) continue;
    const by = first.after && answerBy(scope, first.terms, first.after);
    await notifyOfEngagement(tx, scope, first.row.id, {
      worker: by ? 'shift-change-asked' : 'shift-change-ended',
      event: edit,
      data: by
        ? { by: by.toISOString(), count: changes.length, ...sharedValues(changes.map(changedParts)) }
        : { variant: 'withdrawn', count: work.length },
    });
  }
}

/** The proposed values of a shift that differ from the agreed ones, for its worker's notice. */
function changedParts({ terms, after }: Pick<Proposal, 'terms' | 'after'>): TopicData<'shift-change-asked'> {
  if (after?.startsAt == null || after.endsAt === null) return {};
  const placeOf = ({ place }: Terms) => `${place.address}, ${place.area}`;
  const parts: TopicData<'shift-change-asked'> = {};
  if (
    Date.parse(after.startsAt) !== Date.parse(terms.startsAt ?? '') ||
    Date.parse(after.endsAt) !== Date.parse(terms.endsAt ?? '') ||
    after.timeZone !== terms.timeZone
  ) {
    parts.toStartsAt = after.startsAt;
    parts.toEndsAt = after.endsAt;
    parts.toTimeZone = after.timeZone;
  }
  if (placeOf(after) !== placeOf(terms)) {
    parts.fromPlace = placeOf(terms);
    parts.toPlace = placeOf(after);
  }
  if (after.workerGetsMinor !== terms.workerGetsMinor) {
    parts.currency = terms.currency;
    parts.fromMinor = terms.workerGetsMinor;
    parts.toMinor = after.workerGetsMinor;
  }
  return parts;
}

/** The end of the time to answer: by day, and before the shift starts on either terms. */
function answerBy({ clock, config }: ProposalScope, before: Terms, after: Terms): Date {
  const starts = [before.startsAt, after.startsAt].flatMap((at) => (at === null ? [] : Date.parse(at)));
  const end = addMs(clock.now(), config.CHANGE_ANSWER_HOURS * hourMs);
  return awakeDeadline(end, before.timeZone, new Date(Math.min(...starts)));
}

async function insertChange(
  tx: Tx,
  scope: ProposalScope,
  { row, before, after, edit }: { row: EngagementRow; before: Terms; after: Terms; edit: string },
): Promise<void> {
  const now = scope.clock.now();
  const id = newId(now);
  const by = answerBy(scope, before, after);
  await tx
    .insertInto('shift_changes')
    .values({
      id,
      engagementId: row.id,
      jobId: row.jobId,
      businessId: row.businessId,
      workerId: row.workerId,
      edit,
      status: 'open',
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      answerBy: by,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  emitRecord(tx, 'engagement', row);
  await enqueue(tx, changeExpiryTask, { changeId: id }, { runAt: by, key: expiryKey(id) });
}

/** Makes a move of a locked change. @throws engagement/wrong-state */
async function moveChange(
  tx: Tx,
  scope: ClockScope,
  row: ChangeRow,
  { action, who }: { action: (typeof shiftChangeMoves)[number][1]; who: Mover },
): Promise<ShiftChangeStatus> {
  const to = row.status === 'open' ? nextState(shiftChangeMoves, row.status, action, who) : null;
  if (to === null) throw new AppError('engagement/wrong-state', { status: row.status });
  await tx
    .updateTable('shift_changes')
    .set({ status: to, updatedAt: scope.clock.now() })
    .where('id', '=', row.id)
    .execute();
  emitRecord(tx, 'engagement', { ...row, id: row.engagementId });
  await cancelTask(tx, expiryKey(row.id));
  return to;
}

async function lockChange(
  tx: Tx,
  filter: { changeId: string } | { engagementId: string },
): Promise<ChangeRow | undefined> {
  const place =
    'changeId' in filter
      ? sql`id = ${filter.changeId}`
      : sql`engagement_id = ${filter.engagementId} and status = 'open'`;
  const { rows } = await sql<ChangeRow>`select * from shift_changes where ${place} for update`.execute(tx);
  return rows[0];
}

const statusAfterAnswer = { accept: 'accepted', decline: 'declined', leave: 'cancelled' } as const;

/**
 * Answers a change of a booked shift, with `together` also the others of the same edit. Accepting puts the new
 * terms in force, declining keeps the agreed ones, leaving cancels the booking without a mark. For its worker.
 * @throws engagement/not-found, engagement/not-allowed, engagement/wrong-state, engagement/overlap
 */
export async function answerShiftChange(
  tx: Tx,
  scope: Scope,
  input: { engagementId: string; changeId: string; answer: ShiftChangeAnswer; together: boolean },
): Promise<Engagement> {
  const { engagementId, changeId, answer, together } = input;
  const changes = await findTogether(tx, { changeId, together, accountId: scope.actor.accountId });
  // Jobs are locked before engagements (ADR 38), both by id.
  for (const { engagementId: id } of changes.toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1)))
    await lockJobOf(tx, id, scope.actor.accountId);
  if (!changes.some((change) => change.id === changeId && change.engagementId === engagementId)) {
    // Recruiters of the business learn that they may not, others that there is none.
    await openEngagement(tx, scope, { engagementId, side: 'worker' });
    throw new AppError('engagement/not-found');
  }
  // All engagements are locked before the first hold, by id.
  const work: WorkWithChange[] = [];
  for (const { id, engagementId: workId } of changes) {
    const { row } = await openEngagement(tx, scope, { engagementId: workId, side: 'worker' });
    const change = await lockChange(tx, { changeId: id });
    if (change) work.push({ row, change });
  }
  await lockHoldsOfWork(
    tx,
    work.map(({ row }) => row.id),
  );
  const now = scope.clock.now();
  const answerable = work.filter(
    ({ row, change }) => change.status === 'open' && mayComeLate(row) && now < change.answerBy,
  );
  const first = work.find(({ change }) => change.id === changeId);
  if (first && !answerable.includes(first) && first.change.status !== statusAfterAnswer[answer])
    throw new AppError('engagement/wrong-state', { status: first.row.status });
  for (const { row, change } of answerable.toSorted(compareMoves)) {
    await moveChange(tx, scope, change, { action: answer, who: 'worker' });
    if (answer === 'accept') await applyChange(tx, scope, row, change);
    else if (answer === 'decline') await reduceHold(tx, scope, { engagementId: row.id, terms: row.terms });
    else await leaveShift(tx, scope, row);
  }
  const bySoonest = answerable.toSorted(({ row: a }, { row: b }) => Number(a.startsAt) - Number(b.startsAt));
  // Each shift that was left needs someone else; other answers are one notice.
  for (const { row, change } of answer === 'leave' ? bySoonest : bySoonest.slice(0, 1))
    await notifyOfEngagement(tx, scope, row.id, {
      recruiters: 'shift-change-ended',
      event: change.id,
      data: {
        variant: statusAfterAnswer[answer],
        count: answer === 'leave' ? 1 : answerable.length,
        spotProblem: answer === 'leave' ? await spotProblemOf(tx, row.jobId, now) : undefined,
      },
    });
  return viewEngagement(tx, scope, engagementId);
}

type WorkWithChange = { row: EngagementRow; change: ChangeRow };

/**
 * Orders shifts that move together so that none takes the time of one that has yet to move: the last goes first if
 * they move later, and the first if they move earlier.
 */
function compareMoves({ change }: WorkWithChange, { change: other }: WorkWithChange): number {
  const [start, otherStart] = [startOf(change.before), startOf(other.before)];
  const [movesLater, otherMovesLater] = [startOf(change.after) > start, startOf(other.after) > otherStart];
  if (movesLater !== otherMovesLater) return movesLater ? -1 : 1;
  return movesLater ? otherStart - start : start - otherStart;
}
const startOf = ({ startsAt }: Terms): number => (startsAt === null ? 0 : Date.parse(startsAt));

/** The change and, with `together`, the worker's other open changes of the same edit, by engagement. */
async function findTogether(
  db: Db,
  { changeId, together, accountId }: { changeId: string; together: boolean; accountId: string },
): Promise<{ id: string; engagementId: string; jobId: string }[]> {
  const { rows } = await sql<{ id: string; engagementId: string; jobId: string }>`
    select other.id, other.engagement_id, other.job_id from shift_changes change
    join shift_changes other on other.worker_id = change.worker_id and other.edit = change.edit
    where change.id = ${changeId} and change.worker_id = ${accountId}
      and (other.id = change.id or (${together} and other.status = 'open'))
    order by other.engagement_id`.execute(db);
  return rows;
}

async function applyChange(tx: Tx, scope: Scope, row: EngagementRow, change: ChangeRow): Promise<void> {
  const { after } = change;
  const isMoved = startOf(after) !== startOf(row.terms) || after.timeZone !== row.terms.timeZone;
  // The questions, their count and the deadline belong to the start, and stay with it.
  const terms = isMoved ? termsAt(scope, after) : after;
  if (terms.startsAt === null || terms.endsAt === null) return;
  const startsAt = new Date(terms.startsAt);
  const endsAt = new Date(terms.endsAt);
  const outcome = await takeTime(tx, row.workerId, () =>
    updateEngagement(tx, row, {
      terms: JSON.stringify(terms),
      startsAt,
      endsAt,
      workEndsAt: endsAt,
      amountMinor: terms.payTotalMinor,
      updatedAt: scope.clock.now(),
    }),
  );
  if (outcome === 'overlap') {
    const bookings = await findBookings(tx, row.workerId, startsAt, endsAt);
    const clash = bookings.find(({ id }) => id !== row.id);
    throw new AppError(
      'engagement/overlap',
      clash && { title: clash.title, startsAt: clash.startsAt, endsAt: clash.endsAt },
    );
  }
  await reduceHold(tx, scope, { engagementId: row.id, terms });
  const { timeZone } = terms;
  if (isMoved) {
    await stopConfirmWatch(tx, row.id);
    await endUnneededDayOff(tx, scope, row.id);
  }
  if (isMoved && row.status === 'booked')
    await setConfirmWatch(tx, scope, { engagementId: row.id, startsAt, timeZone });
  await setAutoSubmit(tx, { engagementId: row.id, endsAt });
  await workHooks.on.termsChanged(tx, scope, { engagementId: row.id });
}

async function leaveShift(tx: Tx, scope: Scope, row: EngagementRow): Promise<void> {
  const mover = { side: 'worker', accountId: row.workerId } as const;
  const ending = { cancelledLate: false, compensationMinor: 0, ...nextStep(null) };
  await makeEngagementMove(tx, scope, row, { action: 'leave', mover, changes: ending });
  await endBooking(tx, scope, row, { side: 'worker', late: false, compensationMinor: 0, spotIsFree: true });
}

/**
 * Ends the open change of work that is no longer upcoming, which then keeps its terms: a check-in is no answer,
 * and recruiters are notified. A shift that was given away passes it to its taker (`passChangeOn`). The engagement
 * is locked.
 */
export async function endShiftChange(
  tx: Tx,
  scope: Pick<MoneyScope, 'clock' | 'sign'>,
  { engagementId, from, to }: { engagementId: string; from: EngagementStatus; to: EngagementStatus },
): Promise<void> {
  if (!isUpcoming(from) || isUpcoming(to) || to === 'given_away') return;
  const change = await lockChange(tx, { engagementId });
  const row = change && (await lockEngagement(tx, engagementId, null));
  if (!row) return;
  const isStarted = to === 'checked_in';
  await moveChange(tx, scope, change, { action: isStarted ? 'expire' : 'end', who: 'timer' });
  await reduceHold(tx, scope, { engagementId, terms: row.terms });
  // The worker came at the agreed time, which the people at the place may not expect.
  if (isStarted)
    await notifyOfEngagement(tx, scope, engagementId, {
      recruiters: 'shift-change-ended',
      event: change.id,
      data: { variant: 'expired' },
    });
}

/** Asks the taker of a shift that was given away, in place of its giver. Engagements and hold are locked. */
export async function passChangeOn(
  tx: Tx,
  scope: ProposalScope & MoneyScope,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const change = await lockChange(tx, { engagementId: from });
  const row = change && (await lockEngagement(tx, to, null));
  if (!row) return;
  await moveChange(tx, scope, change, { action: 'end', who: 'timer' });
  const { before, after, edit } = change;
  await insertChange(tx, scope, { row, before, after, edit });
  await notifyOfEngagement(tx, scope, to, {
    worker: 'shift-change-asked',
    event: to,
    data: {
      by: answerBy(scope, before, after).toISOString(),
      count: 1,
      ...changedParts({ terms: before, after }),
    },
  });
}

export const changeExpiryTask = defineTask({
  name: 'engagements.change-expiry',
  payload: z.object({ changeId: z.uuid() }),
  run: (scope, { changeId }) => expireChange(scope, changeId),
});
const expiryKey = (changeId: string): string => `${changeExpiryTask.name}/${changeId}`;

/** Ends an unanswered change: the agreed terms stay. Idempotent. */
async function expireChange(scope: TaskScope, changeId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ engagementId: string }>`
      select engagement_id from shift_changes where id = ${changeId}`.execute(tx);
    const row = rows[0] && (await lockEngagement(tx, rows[0].engagementId, null));
    const change = await lockChange(tx, { changeId });
    if (!row || change?.status !== 'open') return;
    if (scope.clock.now() < change.answerBy)
      return enqueue(
        tx,
        changeExpiryTask,
        { changeId },
        { runAt: change.answerBy, key: expiryKey(changeId) },
      );
    await moveChange(tx, scope, change, { action: 'expire', who: 'timer' });
    await reduceHold(tx, scope, { engagementId: row.id, terms: row.terms });
    await notifyOfEngagement(tx, scope, row.id, {
      worker: 'shift-change-ended',
      recruiters: 'shift-change-ended',
      event: changeId,
      data: { variant: 'expired' },
    });
  });
}
