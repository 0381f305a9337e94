import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { type LogFinding, type LoggedCall, operatorLog } from '@nearhand/contract/trust/operator-log';
import { sql } from 'kysely';
import { z } from 'zod';
import { recordAudit } from '../../platform/audits.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, type Tx, withoutTimeLimits } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Sign } from '../../platform/sign.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';

type LogScope = { clock: Clock; sign: Sign };

/**
 * Adds a call to the chain, in its own transaction: it stays even if the call fails.
 * @returns its number
 */
export async function logCall(
  db: Db,
  { clock, sign }: LogScope,
  call: Omit<LogRow, 'no' | 'at'>,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockLog(tx);
    const last = await findLastRow(tx);
    const row = { ...call, no: (last?.no ?? 0) + 1, at: clock.now() };
    const digest = sign.lasting('operators log', logText(row, last?.digest.toString('hex') ?? ''));
    const head = sign.lasting('operators log head', headText(row.no, digest.toString('hex')));
    await insertRow(tx, { ...row, digest }, head);
    return row.no;
  });
}

type Outcome = { no: number; result: string; decision: string | null };

/** Writes how a logged call ended: `done`, or the code of its error. */
export async function logOutcome(db: Db, { clock, sign }: LogScope, outcome: Outcome): Promise<void> {
  const row = { ...outcome, at: clock.now() };
  const digest = sign.lasting('operators log outcome', outcomeText(row));
  await db
    .insertInto('operator_log_outcomes')
    .values({ ...row, digest })
    .execute();
}

const outcomeText = ({ no, at, result, decision }: Outcome & { at: Date }): string =>
  JSON.stringify([no, at.toISOString(), result, decision]);

const batch = 2_000;

/**
 * Recomputes the chain to find changed, removed and inserted rows, including at its end. For operators with
 * the role.
 */
export async function verifyLog(
  db: Db,
  { sign }: Pick<LogScope, 'sign'>,
): Promise<{ rows: number; findings: LogFinding[] }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const findings: LogFinding[] = [];
      let rows = 0;
      let last = 0;
      let previous = '';
      for (let more = true; more; ) {
        const batchRows = await findRows(tx, last, batch);
        for (const row of batchRows) {
          const isNext = row.no === last + 1;
          for (let no = last + 1; no < row.no; no += 1) findings.push({ kind: 'row_missing', no });
          // After a missing row the digest before it is unknown, so the chain continues from the stored one.
          if (isNext && !sign.lasting('operators log', logText(row, previous)).equals(row.digest))
            findings.push({ kind: 'row_changed', no: row.no });
          [last, previous] = [row.no, row.digest.toString('hex')];
        }
        for (const outcome of await findOutcomes(
          tx,
          batchRows.map(({ no }) => no),
        ))
          if (!sign.lasting('operators log outcome', outcomeText(outcome)).equals(outcome.digest))
            findings.push({ kind: 'outcome_changed', no: outcome.no });
        rows += batchRows.length;
        more = batchRows.length === batch;
      }
      const head = await findHead(tx);
      if (!head) {
        if (rows > 0) findings.push({ kind: 'head_missing', no: last });
        return { rows, findings };
      }
      for (let no = last + 1; no <= head.no; no += 1) findings.push({ kind: 'row_missing', no });
      const isSigned = sign.lasting('operators log head', headText(last, previous)).equals(head.digest);
      if (head.no < last || (head.no === last && !isSigned))
        findings.push({ kind: 'head_changed', no: head.no });
      return { rows, findings };
    });
}

/** Lists calls of operators, newest first. */
async function searchLog(db: Db, _scope: Scope, input: LogQuery & PageInput): Promise<Page<LoggedCall>> {
  const before = decodeCursor(input.cursor, z.tuple([z.number().int()]))?.[0] ?? null;
  const rows = await searchRows(db, input, { before, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, ({ no }) => [no]);
  const subjects = await findSubjects(db, [...new Set(page.items.flatMap(({ subjectIds }) => subjectIds))]);
  const aside = await findAside(
    db,
    page.items.flatMap(({ caseSubject }) => caseSubject ?? []),
  );
  const isAbout = ({ caseSubject, subjectIds }: FoundCall, { id, loggedId }: Subject) =>
    subjectIds.includes(loggedId) &&
    !aside.some(({ caseId, accountId }) => caseId === caseSubject && accountId === id);
  return {
    items: page.items.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      operator: { id: row.accountId, name: row.name },
      subjectIds: [...row.subjectIds],
      subjects: subjects.filter((subject) => isAbout(row, subject)),
      case:
        row.caseKind !== null && row.caseSubject !== null
          ? { kind: row.caseKind, subjectId: row.caseSubject }
          : null,
    })),
    nextCursor: page.nextCursor,
  };
}

/** Limits the logged findings: with a wrong secret every row differs. */
const maxLogged = 100;

/** Verifies the chain once a day (ADR 176). Findings are logged as errors; nothing is fixed. */
const verifyTask = defineTask({
  name: 'operator-log.verify',
  payload: z.object({}),
  daily: true,
  run: (scope) =>
    withoutTimeLimits(scope.db, async (db) => {
      const { rows, findings } = await verifyLog(db, scope);
      for (const finding of findings.slice(0, maxLogged))
        scope.log.error(finding, `operators' log: ${finding.kind} ${finding.no}`);
      await recordAudit(db, {
        name: 'operators-log',
        at: scope.clock.now(),
        checked: rows,
        findings: findings.length,
        first: findings.map(({ kind, no }) => `${kind} ${no}`),
      });
      scope.log.info({ rows, findings: findings.length }, 'operators log verified');
    }),
});

type StoredRow = LogRow & { digest: Buffer };
type LogHead = { no: number; digest: Buffer };

/** One writer at a time, so that the chain has no forks. */
async function lockLog(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operators'' log', 0))`.execute(tx);
}

const findLastRow = (db: Db): Promise<LogHead | undefined> =>
  db.selectFrom('operator_log').select(['no', 'digest']).orderBy('no', 'desc').limit(1).executeTakeFirst();

const findHead = (db: Db): Promise<LogHead | undefined> =>
  db.selectFrom('operator_log_head').select(['no', 'digest']).executeTakeFirst();

async function insertRow(tx: Tx, row: StoredRow, head: Buffer): Promise<void> {
  await tx
    .insertInto('operator_log')
    .values({ ...row, subjectIds: [...row.subjectIds] })
    .execute();
  await tx
    .insertInto('operator_log_head')
    .values({ no: row.no, digest: head })
    .onConflict((conflict) => conflict.column('single').doUpdateSet({ no: row.no, digest: head }))
    .execute();
}

const findRows = (db: Db, after: number, limit: number): Promise<StoredRow[]> =>
  db.selectFrom('operator_log').selectAll().where('no', '>', after).orderBy('no').limit(limit).execute();

const findOutcomes = (db: Db, nos: readonly number[]) =>
  nos.length === 0
    ? []
    : db
        .selectFrom('operator_log_outcomes')
        .selectAll()
        .where('no', 'in', [...nos])
        .orderBy('no')
        .execute();

type FoundCall = Omit<StoredRow, 'digest' | 'caseKind'> & {
  caseKind: CaseKind | null;
  name: string;
  result: string | null;
  decision: string | null;
  asksApproval: boolean;
};

type LogQuery = {
  operatorId?: string;
  subjectId?: string;
  operation?: string;
  what?: 'looks' | 'actions';
  caseKind?: CaseKind;
  result?: 'done' | 'refused' | 'asked';
  from?: string;
  until?: string;
};

/** Index: `second_approvals_subject`. */
const asksApproval = sql<boolean>`(outcome.result is not distinct from 'done' and log.operation not like 'GET %' and exists (select from second_approvals asked
  where asked.subject_id = any (log.subject_ids) and asked.requested_by = log.account_id
    and asked.requested_at between log.at and outcome.at))`;
const resultIs = {
  done: sql`outcome.result = 'done' and not ${asksApproval}`,
  refused: sql`outcome.result <> 'done'`,
  asked: asksApproval,
};

async function searchRows(
  db: Db,
  { operatorId, subjectId, operation, what, caseKind, result, from, until }: LogQuery,
  page: { before: number | null; limit: number },
): Promise<FoundCall[]> {
  const { rows } = await sql<FoundCall>`
    select log.no, log.at, log.account_id, log.operation, log.subject_ids, log.case_kind, log.case_subject, log.reason, account.name,
      outcome.result, outcome.decision, ${asksApproval} as asks_approval
    from operator_log log join accounts account on account.id = log.account_id
    left join operator_log_outcomes outcome on outcome.no = log.no
    where (${page.before}::bigint is null or log.no < ${page.before})
      ${operatorId ? sql`and log.account_id = ${operatorId}` : sql``}
      ${subjectId ? sql`and log.subject_ids @> array[${subjectId}]::uuid[]` : sql``}
      ${operation ? sql`and log.operation = ${operation}` : sql``}
      ${what ? sql`and (log.operation like 'GET %') = ${what === 'looks'}` : sql``}
      ${caseKind ? sql`and log.case_kind = ${caseKind}` : sql``}
      ${result ? sql`and ${resultIs[result]}` : sql``}
      ${from ? sql`and log.at >= ${from}::timestamptz` : sql``}
      ${until ? sql`and log.at < ${until}::timestamptz` : sql``}
    order by log.no desc limit ${page.limit}`.execute(db);
  return rows;
}

type Subject = LoggedCall['subjects'][number];

/**
 * The log stores ids only; names are current. A decision and a withdrawal are shown as the person, business or job
 * that they concern.
 */
async function findSubjects(db: Db, ids: readonly string[]): Promise<Subject[]> {
  if (ids.length === 0) return [];
  const among = sql`any (${[...ids]}::uuid[])`;
  const { rows } = await sql<Subject>`
    select 'person' as kind, id, name, id as logged_id from accounts where id = ${among}
    union all select 'person', account.id, account.name, change.id
      from operator_changes change join accounts account on account.id = change.account_id where change.id = ${among}
    union all select 'person', account.id, account.name, withdrawal.id
      from withdrawals withdrawal join accounts account on account.id = withdrawal.account_id where withdrawal.id = ${among}
    union all select case when account.id is not null then 'person' when job.id is not null then 'job' else 'business' end,
        coalesce(account.id, job.id, business.id), coalesce(account.name, job.title, business.name), sanction.id
      from sanctions sanction left join accounts account on account.id = sanction.account_id left join jobs job on job.id = sanction.job_id
      left join businesses business on business.id = sanction.business_id
      where sanction.id = ${among} and coalesce(account.id, job.id, business.id) is not null
    union all select 'business', id, name, id from businesses where id = ${among}
    union all select 'job', id, title, id from jobs where id = ${among}
    union all select 'engagement', id, terms ->> 'title', id from engagements where id = ${among}
    union all select 'ticket', id, subject, id from tickets where id = ${among}`.execute(db);
  return rows;
}

/** The people of a case that a decision is not about: those who reported, and operators. */
async function findAside(
  db: Db,
  caseIds: readonly string[],
): Promise<{ caseId: string; accountId: string }[]> {
  if (caseIds.length === 0) return [];
  const { rows } = await sql<{ caseId: string; accountId: string }>`
    with cases as (select distinct id from unnest(${[...caseIds]}::uuid[]) every_case (id)),
      decided as (select appeal.id, sanction.case_id, sanction.conversation_id, sanction.seq
        from cases join appeals appeal on appeal.id = cases.id join sanctions sanction on sanction.id = appeal.sanction_id)
    select reported.id as case_id, report.account_id from cases join report_cases reported on reported.id = cases.id
      join reports report on report.case_id in (reported.id, reported.contested_id)
    union select report.id, report.account_id from cases join chat_reports report on report.id = cases.id
    union select decided.id, report.account_id from decided join reports report on report.case_id = decided.case_id
    union select decided.id, report.account_id from decided join chat_reports report
      on report.conversation_id = decided.conversation_id and report.seq is not distinct from decided.seq
    union select cases.id, operator.account_id from cases cross join operators operator`.execute(db);
  return rows;
}

type LogRow = {
  no: number;
  at: Date;
  accountId: string;
  operation: string;
  subjectIds: readonly string[];
  caseKind: string | null;
  caseSubject: string | null;
  reason: string | null;
};

const logText = (row: LogRow, previous: string): string =>
  JSON.stringify([
    row.no,
    previous,
    row.at.toISOString(),
    row.accountId,
    row.operation,
    row.subjectIds,
    row.caseKind,
    row.caseSubject,
    row.reason,
  ]);

const headText = (no: number, digest: string): string => `${no} ${digest}`;

export const operatorLogRoutes = {
  search: read(operatorLog.search, searchLog),
  verify: read(operatorLog.verify, verifyLog),
};

export const operatorLogTasks = [verifyTask];
