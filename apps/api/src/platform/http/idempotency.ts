import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError, CommittedRefusal } from '../app-error.ts';
import { inOneRoundTrip, sendLast } from '../database/pipelined.ts';
import type { Db, Tx } from '../db.ts';
import { keptPlan } from '../prepared-statements.ts';
import type { CallContext } from './scope.ts';

const keyForm = /^[\x21-\x7e]{8,128}$/;

/** A stable form of an input: sorted keys, and files by name, size and content. */
function canonical(value: unknown, digests: ReadonlyMap<Blob, string>): unknown {
  if (value instanceof Blob)
    return { file: value instanceof File ? value.name : '', bytes: value.size, digest: digests.get(value) };
  if (Array.isArray(value)) return value.map((inner) => canonical(inner, digests));
  if (value === null || typeof value !== 'object') return value;
  const sorted: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    sorted[name] = canonical(inner, digests);
  return sorted;
}

const filesIn = (input: unknown): Blob[] =>
  input !== null && typeof input === 'object'
    ? Object.values(input).filter((value) => value instanceof Blob)
    : [];

async function inputHash(operation: string, input: unknown): Promise<Buffer> {
  const digests = new Map<Blob, string>();
  for (const file of filesIn(input)) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    digests.set(file, createHash('sha256').update(bytes).digest('hex'));
  }
  return createHash('sha256')
    .update(`${operation}\n${JSON.stringify(canonical(input, digests))}`)
    .digest();
}

/**
 * Runs a write once per account and key; the key row commits with the effect (ADR 5). `prepare` runs before
 * the transaction (ADR 31), `first` with the claim (ADR 116).
 * @throws idempotency/key-required, idempotency/key-reused, idempotency/in-flight, request/too-many
 */
export async function runIdempotent<Result, Prepared = undefined>(
  context: CallContext,
  operation: string,
  input: unknown,
  effect: (tx: Tx, prepared: Prepared) => Promise<Result>,
  { prepare, first }: Before<Prepared> = {},
): Promise<Result> {
  const { db, scope, idempotencyKey: key } = context;
  const accountId = scope.actor?.accountId;
  const prepared = async () => (await prepare?.()) as Prepared;
  if (key === null || accountId === undefined) {
    if (operation.startsWith('POST ')) throw new AppError('idempotency/key-required');
    const ready = await prepared();
    return committingRefusals(db, async (tx) => ({
      result: await effect(tx, first ? await first(tx) : ready),
    }));
  }
  if (!keyForm.test(key))
    throw new AppError('request/invalid', {
      issues: [{ path: 'Idempotency-Key', message: '8 to 128 visible ASCII characters' }],
    });
  const hash = await inputHash(operation, input);
  const replay = (stored: StoredCall): Result => {
    if (!hash.equals(stored.requestHash)) throw new AppError('idempotency/key-reused');
    context.setHeader('idempotency-replayed', 'true');
    // The operation returned this when the key was first used.
    return stored.response as Result;
  };
  if (prepare) {
    const answer = await storedAnswer(db, accountId, key);
    if (answer) return replay(answer);
    context.answerRoom.reserve(accountId, scope.clock.now());
  }
  const ready = await prepared();
  return committingRefusals(db, async (tx) => {
    const { stored, read } = first
      ? await claimAndRead(tx, accountId, key, first)
      : { stored: await claimKey(tx, accountId, key), read: async () => ready };
    if (stored) return { result: replay(stored), isReplay: true };
    context.answerRoom.reserve(accountId, scope.clock.now());
    const result = await effect(tx, await read());
    const answer = JSON.stringify(result);
    context.answerRoom.take(accountId, Buffer.byteLength(answer ?? ''), scope.clock.now());
    const insertKey = sql`${keptPlan} insert into idempotency_keys (account_id, key, operation, request_hash, response, created_at)
      values (${accountId}, ${key}, ${operation}, ${hash}, ${answer}::json, ${scope.clock.now()})`;
    return { result, last: await sendLast(tx, insertKey) };
  });
}

type Before<Prepared> = { prepare?: () => Promise<Prepared>; first?: (tx: Tx) => Promise<Prepared> };

type StoredCall = { requestHash: Buffer; response: unknown };

async function storedAnswer(db: Db, accountId: string, key: string) {
  const { rows } = await sql<StoredCall>`${keptPlan}
    select request_hash, response from idempotency_keys where account_id = ${accountId} and key = ${key}`.execute(
    db,
  );
  return rows[0];
}

type Claimed = { requestHash: Buffer | null; response: unknown };

const storedCallOf = (claimed: Claimed | undefined): StoredCall | null =>
  claimed?.requestHash ? { requestHash: claimed.requestHash, response: claimed.response } : null;

/**
 * Locks a key until the transaction ends.
 * @returns its stored call
 * @throws idempotency/in-flight
 */
async function claimKey(tx: Tx, accountId: string, key: string): Promise<StoredCall | null> {
  const { rows } = await sql<Claimed & { locked: boolean }>`${keptPlan}
    select locked, request_hash, response from claim_key(${accountId}::uuid, ${key}::text)`.execute(tx);
  if (!rows[0]?.locked) throw new AppError('idempotency/in-flight');
  return storedCallOf(rows[0]);
}

/** SQLSTATE for a key that another transaction has locked. */
const lockNotAvailable = '55P03';

/** Reads don't run if the key is in flight; `read` rethrows their errors. */
async function claimAndRead<Read>(
  tx: Tx,
  accountId: string,
  key: string,
  first: (tx: Tx) => Promise<Read>,
): Promise<{ stored: StoredCall | null; read: () => Promise<Read> }> {
  const [claim, outcome] = await inOneRoundTrip(tx, (pipelined) =>
    Promise.allSettled([
      sql<Claimed>`${keptPlan}
        select request_hash, response from claim_key_first(${accountId}::uuid, ${key}::text)`.execute(
        pipelined,
      ),
      (async () => first(pipelined))(),
    ]),
  );
  if (claim.status === 'rejected') {
    if ((claim.reason as { code?: string }).code === lockNotAvailable)
      throw new AppError('idempotency/in-flight');
    throw claim.reason;
  }
  const readOutcome = async () => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
  return { stored: storedCallOf(claim.value.rows[0]), read: readOutcome };
}

/** The last statement is not yet awaited. A replay has nothing to commit. */
type Ended<Result> = { result: Result; last?: { answer: Promise<unknown> }; isReplay?: true };

/** Commits a result or a `CommittedRefusal`, which is then thrown. */
export async function committingRefusals<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Ended<Result>>,
): Promise<Result> {
  let ended: Ended<Result> | undefined;
  const execute = () =>
    db.transaction().execute(async (tx) => {
      try {
        ended = await work(tx);
        return ended;
      } catch (error) {
        if (error instanceof CommittedRefusal) return { refusal: error };
        throw error;
      }
    });
  const outcome = await execute().catch(async (error) => {
    // A failed read aborts the transaction, but the stored response is still valid.
    if (ended?.isReplay) return ended;
    // Kysely reports only the rollback; the statement's own error has the cause.
    await ended?.last?.answer;
    throw error;
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome.result;
}
