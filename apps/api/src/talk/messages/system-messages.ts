import type { SystemLine } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { emit } from '../../platform/realtime/publish.ts';
import type { Subject } from '../conversations/conversations.ts';

/** Times, amounts and names that a line's text needs, as in notices; also ids such as `interviewId`. */
export type LineData = Record<string, string | number>;

/** A work event of a job and a worker. `key` names it: its line is posted once however often the code runs. */
export type Said = Subject & { line: SystemLine; data: LineData; key?: string };

const opening: readonly SystemLine[] = ['applied', 'invited', 'offer-sent'];

/**
 * For other slices: posts a work event to the conversation, in the event's transaction. `applied`, `invited` and `offer-sent` open it;
 * other lines are dropped without one. It is no message: no notice, not unread. It is also posted to frozen, blocked or read-only
 * conversations, since it is a fact. Locks the conversation until the transaction ends, so call it late.
 * @param key names the event, such as an offer's id: the same line and key again is dropped
 */
export async function say(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  about: Subject,
  line: SystemLine,
  data: LineData = {},
  key?: string,
): Promise<void> {
  await sayAll(tx, scope, [
    { jobId: about.jobId, workerId: about.workerId, line, data, ...(key ? { key } : {}) },
  ]);
}

/** For other slices: the same for several conversations, in one statement that locks them in a fixed order. */
export async function sayAll(tx: Tx, scope: Pick<Scope, 'clock'>, lines: readonly Said[]): Promise<void> {
  const now = scope.clock.now();
  const subjectOf = ({ jobId, workerId }: Subject) => `${jobId}/${workerId}`;
  const opened = new Set(lines.filter(({ line }) => opening.includes(line)).map(subjectOf));
  const said = await insertLines(
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
  for (const { conversationId, workerId, businessId, seq, rev } of said)
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
  data: Record<string, string | number>;
  key: string | null;
  /** The id of the conversation that it opens if there is none; null does not open one. */
  opening: string | null;
};

type SaidRow = {
  conversationId: string;
  workerId: string;
  businessId: string;
  seq: number;
  rev: number;
};

/** Inserts lines into their conversations, in the given order, opening missing ones; lines without a conversation, and known ones, are skipped. */
async function insertLines(tx: Tx, rows: readonly LineRow[], now: Date): Promise<SaidRow[]> {
  if (rows.length === 0) return [];
  const { rows: said } = await sql<SaidRow>`${keptPlan}
    select said.conversation_id, given.worker_id, said.business_id, said.seq, said.rev
    from (
      select given.* from rows from (jsonb_to_recordset(${asRecords(rows)}::jsonb)
        as (id uuid, job_id uuid, worker_id uuid, line text, data jsonb, key text, opening uuid))
        with ordinality as given (id, job_id, worker_id, line, data, key, opening, place)
      order by job_id, worker_id, place
    ) as given
    cross join lateral chat_say(given.id, given.job_id, given.worker_id, given.line, given.data, given.key, ${now}::timestamptz,
      given.opening) as said
    where said.conversation_id is not null`.execute(tx);
  return said;
}
