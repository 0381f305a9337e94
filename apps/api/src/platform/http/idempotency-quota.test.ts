import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { runIdempotent } from './idempotency.ts';
import { createAnswerRoom } from './idempotency-quota.ts';

const app = useTestApp();
const large = 'x'.repeat(64 * 1024);

it('limits stored responses per account and day: stored ones still replay, and a new call fails before it runs', async () => {
  const answerRoom = createAnswerRoom(2);
  let done = 0;
  const call = ({ accountId }: { accountId: string }, idempotencyKey: string) => {
    const context = {
      db: app.db,
      recentDb: () => app.db,
      scope: app.scopeOf({ accountId }),
      idempotencyKey,
      answerRoom,
      setHeader() {},
    };
    return runIdempotent(context, 'POST /large', { idempotencyKey }, async () => {
      done += 1;
      return { text: large };
    });
  };
  const hoarder = await app.person();
  const stranger = await app.person();
  await call(hoarder, 'the-first-key');
  await call(hoarder, 'the-second-key');
  const refused = (retryAfterSeconds: number) => ({ code: 'request/too-many', data: { retryAfterSeconds } });
  await expect(call(hoarder, 'the-third-key')).rejects.toMatchObject(refused(86_400));
  expect(done).toBe(2);
  expect(await call(hoarder, 'the-first-key')).toEqual({ text: large });
  await call(stranger, 'the-third-key');
  expect(done).toBe(3);
  app.clock.forward({ hours: 23 });
  await expect(call(hoarder, 'the-third-key')).rejects.toMatchObject(refused(3_600));
  app.clock.forward({ hours: 1 });
  await call(hoarder, 'the-third-key');
  expect(done).toBe(4);
});

it('prepares nothing for a call above the limit', async () => {
  const answerRoom = createAnswerRoom(1);
  const { accountId } = await app.person();
  let prepared = 0;
  const call = (idempotencyKey: string) =>
    runIdempotent(
      {
        db: app.db,
        recentDb: () => app.db,
        scope: app.scopeOf({ accountId }),
        idempotencyKey,
        answerRoom,
        setHeader() {},
      },
      'POST /large',
      { idempotencyKey },
      async () => ({ text: large }),
      {
        prepare: async () => {
          prepared += 1;
        },
      },
    );
  await call('the-first-key');
  await expect(call('the-second-key')).rejects.toMatchObject({ code: 'request/too-many' });
  expect(await call('the-first-key')).toEqual({ text: large });
  expect(prepared).toBe(1);
});
