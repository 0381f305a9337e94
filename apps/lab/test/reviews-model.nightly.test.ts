import { createSign } from '@nearhand/api/src/platform/sign.ts';
import { useTestApp } from '@nearhand/api/test/harness.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { DivergenceError, newTally, runReviews } from '../experiments/reviews-model/reviews-run.ts';
import { type Cast, makeCast, type Stage } from '../experiments/reviews-model/reviews-stage.ts';
import { withoutLocks } from '../experiments/without-locks.ts';

const app = useTestApp();
let stage: Stage;
let cast: Cast;
beforeAll(async () => {
  const { pool, db, config, clock, fileStore } = app;
  const scope = app.scopeOf({ accountId: crypto.randomUUID() });
  const taskScope = { ...scope, db, config, fileStore, mailer: { send: async () => {} } };
  stage = {
    pool,
    db,
    scopeOf: (accountId) => app.scopeOf({ accountId }),
    taskScope: { ...taskScope, sign: createSign(app.secret) },
    setClock: (at: number) => clock.set(new Date(at)),
  };
  cast = await makeCast(stage, app.secret);
});

async function drive(on: Stage, runs: number, broken?: string) {
  const tally = newTally();
  const options = { commands: 40, tally, ...(broken ? { broken } : {}) };
  for (let run = 0; run < runs; run += 1) await runReviews(on, cast, { seed: 1 + run, ...options });
  return tally;
}

describe('reviews next to their model', { timeout: 120_000 }, () => {
  it('never differ', async () => {
    const { states } = await drive(stage, 4);
    // Proves that the runs reach every state.
    expect([...states]).toEqual(expect.arrayContaining(['open', 'submitted', 'published']));
  });

  it.each(['publish-alone', 'removed-counts'])('differ under %s', async (name) => {
    await expect(drive(stage, 20, name)).rejects.toThrow(DivergenceError);
  });

  it('differ without row locks', async () => {
    await expect(drive({ ...stage, db: app.db.withPlugin(withoutLocks) }, 20)).rejects.toThrow(
      DivergenceError,
    );
  });
});
