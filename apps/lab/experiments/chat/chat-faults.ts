import type pg from 'pg';
import type { ChatClient } from './chat-client.ts';

export type ChatFaults = Map<string, string[]>;

/**
 * Compares every device with the stored rows, and both with the sent messages.
 * @param sentCount messages sent by all devices
 */
export async function chatFaults(
  pool: pg.Pool,
  conversationId: string,
  clients: readonly ChatClient[],
  sentCount: number,
): Promise<ChatFaults> {
  const faults: ChatFaults = new Map();
  const fault = (kind: string, detail: string) => faults.set(kind, [...(faults.get(kind) ?? []), detail]);
  const { rows } = await pool.query<{ seq: number; id: string; client_id: string | null; body: string }>(
    'select seq, id, client_id, body from messages where conversation_id = $1 order by seq',
    [conversationId],
  );
  rows.forEach(({ seq }, index) => {
    if (seq !== index + 1) fault('the order has a gap', `${seq} stands at ${index + 1}`);
  });
  const texts = rows.filter(({ client_id }) => client_id !== null);
  if (texts.length !== sentCount) fault('stored', `${texts.length} messages instead of ${sentCount}`);
  const bodies = new Map<string, number>();
  for (const { body } of texts) bodies.set(body, (bodies.get(body) ?? 0) + 1);
  for (const [body, times] of bodies) if (times > 1) fault('doubled', `${body} stands ${times} times`);
  const stored = new Map(texts.map(({ client_id, seq }) => [client_id, seq]));
  clients.forEach((client, number) => {
    for (const [clientId, seq] of client.acknowledged)
      if (stored.get(clientId) !== seq) fault('acknowledged and lost', `${seq} of device ${number + 1}`);
    for (const { seq, id } of rows) {
      const item = client.list.get(seq);
      if (!item) fault('not shown', `${seq} on device ${number + 1}`);
      else if (item.id !== id) fault('another order', `${seq} on device ${number + 1}`);
    }
    if (client.list.size > rows.length) fault('shown and not stored', `device ${number + 1}`);
    for (const refusal of client.refusals) fault('refused', refusal);
  });
  return faults;
}

export const chatSignalFaults = (faults: ChatFaults): string[] =>
  [...faults].map(([kind, list]) => `  ${kind}: ${list.length} (${list.slice(0, 3).join('; ')})`);
