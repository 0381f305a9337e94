import { sql } from 'kysely';
import type { Db } from '../db.ts';

/** The first send and one more. */
const handoversMax = 2;

/** The mail server took this mail twice without an answer: a third copy is never sent. */
export class MailUnconfirmed extends Error {
  constructor(key: string) {
    super(`the mail ${key} was handed over twice without an answer, and is not sent again`);
  }
}

/**
 * Whether the mail server accepted this mail before.
 * @throws MailUnconfirmed when it may not be sent again
 */
export async function wasAccepted(db: Db, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('mail_handovers')
    .select(['unanswered', 'accepted'])
    .where('key', '=', key)
    .executeTakeFirst();
  if (row?.accepted) return true;
  if ((row?.unanswered ?? 0) >= handoversMax) throw new MailUnconfirmed(key);
  return false;
}

/**
 * Counts a handover before the last piece of the mail leaves, so that a killed process counts too.
 * @throws MailUnconfirmed when another process has used the last one up
 */
export async function beginHandover(db: Db, key: string, now: Date): Promise<void> {
  const { rows } =
    await sql`insert into mail_handovers as earlier (key, unanswered, last_at) values (${key}, 1, ${now})
    on conflict (key) do update set unanswered = earlier.unanswered + 1, last_at = excluded.last_at
      where earlier.unanswered < ${handoversMax} and not earlier.accepted
    returning 1`.execute(db);
  if (rows.length === 0) throw new MailUnconfirmed(key);
}

/** The server has answered: it took the mail, or it certainly did not. */
export async function endHandover(db: Db, key: string, outcome: 'accepted' | 'not-taken'): Promise<void> {
  const ended = outcome === 'accepted' ? sql`accepted = true` : sql`unanswered = greatest(unanswered - 1, 0)`;
  await sql`update mail_handovers set ${ended} where key = ${key}`.execute(db);
}
