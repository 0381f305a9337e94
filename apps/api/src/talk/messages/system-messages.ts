import type { SystemLine } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { emit } from '../../platform/realtime/publish.ts';
import type { ConversationSubject } from '../conversations/conversations.ts';

/** Values of a line's text, as in notices, and ids such as `interviewId`. */
type LineData = Record<string, string | number | undefined>;

/** A work event. `key` names it, such as an offer's id: a repeat is dropped. */
export type SystemMessageText = ConversationSubject & { line: SystemLine; data: LineData; key?: string };

const opening: readonly SystemLine[] = ['applied', 'invited', 'offer-sent', 'hired'];

/**
 * Posts a work event, even to frozen conversations. It locks the conversation to the transaction's end, so
 * call it late.
 */
export async function postSystemMessage(
  tx: Tx,
  scope: ClockScope,
  message: SystemMessageText,
): Promise<void> {
  await postSystemMessages(tx, scope, [message]);
}

/** Posts several lines in one statement that locks conversations in a fixed order. */
export async function postSystemMessages(
  tx: Tx,
  scope: ClockScope,
  lines: readonly SystemMessageText[],
): Promise<void> {
  const now = scope.clock.now();
  const subjectOf = ({ jobId, workerId }: ConversationSubject) => `${jobId}/${workerId}`;
  const opened = new Set(lines.filter(({ line }) => opening.includes(line)).map(subjectOf));
  const inserted = await insertLines(
    tx,
    lines.map(({ jobId, workerId, line, data, key }) => ({
      id: newId(now),
      jobId,
      workerId,
      line,
      data,
      key: key === undefined ? null : `${line}/${key}`,
      opening: opened.has(subjectOf({ jobId, workerId })) ? newId(now) : null,
    })),
    now,
  );
  for (const { conversationId, workerId, businessId, seq, rev } of inserted)
    emit(tx, [`account:${workerId}`, `business:${businessId}`], {
      kind: 'message',
      conversationId,
      rev,
      seq,
    });
}

type LineRow = {
  id: string;
  jobId: string;
  workerId: string;
  line: string;
  data: LineData;
  key: string | null;
  opening: string | null;
};

type PostedRow = {
  conversationId: string;
  workerId: string;
  businessId: string;
  seq: number;
  rev: number;
};

/** Opens missing conversations; skips known lines. */
async function insertLines(tx: Tx, rows: readonly LineRow[], now: Date): Promise<PostedRow[]> {
  const [line] = rows;
  if (!line) return [];
  // The usual single line needs no list, which costs a fifth of posting it.
  const input =
    rows.length === 1
      ? sql`select ${line.id}::uuid as id, ${line.jobId}::uuid as job_id, ${line.workerId}::uuid as worker_id, ${line.line}::text as line,
          ${JSON.stringify(line.data)}::jsonb as data, ${line.key}::text as key, ${line.opening}::uuid as opening`
      : sql`select input.* from rows from (jsonb_to_recordset(${asRecords(rows)}::jsonb)
            as (id uuid, job_id uuid, worker_id uuid, line text, data jsonb, key text, opening uuid))
            with ordinality as input (id, job_id, worker_id, line, data, key, opening, position)
          order by job_id, worker_id, position`;
  const { rows: posted } = await sql<PostedRow>`${keptPlan}
    select posted.conversation_id, input.worker_id, posted.business_id, posted.seq, posted.rev
    from (${input}) as input
    cross join lateral chat_say(input.id, input.job_id, input.worker_id, input.line, input.data, input.key, ${now}::timestamptz,
      input.opening) as posted
    where posted.conversation_id is not null`.execute(tx);
  return posted;
}
