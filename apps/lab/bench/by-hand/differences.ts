import type pg from 'pg';

/** Tables that an application leaves rows in, with what differs from one run to the next: ids, times and names made of ids. */
const lasting: Record<string, string[]> = {
  applications: ['id', 'submitted_at', 'decide_by', 'updated_at'],
  application_moves: ['id', 'application_id', 'at'],
  conversations: ['id', 'created_at', 'last_at'],
  messages: ['conversation_id', 'id', 'line_key', 'at'],
  idempotency_keys: ['request_hash', 'response', 'created_at'],
  'graphile_worker._private_jobs': ['id', 'payload', 'run_at', 'created_at', 'updated_at', 'key'],
};

/** The lasting rows of applications by table, without what differs between two runs of the same requests, in a fixed order. */
export async function lastingRows(client: pg.ClientBase): Promise<string[]> {
  const all: string[] = [];
  for (const [table, own] of Object.entries(lasting)) {
    const { rows } = await client.query<{ row: string }>(
      // The server of the measurement queues tasks of its own.
      `select (to_jsonb(one) - $1::text[])::text as row from ${table} one ${
        table.startsWith('graphile') ? `where key like 'applications.clock/%'` : ''
      }`,
      [own],
    );
    all.push(...rows.map(({ row }) => `${table} ${row}`).sort());
  }
  return all;
}

/** An answer as it is compared: of a write without the id and times that were made for it. */
export function comparable(body: string, written: boolean): string {
  if (!written) return body;
  const { id, submittedAt, decideBy, steps, ...same } = JSON.parse(body);
  const made = [id, submittedAt, decideBy].map((value) => typeof value);
  return JSON.stringify({ ...same, made, steps: steps.map(({ at, ...step }: { at: string }) => step) });
}

/** The first place where two lists differ, with what each has there; null for equal ones. */
export function firstDifference(ours: readonly string[], byHand: readonly string[]): string | null {
  const at = Array.from({ length: Math.max(ours.length, byHand.length) }).findIndex(
    (_, index) => ours[index] !== byHand[index],
  );
  if (at < 0) return null;
  const [one = '', other = ''] = [ours[at], byHand[at]];
  const begins = [...one].findIndex((letter, index) => letter !== other[index]);
  const from = Math.max(0, begins - 40);
  return `${at}: ours ${one.slice(from, from + 160)} by hand ${other.slice(from, from + 160)}`;
}
