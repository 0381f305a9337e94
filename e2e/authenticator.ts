import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

const stepMs = 30_000;
const enoughMs = 10_000;

/** The current code of an authenticator app (RFC 6238). */
export function appCode(key: string, awayMs = 0): string {
  const bits = [...key]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor((Date.now() + awayMs) / stepMs)));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/**
 * The previous code. Waits for the next one if the current one is almost over, when the server stops
 * accepting it.
 */
export async function earlierCode(key: string): Promise<string> {
  const left = stepMs - (Date.now() % stepMs);
  if (left < enoughMs) await setTimeout(left);
  return appCode(key, -stepMs);
}
