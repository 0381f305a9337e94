import { useTestApp } from '@nearhand/api/test/harness.ts';
import { describe, expect, it } from 'vitest';
import { runSearchAlerts } from '../experiments/search-alerts/search-alerts-run.ts';

const app = useTestApp();

async function run(seed: number, lose?: 'squares' | 'words') {
  const owner = await app.person();
  const stage = {
    db: app.db,
    owner,
    scopeOf: (accountId: string) => app.scopeOf({ accountId }),
    taskScope: {
      ...app.scopeOf(owner),
      db: app.db,
      unmailed: true as const,
      mailer: { send: async () => {} },
    },
  };
  // Excludes jobs and searches of an earlier run.
  await app.db.updateTable('jobs').set({ status: 'paused' }).execute();
  await app.db.deleteFrom('saved_search_squares').execute();
  return runSearchAlerts(stage, { jobs: 120, searches: 150, seed, compare: 60, ...(lose ? { lose } : {}) });
}

describe('random jobs among random saved searches', { timeout: 600_000 }, () => {
  it('notify exactly the users whose search matches, once, like nearby search', async () => {
    const { matches, named, ...faults } = await run(7);
    expect(matches).toBeGreaterThan(100);
    expect(named).toBe(matches);
    expect(faults).toEqual({ missed: 0, wrong: 0, repeated: 0, compared: 60, unlikeNearby: 0 });
  });

  it('miss some without certain squares, and match wrongly without the words (control)', async () => {
    expect((await run(8, 'squares')).missed).toBeGreaterThan(0);
    expect((await run(9, 'words')).wrong).toBeGreaterThan(0);
  });
});
