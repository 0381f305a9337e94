import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { type LogFinding, type LoggedCall, operatorLog } from '@nearhand/contract/trust/operator-log';
import { sql } from 'kysely';
import { z } from 'zod';
import { recordAudit } from '../../platform/audits.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Db, type Tx, unhurried } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Sign } from '../../platform/sign.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';

type LogScope = { clock: Clock; sign: Sign };

/** Adds a call to the chain, in its own transaction: it stays even if the call fails. */
export async function logCall(
  db: Db,
  { clock, sign }: LogScope,
  call: Omit<LogRow, 'no' | 'at'>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockLog(tx);
    const last = await findLastRow(tx);
    const row = { ...call, no: (last?.no ?? 0) + 1, at: clock.now() };
    const digest = sign.lasting('operators log', logText(row, last?.digest.toString('hex') ?? ''));
    const head = sign.lasting('operators log head', headText(row.no, digest.toString('hex')));
    await insertRow(tx, { ...row, digest }, head);
  });
}

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
  return {
    items: page.items.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      operator: { id: row.accountId, name: row.name },
      subjectIds: [...row.subjectIds],
      subjects: subjects.filter(({ id }) => row.subjectIds.includes(id)),
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
    unhurried(scope.db, async (db) => {
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

type FoundCall = Omit<StoredRow, 'digest' | 'caseKind'> & {
  caseKind: CaseKind | null;
  name: string;
};

type LogQuery = {
  operatorId?: string;
  subjectId?: string;
  operation?: string;
  what?: 'looks' | 'actions';
  caseKind?: CaseKind;
  from?: string;
  until?: string;
};

async function searchRows(
  db: Db,
  { operatorId, subjectId, operation, what, caseKind, from, until }: LogQuery,
  page: { before: number | null; limit: number },
): Promise<FoundCall[]> {
  const { rows } = await sql<FoundCall>`
    select log.no, log.at, log.account_id, log.operation, log.subject_ids, log.case_kind, log.case_subject, log.reason, account.name
    from operator_log log join accounts account on account.id = log.account_id
    where (${page.before}::bigint is null or log.no < ${page.before})
      ${operatorId ? sql`and log.account_id = ${operatorId}` : sql``}
      ${subjectId ? sql`and log.subject_ids @> array[${subjectId}]::uuid[]` : sql``}
      ${operation ? sql`and log.operation = ${operation}` : sql``}
      ${what ? sql`and (log.operation like 'GET %') = ${what === 'looks'}` : sql``}
      ${caseKind ? sql`and log.case_kind = ${caseKind}` : sql``}
      ${from ? sql`and log.at >= ${from}::timestamptz` : sql``}
      ${until ? sql`and log.at < ${until}::timestamptz` : sql``}
    order by log.no desc limit ${page.limit}`.execute(db);
  return rows;
}

type Subject = LoggedCall['subjects'][number];

/** The log stores ids only; names are current. */
async function findSubjects(db: Db, ids: readonly string[]): Promise<Subject[]> {
  if (ids.length === 0) return [];
  const among = sql`any (${[...ids]}::uuid[])`;
  const { rows } = await sql<Subject>`
    select 'person' as kind, id, name from accounts where id = ${among}
    union all select 'person', change.id, account.name
      from operator_changes change join accounts account on account.id = change.account_id where change.id = ${among}
    union all select 'business', id, name from businesses where id = ${among}
    union all select 'job', id, title from jobs where id = ${among}
    union all select 'engagement', id, terms ->> 'title' from engagements where id = ${among}`.execute(db);
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
