import { createHmac } from 'node:crypto';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { insertPasswordCheck } from './sign-in.sql.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const periodSeconds = 30;

/** The TOTP code (RFC 6238) at a real instant in milliseconds. */
export function codeOf(uri: string, atMs: number): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 1_000 / periodSeconds)));
  const digest = createHmac('sha1', bytes).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

type Session = { sessionId: string };
type Where = { db: Db; clock: Clock };

/** Backdates a session by a day, so that a recent proof is required. */
export async function signedInEarlier({ db, clock }: Where, { sessionId }: Session): Promise<void> {
  const createdAt = subtractMs(clock.now(), dayMs);
  await db.updateTable('sessions').set({ createdAt }).where('id', '=', sessionId).execute();
}

export const confirmedNow = ({ db, clock }: Where, { sessionId }: Session): Promise<void> =>
  insertPasswordCheck(db, sessionId, clock.now());

export async function accountConfirmedNow({ db, clock }: Where, accountId: string): Promise<void> {
  const sessions = await db.selectFrom('sessions').select('id').where('accountId', '=', accountId).execute();
  for (const { id } of sessions) await insertPasswordCheck(db, id, clock.now());
}
