import { dayMs, hourMs } from '@nearhand/contract/durations';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { beforeAll, beforeEach } from 'vitest';
import { makeBusiness } from '../src/people/businesses/businesses.fixtures.ts';
import { makeEndedWork } from '../src/trust/reviews/reviews.fixtures.ts';
import type { Person, useTestApp } from './harness.ts';

export function useEndedWork(app: ReturnType<typeof useTestApp>) {
  let nadia: Person;
  let leila: Person;
  let businessId = '';
  let engagementId = '';
  let jobId = '';

  async function work(worker: Person = leila) {
    const sides = { worker: app.scopeOf(worker), recruiter: app.scopeOf(nadia) };
    const startsAt = new Date(app.clock.now().getTime() + 2 * dayMs);
    const ended = await makeEndedWork(app.db, sides, businessId, startsAt);
    app.clock.set(new Date(ended.endedAt.getTime() + hourMs));
    return ended;
  }

  beforeAll(async () => {
    nadia = await app.person({ name: 'Nadia Brandt' });
    ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
  });
  beforeEach(async () => {
    leila = await app.person({ name: 'Leila Haddad' });
    ({ id: engagementId, jobId } = await work());
  });

  return {
    work,
    async alone() {
      app.clock.forward({ days: settingDefaults.reviewDays });
      await app.runDue();
      ({ id: engagementId, jobId } = await work());
    },
    get nadia() {
      return nadia;
    },
    get leila() {
      return leila;
    },
    get businessId() {
      return businessId;
    },
    get engagementId() {
      return engagementId;
    },
    get jobId() {
      return jobId;
    },
  };
}
