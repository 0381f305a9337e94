import { tasks } from '@nearhand/api/src/app.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { runDueTasks } from '@nearhand/api/src/platform/tasks/due-tasks.ts';
import { useTestApp } from '@nearhand/api/test/harness.ts';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import { beforeAll, describe, expect, it } from 'vitest';
import { hiringTasks, type Person } from '../experiments/hiring-model/hiring.server.ts';
import { driveHiring, newTally, type Sabotage } from '../experiments/hiring-model/hiring-run.ts';

// The short form of `npm run experiments -- hiring-model`.
const app = useTestApp({ APPLICATIONS_PER_DAY: '10000' });
const businesses: { id: string; recruiter: Person }[] = [];
beforeAll(async () => {
  for (const name of ['Café Lindengracht', 'Bakery Noord']) {
    const recruiter = await app.person({ name });
    const { id } = await makeBusiness(app.db, app.scopeOf(recruiter), { name });
    businesses.push({ id, recruiter });
  }
});

async function drive(options: { runs: number; seed: number; sabotage?: Sabotage; path?: string }) {
  const tally = newTally();
  const { pool, db, clock, config, fileStore } = app;
  const scope = {
    ...app.scopeOf({ accountId: businesses[0]?.recruiter.accountId ?? '' }),
    db,
    mailer: { send: async () => {} },
  };
  const stage = {
    pool,
    inject: app.raw,
    setClock: (at: number) => clock.set(new Date(at)),
    tokenOf: (person: Person) => signAccessToken(app.secret, clock, person),
    runTimers: () => runDueTasks(pool, hiringTasks(tasks), { ...scope, config, fileStore }),
  };
  const cast = {
    businesses,
    makeWorker: () => app.person(),
    makeJob: async (at: number, request: Partial<JobDraft>) => {
      const { id, recruiter } = businesses[at] as (typeof businesses)[number];
      return (await makeJob(db, app.scopeOf(recruiter), id, request)).id;
    },
  };
  const found = await driveHiring(stage, cast, { commands: 50, shrinks: 0, tally, ...options });
  return { found, tally };
}

describe('random commands against the model of hiring', { timeout: 120_000 }, () => {
  it('match the server', async () => {
    const { found, tally } = await drive({ runs: 8, seed: 20_261_122 });
    expect(found?.message).toBeUndefined();
    expect(tally.runs).toBe(8);
    // Proves that the runs reach every state.
    expect([...tally.statuses]).toEqual(
      expect.arrayContaining(['hired', 'completed', 'disputed', 'position_filled']),
    );
  });

  // Starts from a run that shows the fault, to be quick.
  it.each<[Sabotage, string]>([
    [{ mistake: 'undisputed-part-kept' }, '22'],
    [{ swallow: 'check-out' }, '17'],
  ])('find what is wrong on purpose within 200 runs, and replay it: %o', async (sabotage, path) => {
    const { found } = await drive({ runs: 200, seed: 11, path, sabotage });
    expect(found).not.toBeNull();
    const again = await drive({ runs: 1, seed: found?.seed ?? 0, path: found?.path ?? '', sabotage });
    expect(again.found?.message.split(':')[0]).toBe(found?.message.split(':')[0]);
  });
});
