import { randomFillSync } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

const last = { at: 0, step: 0 };

const idBytes = 16;
/** Generated in advance: sixteen random bytes cost as much as thousands. */
const random = { pool: Buffer.alloc(256 * idBytes), used: 256 * idBytes };

function randomId(): Buffer {
  if (random.used === random.pool.length) {
    randomFillSync(random.pool);
    random.used = 0;
  }
  random.used += idBytes;
  return random.pool.subarray(random.used - idBytes, random.used);
}

/** A UUIDv7 (RFC 9562 §5.7, counter §6.2). Ids of one process sort in creation order. */
export function newId(now: Date): string {
  const bytes = randomId();
  const at = now.getTime();
  // A random start in the lower half leaves room for counting up.
  last.step = at === last.at ? (last.step + 1) & 0xfff : bytes.readUInt16BE(6) & 0x7ff;
  last.at = at;
  bytes.writeUIntBE(at, 0, 6);
  bytes.writeUInt16BE(0x7000 | last.step, 6);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** An id per row of a statement. They sort between earlier and later ids, but not among themselves. */
export const rowIds = (now: Date): RawBuilder<string> =>
  sql<string>`(left(${newId(now)}::text, 18) || right(gen_random_uuid()::text, 18))::uuid`;
