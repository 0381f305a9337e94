import { type ApplicationStatus, applicationStatuses } from '@nearhand/contract/hiring/applications.rules';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededShare } from '../../../../../scripts/seeded-sample.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { applicationMover } from './application-access.ts';
import { makeApplication } from './applications.fixtures.ts';
import { nextApplicationStatus } from './applications.rules.ts';

const app = useTestApp();
const isTried = seededShare();
type Api = Person['api'];

const actions = {
  edit: (api: Api, applicationId: string) =>
    api.applications.update({ applicationId, version: 7, coverNote: 'Other' }),
  withdraw: (api: Api, applicationId: string) => api.applications.withdraw({ applicationId }),
  view: (api: Api, applicationId: string) => api.applicants.view({ applicationId }),
  shortlist: (api: Api, applicationId: string) => api.applicants.shortlist({ applicationId, version: 7 }),
  unshortlist: (api: Api, applicationId: string) => api.applicants.unshortlist({ applicationId, version: 7 }),
  reject: (api: Api, applicationId: string) =>
    api.applicants.reject({ applicationId, version: 7, reason: 'other' }),
  'join-waitlist': (api: Api, applicationId: string) => api.waitlist.join({ applicationId }),
  'leave-waitlist': (api: Api, applicationId: string) => api.waitlist.leave({ applicationId }),
} as const;
type Action = keyof typeof actions;
const names = Object.keys(actions) as Action[];

const actors: Record<string, { api: Api; side: 'worker' | 'business' | null; refusal: number }> = {};
let applicationId: string;
beforeAll(async () => {
  const owner = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(owner));
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, { kind: 'task', headCount: 1 });
  const member = async (role: MemberRole) => {
    const person = await app.person();
    await makeMember(app.db, app.clock, business.id, person.accountId, role);
    return person;
  };
  const worker = await app.person();
  const rival = await app.person();
  await makeBusiness(app.db, app.scopeOf(rival));
  Object.assign(actors, {
    worker: { api: worker.api, side: 'worker', refusal: 403 },
    owner: { api: owner.api, side: 'business', refusal: 403 },
    manager: { api: (await member('manager')).api, side: 'business', refusal: 403 },
    recruiter: { api: (await member('recruiter')).api, side: 'business', refusal: 403 },
    finance: { api: (await member('finance')).api, side: null, refusal: 403 },
    'another worker': { api: (await app.person()).api, side: null, refusal: 404 },
    'a recruiter of another business': { api: rival.api, side: null, refusal: 404 },
    unverified: { api: (await app.person({ verified: false })).api, side: null, refusal: 403 },
    nobody: { api: app.apiAs(null), side: null, refusal: 401 },
  });
  applicationId = (await makeApplication(app.db, app.scopeOf(worker), job.id)).id;
  await app.db
    .updateTable('jobs')
    .set({ status: 'filled', hiredCount: 1 })
    .where('id', '=', job.id)
    .execute();
});

async function put(status: ApplicationStatus) {
  await app.db
    .updateTable('applications')
    .set({ status, version: 7, waitlistedAt: null, viewedAt: null })
    .where('id', '=', applicationId)
    .execute();
}
async function stand() {
  const row = await app.db
    .selectFrom('applications')
    .selectAll()
    .where('id', '=', applicationId)
    .executeTakeFirstOrThrow();
  const { rows } = await app.pool.query(
    'select count(*) as count from application_moves where application_id = $1',
    [applicationId],
  );
  return { ...row, moves: rows[0].count as number };
}

const walks = { allowed: 0, repeated: 0, refused: 0, left: 0 };

describe('every state of an application, action and actor', () => {
  it.each(applicationStatuses)('%s', async (status) => {
    for (const action of names)
      for (const [who, { api, side, refusal }] of Object.entries(actors)) {
        const said = `${who} does ${action} in ${status}`;
        const own = side === applicationMover[action];
        const to = own ? nextApplicationStatus(status, action, applicationMover[action]) : null;
        if (to === null && !isTried(`${action} ${who}`, said)) {
          walks.left += 1;
          continue;
        }
        await put(status);
        const before = await stand();
        if (to === null) {
          const refused = await failure(actions[action](api, applicationId));
          expect(refused.status, said).toBe(own ? 409 : refusal);
          expect(await stand(), said).toEqual(before);
          walks.refused += 1;
          continue;
        }
        const inPlace = ['edit', 'join-waitlist', 'leave-waitlist'].includes(action);
        const view =
          side === 'worker'
            ? await api.applications.get({ applicationId })
            : await api.applicants.get({ applicationId });
        expect(view.actions.includes(action), said).toBe(
          (to !== status || inPlace) && action !== 'leave-waitlist',
        );
        await actions[action](api, applicationId);
        const after = await stand();
        expect(after.status, said).toBe(to);
        if (to === status && action !== 'edit') expect(after.moves, said).toBe(before.moves);
        else expect(after.moves, said).toBe(before.moves + 1);
        walks[to === status && !inPlace ? 'repeated' : 'allowed'] += 1;
      }
  });

  it('covers the whole table', () => {
    const { allowed, repeated, refused, left } = walks;
    expect(allowed + repeated + refused + left).toBe(
      applicationStatuses.length * names.length * Object.keys(actors).length,
    );
    process.stdout.write(`applications: ${allowed + repeated + refused} walks, ${JSON.stringify(walks)}\n`);
  });
});

describe('two recruiters at the same moment', () => {
  it('accepts one decision and tells the second recruiter about the first', async () => {
    for (let n = 0; n < 10; n += 1) {
      await put('viewed');
      const both = await Promise.allSettled([
        actions.shortlist((actors.owner as { api: Api }).api, applicationId),
        actions.reject((actors.recruiter as { api: Api }).api, applicationId),
      ]);
      const lost = both.find((result) => result.status === 'rejected');
      expect(both.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      const refused = await failure(Promise.reject(lost?.reason));
      expect(refused).toMatchObject({ status: 409, code: 'application/stale', data: { version: 8 } });
      expect(['shortlisted', 'rejected']).toContain((refused.data as { status: string }).status);
    }
  });
});
