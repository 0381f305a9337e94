import {
  type CaseKind,
  type CasePriority,
  caseKinds,
  caseKindTable,
  casePriorities,
} from '@nearhand/contract/case-kinds';
import { addMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { Language } from '@nearhand/contract/languages';
import type { Page } from '@nearhand/contract/operation';
import { type OperatorRole, operatorMay } from '@nearhand/contract/operator-roles';
import type { StaffThread } from '@nearhand/contract/trust/case-facts';
import type {
  CaseAssignment,
  CaseEntry,
  CaseFigures,
  CaseFile,
  CaseFilters,
  CaseItem,
  CaseView,
  ClosedCase,
} from '@nearhand/contract/trust/cases';
import { type AskableKind, caseLimits } from '@nearhand/contract/trust/cases.rules';
import { searchLimits } from '@nearhand/contract/trust/staff-search.rules';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { listOperators, rolesOf } from '../operators/operators.ts';
import { askAboutCase, mergeTickets } from '../tickets/staff-tickets.ts';
import {
  type CaseEntryRow,
  type CaseRow,
  countAnswered,
  countCases,
  countFigures,
  findCase,
  findCases,
  findPeople,
  insertEntry,
  moveClaim,
  setPriority,
  takeClaim,
} from './cases.sql.ts';
import { handOverMailTask, questionDueTask } from './cases.tasks.ts';
import { findClosed, findLastClosed, questionsKey, recordClosed, toClosedCase } from './closed-cases.ts';
import { findEndedCases } from './ended-cases.ts';

type Subject = { kind: CaseKind; subjectId: string };

const cursorShape = z.tuple([z.number().int(), z.iso.datetime(), z.uuid()]);

type FoundPage<Item> = Page<Item> & { similar?: boolean };

/** Lists open cases of the caller's roles, most urgent first, except those about the caller. */
export async function listCases(
  db: Db,
  scope: Scope,
  input: {
    kind?: CaseKind;
    mine?: boolean;
    unclaimed?: boolean;
    overdue?: boolean;
    waiting?: boolean;
    all?: boolean;
    claimedBy?: string;
    language?: Language;
    text?: string;
    cursor?: string;
    limit: number;
  },
): Promise<FoundPage<CaseItem>> {
  const {
    mine = false,
    unclaimed = false,
    overdue = false,
    claimedBy = null,
    language = null,
    text = null,
    limit,
  } = input;
  const waiting = input.all ? null : (input.waiting ?? false);
  const after = decodeCursor(input.cursor, cursorShape);
  const { accountId } = scope.actor;
  const kinds = (await caseKindsFor(db, accountId)).filter(
    (kind) => input.kind === undefined || kind === input.kind,
  );
  const reader = { accountId, kinds, now: scope.clock.now() };
  const find = (isSimilar: boolean) =>
    findCases(
      db,
      reader,
      { mine, unclaimed, overdue, waiting, claimedBy, language, text, isSimilar },
      { after, limit: limit + 1 },
    );
  const rows = await find(false);
  if (rows.length === 0 && text !== null && !after && !(await isWritten(db, reader, text))) {
    const similarRows = (await find(true)).slice(0, searchLimits.similar);
    return { items: similarRows.map(toCaseItem), nextCursor: null, similar: true };
  }
  const page = cutPage(rows, limit, (row) => [row.priority, row.deadline.toISOString(), row.subjectId]);
  return { items: page.items.map(toCaseItem), nextCursor: page.nextCursor };
}

type Reader = { accountId: string; kinds: readonly CaseKind[]; now: Date };

/** True if any case that the operator may read, open or closed, has the words. Then similar ones would distract. */
async function isWritten(db: Db, reader: Reader, text: string): Promise<boolean> {
  const page = { after: null, limit: 1 };
  const words = { text, isSimilar: false };
  const open = {
    mine: false,
    unclaimed: false,
    overdue: false,
    waiting: null,
    claimedBy: null,
    language: null,
  };
  if ((await findCases(db, reader, { ...open, ...words }, page)).length > 0) return true;
  if ((await findClosed(db, reader, { ...words, decidedBy: null, waiting: false }, page)).length > 0)
    return true;
  return (await findEndedCases(db, reader, text, page)).length > 0;
}

/**
 * Lists closed cases of the caller's roles, newest first, except those about the caller: those that operators decided,
 * and those that ended without a decision unless the list is of one operator. Those that wait for an answer are listed by
 * themselves, or all if there is a text.
 */
export async function listClosed(
  db: Db,
  scope: Scope,
  input: {
    kind?: CaseKind;
    text?: string;
    decidedBy?: string;
    waiting?: boolean;
    cursor?: string;
    limit: number;
  },
): Promise<FoundPage<ClosedCase>> {
  const { accountId } = scope.actor;
  const kinds = (await caseKindsFor(db, accountId)).filter(
    (kind) => input.kind === undefined || kind === input.kind,
  );
  const after = decodeCursor(input.cursor, newestCursor);
  const { text = null, decidedBy = null, waiting = false, limit } = input;
  const reader = { accountId, kinds, now: scope.clock.now() };
  const find = async (isSimilar: boolean): Promise<ClosedCase[]> => {
    const filter = { text, isSimilar, decidedBy, waiting };
    const rows = await findClosed(db, reader, filter, { after, limit: limit + 1 });
    return rows.map((row) => {
      const { reason: _reason, terms: _terms, ...item } = toClosedCase(row);
      return item;
    });
  };
  const decided = await find(false);
  const endedCases =
    decidedBy === null && !waiting ? await findEndedCases(db, reader, text, { after, limit: limit + 1 }) : [];
  const isEmpty = decided.length === 0 && endedCases.length === 0 && !after;
  if (isEmpty && text !== null && !(await isWritten(db, reader, text)))
    return { items: (await find(true)).slice(0, searchLimits.similar), nextCursor: null, similar: true };
  const newestFirst = [...decided, ...endedCases].sort(
    (a, b) => b.decidedAt.localeCompare(a.decidedAt) || b.id.localeCompare(a.id),
  );
  return cutPage(newestFirst, limit, (item) => [item.decidedAt, item.id]);
}

/** Counts the open cases of each kind that the operator's roles cover. */
export async function countOpenCases(db: Db, scope: Scope) {
  const { accountId } = scope.actor;
  const kinds = await caseKindsFor(db, accountId);
  const rows = await countCases(db, { accountId, kinds, now: scope.clock.now() });
  const answeredCounts = await countAnswered(db, accountId);
  return kinds.map((kind) => {
    const row = rows.find((row) => row.kind === kind);
    return {
      kind,
      open: row?.open ?? 0,
      forOthers: row?.forOthers ?? 0,
      unclaimed: row?.unclaimed ?? 0,
      mine: row?.mine ?? 0,
      overdue: row?.overdue ?? 0,
      waiting: row?.waiting ?? 0,
      oldestAt: row?.oldestAt?.toISOString() ?? null,
      answered: answeredCounts.get(kind) ?? 0,
    };
  });
}

/** Counts cases of the caller's roles against their deadlines. */
export async function deadlineFigures(
  db: Db,
  scope: Scope,
  { timeZone }: { timeZone: string },
): Promise<CaseFigures> {
  const { accountId } = scope.actor;
  const reader = { accountId, kinds: await caseKindsFor(db, accountId), now: scope.clock.now() };
  return countFigures(db, reader, timeZone);
}

/** Lists the caller's saved filters, oldest first. */
export async function listViews(db: Db, { actor }: Scope): Promise<CaseView[]> {
  const rows = await db
    .selectFrom('case_views')
    .select(['id', 'name', 'filters'])
    .where('accountId', '=', actor.accountId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, filters: row.filters as CaseFilters }));
}

/** Saves filters for the caller; one of the same name is replaced. */
export async function saveView(
  tx: Tx,
  scope: Scope,
  { name, filters }: { name: string; filters: CaseFilters },
): Promise<CaseView> {
  const now = scope.clock.now();
  const { accountId } = scope.actor;
  const { rows } = await sql<{ id: string }>`
    insert into case_views (id, account_id, name, filters, created_at)
      values (${newId(now)}, ${accountId}, ${name}, ${JSON.stringify(filters)}::jsonb, ${now})
    on conflict (account_id, lower(name)) do update set name = excluded.name, filters = excluded.filters returning id`.execute(
    tx,
  );
  const views = await listViews(tx, scope);
  if (views.length > caseLimits.viewsMax) throw new AppError('case/too-many-views');
  return { id: rows[0]?.id ?? '', name, filters };
}

/** Removes one of the caller's saved filters. */
export async function removeView(
  tx: Tx,
  { actor }: Scope,
  { viewId }: { viewId: string },
): Promise<{ removed: number }> {
  const { numDeletedRows } = await tx
    .deleteFrom('case_views')
    .where('id', '=', viewId)
    .where('accountId', '=', actor.accountId)
    .executeTakeFirst();
  return { removed: Number(numDeletedRows) };
}

/** Deletes an account's saved filters and the case it looked at. */
export async function deleteViewsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('case_views').where('accountId', '=', accountId).execute();
  await tx.deleteFrom('case_viewers').where('accountId', '=', accountId).execute();
}

/** Lists the rules that assign cases, the most exact first. A rule ends with the appointment of its operator. */
export async function listAssignments(db: Db): Promise<CaseAssignment[]> {
  const rows = await db
    .selectFrom('case_assignments')
    .innerJoin('operators', 'operators.accountId', 'case_assignments.accountId')
    .innerJoin('accounts', 'accounts.id', 'case_assignments.accountId')
    .select(['case_assignments.id', 'kind', 'language', 'case_assignments.accountId', 'accounts.name'])
    .where('operators.removedAt', 'is', null)
    .whereRef('operators.addedAt', '<=', 'case_assignments.createdAt')
    .orderBy('kind', (order) => order.asc().nullsLast())
    .orderBy('language', (order) => order.asc().nullsLast())
    .execute();
  return rows.map(({ id, kind, language, accountId, name }) => ({
    id,
    kind: kind as CaseKind | null,
    language: language as Language | null,
    operator: { id: accountId, name },
  }));
}

/** Assigns cases of a kind, a language or both to an operator with its role. */
export async function saveAssignment(
  tx: Tx,
  { clock }: Scope,
  input: { kind: CaseKind | null; language: Language | null; accountId: string },
): Promise<CaseAssignment> {
  const { kind, language, accountId } = input;
  const roles = await rolesOf(tx, accountId);
  if (!operatorMay(roles, kind === null ? 'queue' : caseKindTable[kind].may))
    throw new AppError('case/no-such-operator');
  const now = clock.now();
  await sql`insert into case_assignments (id, kind, language, account_id, created_at)
      values (${newId(now)}, ${kind}, ${language}, ${accountId}, ${now})
    on conflict (kind, language) do update set account_id = excluded.account_id, created_at = excluded.created_at`.execute(
    tx,
  );
  const rules = await listAssignments(tx);
  const saved = rules.find((rule) => rule.kind === kind && rule.language === language);
  if (!saved) throw new AppError('case/no-such-operator');
  return saved;
}

/** Removes a rule that assigns cases. For operators with the role. */
export async function removeAssignment(
  tx: Tx,
  _scope: Scope,
  { assignmentId }: { assignmentId: string },
): Promise<{ removed: number }> {
  const { numDeletedRows } = await tx
    .deleteFrom('case_assignments')
    .where('id', '=', assignmentId)
    .executeTakeFirst();
  return { removed: Number(numDeletedRows) };
}

/** The operators to whom a case can be assigned, with their roles. For operators. */
export async function listColleagues(db: Db, _scope: Scope) {
  const rows = await listOperators(db);
  return rows.map(({ accountId: id, name, roles, hasSecondFactor }) => ({
    id,
    name,
    roles,
    hasSecondFactor,
  }));
}

/** The kinds of cases that an operator's roles decide. */
export async function caseKindsFor(db: Db, accountId: string): Promise<CaseKind[]> {
  const roles = await rolesOf(db, accountId);
  return caseKinds.filter((kind) => operatorMay(roles, caseKindTable[kind].may));
}

/**
 * Returns the other operators who look at an open case of the caller's roles, and shows them that the caller does
 * (ADR 416). The console asks every `caseLimits.viewedSeconds` seconds while the page is visible.
 */
export async function caseViewers(
  db: Db,
  scope: Scope,
  { kind, subjectId }: Subject,
): Promise<{ id: string; name: string }[]> {
  await requireOpen(db, scope, { kind, subjectId });
  const { accountId } = scope.actor;
  const seenAt = scope.clock.now();
  await db
    .insertInto('case_viewers')
    .values({ accountId, kind, subjectId, seenAt })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ kind, subjectId, seenAt }))
    .execute();
  return (
    db
      .selectFrom('case_viewers')
      .innerJoin('operators', 'operators.accountId', 'case_viewers.accountId')
      .innerJoin('accounts', 'accounts.id', 'case_viewers.accountId')
      .select(['accounts.id', 'accounts.name'])
      .where('kind', '=', kind)
      .where('subjectId', '=', subjectId)
      // The next call can be late.
      .where('seenAt', '>', subtractMs(seenAt, caseLimits.viewedSeconds * 2_000))
      .where('accounts.id', '<>', accountId)
      .where('operators.removedAt', 'is', null)
      .orderBy('accounts.name')
      .orderBy('accounts.id')
      .execute()
  );
}

/** Claims an open case for the calling operator. */
export async function claimCase(tx: Tx, scope: Scope, input: Subject): Promise<CaseItem> {
  const { accountId } = scope.actor;
  const row = await requireOpen(tx, scope, input);
  if (row.claimedBy === accountId) return toCaseItem(row);
  const now = scope.clock.now();
  if (!(await takeClaim(tx, input, accountId, now))) {
    const other = await findCase(tx, accountId, input);
    if (other?.claimedBy === accountId) return toCaseItem(other);
    throw new AppError('case/claimed', { by: other?.claimerName ?? '' });
  }
  await addEntry(tx, scope, input, { what: 'claim' });
  return readItem(tx, scope, input);
}

/** Ends the caller's claim; an owner ends anyone's. */
export async function releaseCase(tx: Tx, scope: Scope, input: Subject): Promise<CaseItem> {
  const row = await requireOpen(tx, scope, input);
  if (row.claimedBy === null) return toCaseItem(row);
  await requireHolder(tx, scope, row);
  if (!(await moveClaim(tx, input, { from: row.claimedBy, to: null, at: scope.clock.now() })))
    throw new AppError('case/claim-required');
  await addEntry(tx, scope, input, { what: 'release' });
  return readItem(tx, scope, input);
}

/** Passes a claim to another operator. */
export async function handOverCase(
  tx: Tx,
  scope: Scope,
  input: Subject & { toAccountId: string; note: string },
): Promise<CaseItem> {
  const { kind, toAccountId: to } = input;
  const row = await requireOpen(tx, scope, input);
  await requireHolder(tx, scope, row);
  const targetCase = await findCase(tx, to, input);
  if (targetCase?.isOwn || !operatorMay(await rolesOf(tx, to), caseKindTable[kind].may))
    throw new AppError('case/no-such-operator');
  if (!(await moveClaim(tx, input, { from: row.claimedBy, to, at: scope.clock.now() })))
    throw new AppError('case/claim-required');
  await addEntry(tx, scope, input, { what: 'hand-over', to, body: input.note });
  const key = `case-handed/${newId(scope.clock.now())}`;
  const { accountId: by } = scope.actor;
  await enqueue(tx, handOverMailTask, { kind, subjectId: input.subjectId, to, by, key }, { key });
  return readItem(tx, scope, input);
}

/** Writes a note that only operators see. */
export async function addCaseNote(
  tx: Tx,
  scope: Scope,
  input: Subject & { body: string },
): Promise<CaseEntry> {
  await requireOpen(tx, scope, input);
  return addEntry(tx, scope, input, { what: 'note', body: input.body });
}

/** Asks someone on a side of a case, in the app and by mail. The case waits for the answer or the deadline. */
export async function askSide(
  tx: Tx,
  scope: Scope,
  input: { kind: AskableKind; subjectId: string; accountId: string; body: string; hours: number },
): Promise<CaseItem> {
  const { kind, subjectId, accountId, body, hours } = input;
  const row = await requireOpen(tx, scope, input);
  const people = await findPeople(tx, row, caseLimits.peopleMax);
  const to = people.find((person) => person.accountId === accountId);
  if (!to) throw new AppError('case/no-such-side');
  const dueAt = addMs(scope.clock.now(), hours * hourMs);
  const subject = questionSubject(row, to);
  await askAboutCase(tx, scope, { case: { kind, subjectId }, to, subject, body, dueAt });
  const { accountId: by } = scope.actor;
  await enqueue(
    tx,
    questionDueTask,
    { kind, subjectId, by },
    { runAt: dueAt, key: questionsKey({ kind, subjectId }) },
  );
  return readItem(tx, scope, input);
}

/**
 * Merges another request of the same person into the claimed one. The closed case names the request that has
 * its messages. For the operator of the claimed case.
 */
export async function mergeRequests(
  tx: Tx,
  scope: Scope,
  input: { ticketId: string; otherId: string },
): Promise<StaffThread> {
  const { accountId: by } = scope.actor;
  const subject = { kind: 'ticket', subjectId: input.otherId } as const;
  const row = await findCase(tx, by, subject);
  if (row?.claimedBy && row.claimedBy !== by)
    throw new AppError('case/claimed', { by: row.claimerName ?? '' });
  const thread = await mergeTickets(tx, scope, input);
  if (row)
    await recordClosed(tx, scope, {
      row,
      subject,
      by,
      outcome: { decision: 'merge', reason: input.ticketId },
      terms: null,
      facts: null,
    });
  return thread;
}

/** Titles of the queue that are not names known to the people concerned. */
const nameless = [
  'Worker',
  'Review',
  'Withdrawal to another name',
  'Withdrawal',
  'Certificate',
  'Identity document',
  'Account',
];
const platformName = 'Nearhand';

const ownAppeal = phrase('Your appeal');
const ownAppealAbout = (title: string) => phrase('Your appeal: {title}', { title });

/** Names the subject of a question in the language of the person asked. Only the appellant's side knows of an appeal. */
function questionSubject(
  { kind, title }: CaseRow,
  { side, language }: Pick<CaseFile['people'][number], 'side' | 'language'>,
): string {
  const isNamed = !nameless.includes(title);
  if (kind !== 'appeal' || side === 'reporter') return isNamed ? title : platformName;
  return phraseIn(language ?? 'en', isNamed ? ownAppealAbout(title) : ownAppeal);
}

/** Overrides the priority of a case. For operators with the role. */
export async function prioritizeCase(
  tx: Tx,
  scope: Scope,
  input: Subject & { priority: CasePriority },
): Promise<CaseItem> {
  const row = await requireOpen(tx, scope, input);
  const level = casePriorities.indexOf(input.priority) + 1;
  if (row.priority !== level) {
    await setPriority(tx, input, level);
    await addEntry(tx, scope, input, { what: 'priority', body: input.priority });
  }
  return readItem(tx, scope, input);
}

/**
 * Requires an open case of the caller's roles that is not about them.
 * @throws case/not-found, operator/own-record
 */
export async function requireOpen(db: Db, scope: Scope, subject: Subject): Promise<CaseRow> {
  const { accountId } = scope.actor;
  const kinds = await caseKindsFor(db, accountId);
  const row = kinds.includes(subject.kind) ? await findCase(db, accountId, subject) : undefined;
  if (!row) throw new AppError('case/not-found');
  if (row.isOwn) throw new AppError('operator/own-record');
  return row;
}

/**
 * Requires an open case of the caller's roles that is not about them, or a decided one that still has its evidence
 * (ADR 392).
 * @throws case/not-found, operator/own-record
 */
export async function requireCase(db: Db, scope: Scope, subject: Subject): Promise<void> {
  const { accountId } = scope.actor;
  const kinds = await caseKindsFor(db, accountId);
  const isOpen = (await findCase(db, accountId, subject)) !== undefined;
  if (isOpen) return void (await requireOpen(db, scope, subject));
  const closedCase = kinds.includes(subject.kind) ? await findLastClosed(db, accountId, subject) : undefined;
  if (!closedCase || closedCase.factsGone !== null) throw new AppError('case/not-found');
}

/**
 * Only the claimer or an owner moves a claim.
 * @throws case/claim-required
 */
async function requireHolder(db: Db, scope: Scope, row: CaseRow): Promise<void> {
  const { accountId } = scope.actor;
  if (row.claimedBy === accountId) return;
  const roles: readonly OperatorRole[] = await rolesOf(db, accountId);
  if (!roles.includes('owner')) throw new AppError('case/claim-required');
}

/** Adds an entry to a case's history of work, such as a note or a hand-over. The caller checks access. */
export async function addEntry(
  tx: Tx,
  scope: Scope,
  { kind, subjectId }: Subject,
  entry: { what: CaseEntry['what']; to?: string; body?: string },
): Promise<CaseEntry> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const row = { id: newId(now), what: entry.what, toId: entry.to ?? null, body: entry.body ?? '', at: now };
  await insertEntry(tx, { ...row, kind, subjectId, authorId: accountId });
  const operators = await listOperators(tx);
  const nameOf = (id: string) => operators.find((account) => account.accountId === id)?.name ?? '';
  return toCaseEntry({
    ...row,
    authorId: accountId,
    authorName: nameOf(accountId),
    toName: row.toId === null ? null : nameOf(row.toId),
  });
}

async function readItem(tx: Tx, scope: Scope, subject: Subject): Promise<CaseItem> {
  return toCaseItem(await requireOpen(tx, scope, subject));
}

export const toCaseItem = (row: CaseRow): CaseItem => ({
  ...row,
  business: row.businessId === null ? null : { id: row.businessId, name: row.businessName ?? '' },
  openedAt: row.openedAt.toISOString(),
  deadline: row.deadline.toISOString(),
  waitsUntil: row.waitsUntil?.toISOString() ?? null,
  answeredAt: row.answeredAt?.toISOString() ?? null,
  priority: casePriorities[row.priority - 1] ?? 'normal',
  claimedBy: row.claimedBy === null ? null : { id: row.claimedBy, name: row.claimerName ?? '' },
  claimedAt: row.claimedAt?.toISOString() ?? null,
  assignedTo: row.assignedTo === null ? null : { id: row.assignedTo, name: row.assigneeName ?? '' },
});

export const toCaseEntry = (row: CaseEntryRow): CaseEntry => ({
  ...row,
  by: { id: row.authorId, name: row.authorName },
  to: row.toId === null ? null : { id: row.toId, name: row.toName ?? '' },
  at: row.at.toISOString(),
});
