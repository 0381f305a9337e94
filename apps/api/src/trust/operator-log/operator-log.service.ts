import type { LogFinding, LoggedCall } from '@nearhand/contract/trust/operator-log';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Sign } from '../../platform/sign.ts';
import { headText, type LogRow, logText } from './operator-log.rules.ts';
import {
  findHead,
  findLastRow,
  findRows,
  insertRow,
  type LogQuery,
  lockLog,
  searchRows,
} from './operator-log.sql.ts';

type LogScope = { clock: Clock; sign: Sign };

/** Adds a call to the chain, in a transaction of its own: it stays, whatever becomes of the call. */
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

/** Recomputes the whole chain: rows that were changed, removed or inserted, also at its end. */
export async function verifyLog(
  db: Db,
  { sign }: Pick<LogScope, 'sign'>,
): Promise<{ rows: number; findings: LogFinding[] }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const findings: LogFinding[] = [];
      let [rows, last, previous] = [0, 0, ''];
      for (let more = true; more; ) {
        const found = await findRows(tx, last, batch);
        for (const row of found) {
          const isNext = row.no === last + 1;
          for (let no = last + 1; no < row.no; no += 1) findings.push({ kind: 'row_missing', no });
          // After a missing row the digest before it is unknown, so the chain goes on from the stored one.
          if (isNext && !sign.lasting('operators log', logText(row, previous)).equals(row.digest))
            findings.push({ kind: 'row_changed', no: row.no });
          [last, previous] = [row.no, row.digest.toString('hex')];
        }
        rows += found.length;
        more = found.length === batch;
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

/** Calls of operators, newest first; for owners. @throws request/bad-cursor */
export async function searchLog(
  db: Db,
  _scope: Scope,
  input: LogQuery & { cursor?: string | undefined; limit: number },
): Promise<{ items: LoggedCall[]; nextCursor: string | null }> {
  const before = decodeCursor(input.cursor, z.tuple([z.number().int()]))?.[0] ?? null;
  const rows = await searchRows(db, input, { before, limit: input.limit + 1 });
  const page = cutPage(rows, input.limit, ({ no }) => [no]);
  return {
    items: page.items.map((row) => ({
      no: row.no,
      at: row.at.toISOString(),
      operator: { id: row.account_id, name: row.name },
      operation: row.operation,
      subjectIds: [...row.subject_ids],
      case:
        row.case_kind !== null && row.case_subject !== null
          ? { kind: row.case_kind, subjectId: row.case_subject }
          : null,
      reason: row.reason,
    })),
    nextCursor: page.nextCursor,
  };
}
