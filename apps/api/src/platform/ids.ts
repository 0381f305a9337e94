import { randomBytes } from 'node:crypto';

const last = { at: 0, step: 0 };

/**
 * A UUIDv7 (RFC 9562 §5.7): 48 bits of Unix milliseconds, 12 bits that count on within one (§6.2), then random. Made in the app so that a row's id is
 * known before it is written; the time comes from the caller's clock. Ids of one process and instant sort in the order they were made.
 */
export function newId(now: Date): string {
  const bytes = randomBytes(16);
  const at = now.getTime();
  // A random start below the middle leaves room to count on.
  last.step = at === last.at ? (last.step + 1) & 0xfff : bytes.readUInt16BE(6) & 0x7ff;
  last.at = at;
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.step, 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
