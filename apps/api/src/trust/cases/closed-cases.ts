import type { CaseKind } from '@nearhand/contract/case-kinds';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { houseRules, suspensionScopes } from '@nearhand/contract/house-rules';
import type { DecisionRule } from '@nearhand/contract/operation';
import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import type { ClosedCase, ClosedCaseFile, DecisionTerms } from '@nearhand/contract/trust/cases';
import { caseLimits } from '@nearhand/contract/trust/cases.rules';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { andBefore } from '../../platform/http/paging.ts';
import { newId } from '../../platform/ids.ts';
import { cancelTask } from '../../platform/tasks/tasks.ts';
import { solveQuestions } from '../tickets/tickets.sql.ts';
import { type CaseRow, findCase, isForeign, releaseReversed, waitingOutside } from './cases.sql.ts';
import { matchesText } from './typed-words.sql.ts';

type Subject = { kind: CaseKind; subjectId: string };

export type Closing = {
  row: CaseRow;
  subject: Subject;
  by: string;
  /**
   * `decision` is null if the input names none, which must leave the case open. Writes without `decides` are not watched.
   */
  outcome: { decision: string | null; reason: string };
  terms: DecisionTerms | null;
  /** The evidence as it was before the decision; null where none is kept. */
  facts: CaseFacts | null;
};

/** The key of the task that closes the questions of a case: one per case, since it closes them all. */
export const questionsKey = ({ kind, subjectId }: Subject) => `case-questions/${kind}/${subjectId}`;

/** Records the decision with its evidence if the operator's write has closed the case. */
export async function recordClosed(tx: Tx, { clock }: { clock: Clock }, closing: Closing): Promise<void> {
  const { row, subject, by, outcome, terms, facts } = closing;
  if (await findCase(tx, by, subject)) return;
  const { decision, reason } = outcome;
  if (decision === null) throw new Error(`An input that names no decision closed a case: ${subject.kind}`);
  const now = clock.now();
  const { kind, subjectId, title, tag, businessId, accountIds, openedAt, deadline } = row;
  await tx
    .insertInto('closed_cases')
    .values({
      id: newId(now),
      kind,
      subjectId,
      title,
      tag,
      businessId,
      accountIds,
      openedAt,
      deadline,
      decision,
      reason,
      terms: terms && JSON.stringify(terms),
      facts: facts && JSON.stringify(facts),
      decidedBy: by,
      decidedAt: now,
    })
    .execute();
  if (kind === 'appeal' && decision === 'overturned') await releaseReversed(tx, subjectId);
  await solveQuestions(tx, subject, { accountId: by, now });
  // It would close what someone writes after the decision.
  await cancelTask(tx, questionsKey(subject));
}

/** The value of an input field; a dot names a field of an object. The input may not be validated yet. */
const fieldOf = (input: unknown, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' ? value && (value as Record<string, unknown>)[key] : undefined,
      input,
    );

/** The decision that an input names, such as `upheld`; null if it names none. */
export function decisionIn({ decision }: DecisionRule, input: unknown): string | null {
  if (typeof decision === 'string') return decision;
  if ('flag' in decision) return fieldOf(input, decision.flag) === true ? decision.set : decision.unset;
  const value = fieldOf(input, decision.field) ?? decision.ifNull;
  // An unvalidated text must not get into the log, which keeps codes only.
  return typeof value === 'string' && /^[a-z_-]{1,40}$/.test(value) ? value : null;
}

/** The reason that an input gives; empty if the decision has none. */
export function reasonIn({ reason }: DecisionRule, input: unknown): string {
  const text = reason === null ? undefined : fieldOf(input, reason);
  return typeof text === 'string' ? text : '';
}

const statementShape = z.object({
  rule: z.enum(houseRules).nullable().catch(null),
  facts: z.string().nullable().catch(null),
  scope: z.enum(suspensionScopes).nullable().catch(null),
  endsAt: z.iso.datetime().nullable().catch(null),
});

/** The rule and statement of reasons in an input; `statement` is null where the reason says it. */
export function statementIn(rule: DecisionRule, input: unknown): Omit<DecisionTerms, 'pay'> {
  const fields = rule.statement === undefined ? input : fieldOf(input, rule.statement);
  const { facts, ...statement } = statementShape.parse(fields ?? {});
  return { ...statement, statement: rule.statement === undefined ? null : facts };
}

type ClosedRow = Omit<ClosedCase, 'by' | 'business' | 'openedAt' | 'decidedAt'> & {
  reason: string;
  terms: DecisionTerms | null;
  businessId: string | null;
  businessName: string | null;
  byId: string;
  byName: string;
  openedAt: Date;
  decidedAt: Date;
};

const columns = sql`closed.id, closed.kind, closed.subject_id, closed.title, closed.tag, closed.business_id,
  business.name as business_name,
    closed.opened_at, closed.decision, closed.reason, closed.terms, closed.decided_by as by_id, decider.name as by_name, closed.decided_at`;
const joinNames = sql`left join businesses business on business.id = closed.business_id
  join accounts decider on decider.id = closed.decided_by`;

/** The last decision of each case that needs an answer from outside. Index: `closed_cases_subject`. */
const lastOfWaiting = sql`select answer.id from (${waitingOutside}) waiting (kind, subject_id) cross join lateral (
    select last.id from closed_cases last where last.kind = waiting.kind and last.subject_id = waiting.subject_id
    order by last.decided_at desc, last.id desc limit 1) answer`;

/** Operators also read decided appeals against their own decisions, from which they learn how these ended. */
const isReadable = (accountId: string) =>
  sql<boolean>`(${isForeign(accountId)} or (closed.kind = 'appeal' and exists (
    select from appeals where appeals.id = closed.subject_id and appeals.sanction_by = ${accountId})))`;

type ClosedFilter = { text: string | null; isSimilar: boolean; decidedBy: string | null; waiting: boolean };
type ClosedPage = { after: readonly [string, string] | null; limit: number };

/**
 * Selects closed cases, newest first. Those of one operator include the appeals that reversed their decisions; appeals
 * that upheld one are readable, but not listed. A text searches them all; without one, `waiting` picks those that wait
 * for an answer, or all others. Indexes: `closed_cases_newest`, and of one operator `closed_cases_decider`,
 * `sanctions_decider`, the key of `appeals` and `closed_cases_subject`.
 */
export function closedStatement(
  operator: { accountId: string; kinds: readonly CaseKind[] },
  { text, isSimilar, decidedBy, waiting }: ClosedFilter,
  { after, limit }: ClosedPage,
): RawBuilder<ClosedRow> {
  const pageOf = (source: RawBuilder<unknown>) => sql`(select closed.* from ${source}
    where closed.kind = any (${[...operator.kinds]}::text[]) and ${isReadable(operator.accountId)}
      ${text ? sql`and ${matchesText('closed', text, isSimilar)}` : sql``}
      ${text ? sql`` : sql`and ${waiting ? sql`` : sql`not`} closed.id = any (array(${lastOfWaiting}))`}
      ${andBefore(sql`closed.decided_at, closed.id`, after)}
    order by closed.decided_at desc, closed.id desc limit ${limit})`;
  // Each part of an operator's list has an index; a condition with `or` would read everyone's cases.
  const source = decidedBy
    ? sql`(${pageOf(sql`(select * from closed_cases where decided_by = ${decidedBy}) closed`)}
        union all ${pageOf(sql`(select reversed.* from sanctions sanction join appeals appeal on appeal.sanction_id = sanction.id
          join closed_cases reversed on reversed.kind = 'appeal' and reversed.subject_id = appeal.id
          where sanction.decided_by = ${decidedBy} and reversed.decision = 'overturned') closed`)})`
    : pageOf(sql`closed_cases closed`);
  return sql<ClosedRow>`select ${columns} from ${source} closed ${joinNames}
    order by closed.decided_at desc, closed.id desc limit ${limit}`;
}

export async function findClosed(
  db: Db,
  operator: { accountId: string; kinds: readonly CaseKind[] },
  filter: ClosedFilter,
  page: ClosedPage,
): Promise<ClosedRow[]> {
  const { rows } = await closedStatement(operator, filter, page).execute(db);
  return rows;
}

/** The last decision of a case, even after the case was reopened. */
export async function findLastClosed(
  db: Db,
  accountId: string,
  { kind, subjectId }: Subject,
): Promise<(ClosedRow & { facts: unknown; factsGone: 'expired' | 'removed' | null }) | undefined> {
  const { rows } = await sql<ClosedRow & { facts: unknown; factsGone: 'expired' | 'removed' | null }>`
    select ${columns}, closed.facts, closed.facts_gone from closed_cases closed ${joinNames}
    where closed.kind = ${kind} and closed.subject_id = ${subjectId} and ${isReadable(accountId)}
    order by closed.decided_at desc, closed.id desc limit 1`.execute(db);
  return rows[0];
}

export const toClosedCase = (row: ClosedRow): ClosedCaseFile['item'] & ClosedCase => ({
  ...row,
  business: row.businessId === null ? null : { id: row.businessId, name: row.businessName ?? '' },
  by: { id: row.byId, name: row.byName },
  openedAt: row.openedAt.toISOString(),
  decidedAt: row.decidedAt.toISOString(),
});

/**
 * Removes a deleted account's words and keeps the decision. Evidence about the person is deleted; other
 * evidence no longer names them.
 */
export async function deleteClosedCases(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  await sql`update closed_cases set reason = ${withoutWords('reason', member)}
    where account_ids @> array[${accountId}::uuid] or business_id in
      (select business_id from business_members where account_id = ${accountId})`.execute(tx);
  await sql`update closed_cases set terms = ${withoutWords('terms', member)}
    where terms is not null and (account_ids @> array[${accountId}::uuid] or business_id in
      (select business_id from business_members where account_id = ${accountId}))`.execute(tx);
  await sql`update closed_cases set facts = null, facts_gone = 'removed'
    where account_ids @> array[${accountId}::uuid] and facts is not null`.execute(tx);
  await sql`update closed_cases set facts = ${withoutWords('facts', member)}
    where facts is not null and strpos(facts::text, ${accountId}) > 0`.execute(tx);
}

/** Deletes the evidence of cases that were decided a year ago; the decisions stay. */
export async function deleteOldEvidence(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('closed_cases')
    .set({ facts: null, factsGone: 'expired' })
    .where('facts', 'is not', null)
    .where('decidedAt', '<', subtractMs(now, caseLimits.evidenceDays * dayMs))
    .execute();
}
