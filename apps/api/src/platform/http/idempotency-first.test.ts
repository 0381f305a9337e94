import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { AppError } from '../app-error.ts';
import { openPool, type Tx } from '../db.ts';
import { keptPlan } from '../prepared-statements.ts';
import { runIdempotent } from './idempotency.ts';
import { createAnswerRoom } from './idempotency-quota.ts';

const app = useTestApp();

type First = (tx: Tx) => Promise<number>;
const lockSeven: First = async (tx) => {
  const { rows } = await sql<{
    seven: number;
  }>`${keptPlan} select 7 as seven, pg_advisory_xact_lock(7)`.execute(tx);
  return rows[0]?.seven ?? 0;
};

async function makeWrite() {
  const { accountId } = await app.person();
  const context = {
    db: app.db,
    recentDb: () => app.db,
    scope: app.scopeOf({ accountId }),
    idempotencyKey: 'the-only-key',
    answerRoom: createAnswerRoom(10),
    setHeader() {},
  };
  let done = 0;
  return {
    done: () => done,
    run: (first: First, wait: Promise<unknown> = Promise.resolve()) =>
      runIdempotent(
        context,
        'POST /twice',
        { n: 1 },
        async (_tx, read: number) => {
          await wait;
          done += 1;
          return { twice: read * 2 };
        },
        { first },
      ),
  };
}

it('passes the reads of the claim to the effect, and replays its response, whatever a repeat reads or throws', async () => {
  const write = await makeWrite();
  expect(await write.run(lockSeven)).toEqual({ twice: 14 });
  const missing = async () => {
    throw new AppError('job/not-found');
  };
  expect(await write.run(missing)).toEqual({ twice: 14 });
  const failing: First = async (tx) => {
    const { rows } = await sql<{ seven: number }>`${keptPlan} select 7 / 0 as seven`.execute(tx);
    return rows[0]?.seven ?? 0;
  };
  expect(await write.run(failing)).toEqual({ twice: 14 });
  expect(write.done()).toBe(1);
});

it('stores nothing when the reads fail', async () => {
  const write = await makeWrite();
  const failing: First = async (tx) => {
    await lockSeven(tx);
    throw new AppError('job/not-found');
  };
  await expect(write.run(failing)).rejects.toMatchObject({ code: 'job/not-found' });
  expect(await write.run(lockSeven)).toEqual({ twice: 14 });
  expect(write.done()).toBe(1);
});

it('rejects a key in flight without its reads, which would wait for the same lock', async () => {
  const write = await makeWrite();
  let finish = () => {};
  let onLocked = () => {};
  const locked = new Promise<void>((resolve) => {
    onLocked = resolve;
  });
  const going = write.run(
    async (tx) => {
      const seven = await lockSeven(tx);
      onLocked();
      return seven;
    },
    new Promise<void>((resolve) => {
      finish = resolve;
    }),
  );
  await locked;
  await expect(write.run(lockSeven)).rejects.toMatchObject({ code: 'idempotency/in-flight' });
  finish();
  expect(await going).toEqual({ twice: 14 });
});

it("reports why a response wasn't stored, also when commits are noted for replicas", async () => {
  const { accountId } = await app.person();
  const noting = openPool(app.directUrl, 1, () => {}, {}, { onCommit: () => {} });
  for (const db of [app.db, noting.db]) {
    const context = {
      db,
      recentDb: () => db,
      scope: app.scopeOf({ accountId }),
      idempotencyKey: 'of-one-response',
      answerRoom: createAnswerRoom(10),
      setHeader() {},
    };
    // An operation without a result still stores a response.
    const call = runIdempotent(context, 'POST /nothing', {}, async () => undefined);
    await expect(call).rejects.toMatchObject({ code: '23502' });
  }
  await noting.close();
});
