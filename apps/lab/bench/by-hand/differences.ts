import type pg from 'pg';

/** Tables that an application writes, with the columns that differ between runs. */
const lasting: Record<string, string[]> = {
  applications: ['id', 'submitted_at', 'decide_by', 'updated_at'],
  application_moves: ['id', 'application_id', 'at'],
  conversations: ['id', 'created_at', 'last_at'],
  messages: ['conversation_id', 'id', 'line_key', 'at'],
  notifications: ['id', 'data', 'path', 'dedupe_key', 'group_key', 'asks_until', 'created_at'],
  notification_deliveries: ['id', 'notification_id', 'due_at', 'created_at'],
  idempotency_keys: ['request_hash', 'response', 'created_at'],
  'graphile_worker._private_jobs': ['id', 'payload', 'run_at', 'created_at', 'updated_at', 'key'],
};

export async function lastingRows(client: pg.ClientBase): Promise<string[]> {
  const all: string[] = [];
  for (const [table, own] of Object.entries(lasting)) {
    const { rows } = await client.query<{ row: string }>(
      // The measured server queues its own tasks.
      `select (to_jsonb(one) - $1::text[])::text as row from ${table} one ${
        table.startsWith('graphile') ? `where key ~ '^(applications.clock|notifications.deliver)/'` : ''
      }`,
      [own],
    );
    all.push(...rows.map(({ row }) => `${table} ${row}`).sort());
  }
  return all;
}

/** A write is compared without its generated id and times. */
export function comparable(body: string, written: boolean): string {
  if (!written) return body;
  const { id, submittedAt, decideBy, steps, ...same } = JSON.parse(body);
  const types = [id, submittedAt, decideBy].map((value) => typeof value);
  return JSON.stringify({
    ...same,
    made: types,
    steps: steps.map(({ at, ...step }: { at: string }) => step),
  });
}

export function firstDifference(served: readonly string[], byHand: readonly string[]): string | null {
  const at = Array.from({ length: Math.max(served.length, byHand.length) }).findIndex(
    (_, index) => served[index] !== byHand[index],
  );
  if (at < 0) return null;
  const [one = '', other = ''] = [served[at], byHand[at]];
  const begins = [...one].findIndex((letter, index) => letter !== other[index]);
  const from = Math.max(0, begins - 40);
  return `${at}: ours ${one.slice(from, from + 160)} by hand ${other.slice(from, from + 160)}`;
}
