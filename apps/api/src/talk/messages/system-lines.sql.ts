import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';

export type LineRow = {
  id: string;
  job_id: string;
  worker_id: string;
  line: string;
  data: Record<string, string | number>;
  key: string | null;
  /** The id of the conversation that it opens if there is none; null does not open one. */
  opening: string | null;
};

export type SaidRow = {
  conversation_id: string;
  worker_id: string;
  business_id: string;
  seq: number;
  rev: number;
};

/** Inserts lines into their conversations, in the given order, opening missing ones; lines without a conversation, and known ones, are skipped. */
export async function insertLines(tx: Tx, rows: readonly LineRow[], now: Date): Promise<SaidRow[]> {
  if (rows.length === 0) return [];
  const { rows: said } = await sql<SaidRow>`${keptPlan}
    select said.conversation_id, given.worker_id, said.business_id, said.seq, said.rev
    from (
      select given.* from rows from (jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as (id uuid, job_id uuid, worker_id uuid, line text, data jsonb, key text, opening uuid))
        with ordinality as given (id, job_id, worker_id, line, data, key, opening, place)
      order by job_id, worker_id, place
    ) as given
    cross join lateral chat_say(given.id, given.job_id, given.worker_id, given.line, given.data, given.key, ${now}::timestamptz,
      given.opening) as said
    where said.conversation_id is not null`.execute(tx);
  return said;
}
