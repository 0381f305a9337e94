import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeApplication } from '../src/hiring/applications/applications.fixtures.ts';
import { makeJob } from '../src/hiring/jobs/jobs.fixtures.ts';
import { makeConversation } from '../src/talk/messages/messages.fixtures.ts';
import { callInWorld } from './call-in-world.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { makeWorld, type World } from './foreign-world.ts';
import { failure, type Person, useTestApp } from './harness.ts';

/** A recruiter who is limited to a branch learns nothing of the jobs of other branches, in no operation (ADR 167). */
const app = useTestApp();
let world: World;
/** Ids and texts of the other branch: none may be in an answer. */
let foreign: string[];
let jobIds: string[];

beforeAll(async () => {
  world = await makeWorld(app);
  const businessId = String(world.ids.businessId);
  // Until now the records were of no branch, which is as foreign. Both must be hidden.
  const jobs = await app.db.selectFrom('jobs').select('id').where('business_id', '=', businessId).execute();
  jobIds = jobs.map(({ id }) => id);
  await app.db
    .updateTable('jobs')
    .set({ branch_id: String(world.ids.branchId) })
    .where('id', 'in', jobIds.slice(1))
    .execute();
  const { rows } = await sql<{ id: string }>`
    select id from applications where business_id = ${businessId} union all select id from interviews where business_id = ${businessId}
    union all select id from offers where business_id = ${businessId} union all select id from engagements where business_id = ${businessId}
    union all select id from conversations where business_id = ${businessId} union all select id from holds where business_id = ${businessId}`.execute(
    app.db,
  );
  foreign = [
    ...[world.mark, 'Paint the fence', 'Oil the door', 'Sweep the yard', String(world.ids.branchId)],
    ...[...jobIds, ...rows.map(({ id }) => id), String(world.ids.disputeId), String(world.ids.noteId)],
    ...[String(world.ids.chargeId), String(world.ids.fileId), String(world.ids.poolId)],
  ];
}, 240_000);

/** Everything a member can call; an open job's public page is for anyone. */
const operations = contractOperations.filter(
  ({ meta, name }) =>
    meta.access !== 'public' && meta.access !== 'operator' && !/^(operators|accountDeletion)\./.test(name),
);
const reads = operations.filter(({ method }) => method === 'GET');
/** Parameters that name something of a job. */
const ofJob =
  /\{(jobId|applicationId|interviewId|offerId|engagementId|noteId|disputeId|invitationId|conversationId|holdId|chargeId|branchId)\}/;
const named = operations.filter(({ path }) => ofJob.test(path));
/** An open job is public, and so is what a worker does with it. */
const asWorker = [
  ...['applications.submit', 'calendar.conflicts', 'savedJobs.save', 'savedJobs.remove'],
  ...['invitations.decline', 'invitations.opened'],
];

/** The foreign texts in an answer, except what the caller sent. */
const leaks = (body: string) => foreign.filter((text) => body.includes(text));
const call = (who: Person, entry: ContractOperation) => callInWorld(app, world, who, entry);

/** Lists that can be narrowed down: with and without each filter. */
const lists = (who: Person): [string, () => Promise<unknown>][] => {
  const [businessId, jobId] = [String(world.ids.businessId), String(world.ids.jobId)];
  const { api } = who;
  return [
    ['conversations.list', () => api.conversations.list({})],
    ['conversations.list of a business', () => api.conversations.list({ businessId })],
    ['conversations.list of a job', () => api.conversations.list({ jobId })],
    ['conversations.list searched', () => api.conversations.list({ search: world.mark })],
    ['conversations.unread', () => api.conversations.unread({})],
    ['interviews.mine', () => api.interviews.mine({ businessId })],
    ['engagements.forBusiness', () => api.engagements.forBusiness({ businessId })],
    ['engagements.forBusiness of a job', () => api.engagements.forBusiness({ businessId, jobId })],
    ['applicants.ofBusiness', () => api.applicants.ofBusiness({ businessId, sort: 'newest' })],
    ['applicants.ofBusiness by match', () => api.applicants.ofBusiness({ businessId, sort: 'match' })],
    ['jobs.listed', () => api.jobs.listed({ businessId })],
    ['notifications.list', () => api.notifications.list({})],
    ['businesses.mine', () => api.businesses.mine()],
  ];
};

describe('a recruiter who is limited to a branch', () => {
  it.each(reads)('finds nothing of another branch in $name', async (entry) => {
    const response = await call(world.limited, entry);
    expect(response.statusCode).not.toBe(500);
    expect(response.statusCode === 200 ? leaks(response.body) : []).toEqual([]);
  });

  it('finds nothing of another branch in a list with any filter, and no count', async () => {
    for (const [name, list] of lists(world.limited)) {
      const answer = JSON.stringify(await list());
      expect([name, leaks(answer)]).toEqual([name, []]);
      expect([name, /"(count|total|openJobs|newApplicants|conversations)":[1-9]/.test(answer)]).toEqual([
        ...[name, false],
      ]);
    }
    const businessId = String(world.ids.businessId);
    expect((await world.limited.api.jobs.listed({ businessId })).counts).toEqual({});
    const board = await world.limited.api.pipeline.boardOfBusiness({ businessId });
    expect(Object.values(board.stages).every((count) => count === 0)).toBe(true);
  });

  it.each(named.filter(({ name }) => !asWorker.includes(name)))(
    '$name of another branch is unknown, and nothing changes',
    async (entry) => {
      const response = await call(world.limited, entry);
      // An open job is public, and pools are of the whole business.
      const expected = /^\/(jobs|pools)\//.test(entry.path) ? [403, 404] : [404];
      expect(expected, response.body.slice(0, 300)).toContain(response.statusCode);
      expect(response.body).not.toContain(world.mark);
    },
  );

  it('moves none of its applicants, not even among many', async () => {
    const answer = await world.limited.api.applicants.bulk({
      businessId: String(world.ids.businessId),
      action: 'shortlist',
      items: [{ applicationId: String(world.ids.applicationId) }],
    });
    expect(answer.results).toMatchObject([{ ok: false, code: 'application/not-found' }]);
  });

  it('may not apply to a job of the own business, also not at another branch', async () => {
    const jobId = String(world.ids.jobId);
    expect((await world.limited.api.jobs.get({ jobId })).actions).toEqual([]);
    const application = { jobId, coverNote: '', answers: [], cvFileId: null };
    expect(await failure(world.limited.api.applications.submit(application))).toMatchObject({
      code: 'application/own-business',
    });
  });

  it('neither posts a job outside the branch nor moves one out of it', async () => {
    const businessId = String(world.ids.businessId);
    const { api } = world.limited;
    const draft = { businessId, kind: 'task' as const, title: 'Own', category: 'hospitality' as const };
    expect(await failure(api.jobs.create(draft))).toMatchObject({ code: 'branch/required' });
    const away = { ...draft, branchId: String(world.ids.branchId) };
    expect(await failure(api.jobs.create(away))).toMatchObject({ code: 'branch/not-found' });
    const own = await api.jobs.create({ ...draft, branchId: world.ownBranchId });
    const one = { jobId: own.id, version: own.version };
    expect(await failure(api.jobs.update({ ...one, branchId: null }))).toMatchObject({
      code: 'branch/required',
    });
    expect(await failure(api.jobs.update({ ...one, branchId: String(world.ids.branchId) }))).toMatchObject({
      code: 'branch/not-found',
    });
    await api.jobs.deleteDraft({ jobId: own.id });
  });
});

describe('the control', () => {
  it('finds those records as a recruiter of all branches, in most of these reads', async () => {
    const found = new Set<string>();
    for (const entry of reads) {
      const response = await call(world.recruiter, entry);
      if (response.statusCode === 200 && leaks(response.body).length > 0) found.add(entry.name);
    }
    for (const [name, list] of lists(world.recruiter))
      if (leaks(JSON.stringify(await list())).length > 0) found.add(name);
    expect([...found]).toEqual(
      expect.arrayContaining([
        ...['jobs.listed', 'applicants.ofBusiness', 'applicants.ofJob', 'applicants.get', 'interviews.get'],
        ...['offers.get', 'engagements.get', 'engagements.forBusiness', 'interviews.mine', 'holds.get'],
        ...['conversations.list', 'conversations.get', 'conversations.messages', 'notifications.list'],
        ...['charges.get', 'branches.list', 'pools.list'],
      ]),
    );
  });

  it('finds them as the limited recruiter once the limit is gone, and no longer when it is back', async () => {
    const { limited, owner, ids, ownBranchId } = world;
    const businessId = String(ids.businessId);
    const change = (branchIds: string[] | null) =>
      owner.api.team.changeRole({
        businessId,
        memberId: limited.accountId,
        role: 'recruiter',
        fromRole: 'recruiter',
        branchIds,
      });
    const seen = async () =>
      leaks(JSON.stringify(await limited.api.applicants.ofBusiness({ businessId, sort: 'newest' }))).length;
    await change(null);
    expect(await seen()).toBeGreaterThan(0);
    await change([ownBranchId]);
    expect(await seen()).toBe(0);
    expect(
      await failure(limited.api.applicants.get({ applicationId: String(ids.applicationId) })),
    ).toMatchObject({ code: 'application/not-found' });
  });
});

describe('a job of the own branch', () => {
  it('is theirs with everything that belongs to it, and gone once it moves away', async () => {
    const { limited, owner, worker, ids, ownBranchId } = world;
    const businessId = String(ids.businessId);
    const job = await makeJob(app.db, app.scopeOf(limited.accountId), businessId, {
      kind: 'task',
      title: 'Clean the windows',
      branchId: ownBranchId,
    });
    const application = await makeApplication(app.db, app.scopeOf(worker.accountId), job.id);
    const { id: conversationId } = await makeConversation(app.db, app.scopeOf(worker.accountId), job.id);
    const everything = async (person: Person) => [
      (await person.api.jobs.listed({ businessId, branchId: ownBranchId })).items.map(({ id }) => id),
      (await person.api.applicants.ofBusiness({ businessId, sort: 'newest' })).items
        .map(({ id }) => id)
        .filter((id) => id === application.id),
      (await person.api.conversations.list({ businessId })).items
        .map(({ id }) => id)
        .filter((id) => id === conversationId),
      (await person.api.notifications.list({})).items.some(({ path }) => path.includes(application.id)),
    ];
    const all = [[job.id], [application.id], [conversationId], true];
    expect(await everything(limited)).toEqual(all);
    expect(await everything(world.recruiter)).toEqual(all);
    const { version } = await owner.api.jobs.get({ jobId: job.id });
    const socket = await app.socket({ ...limited, token: await world.tokenOf(limited) });
    await owner.api.jobs.update({ jobId: job.id, version, title: 'Clean all windows' });
    await socket.received({ kind: 'record', record: 'job', id: job.id });
    await owner.api.jobs.update({
      jobId: job.id,
      version: version + 1,
      branchId: String(ids.branchId),
    });
    expect((await everything(limited)).slice(0, 3)).toEqual([[], [], []]);
    expect(await failure(limited.api.conversations.messages({ conversationId }))).toMatchObject({
      code: 'chat/not-found',
    });
    const before = socket.signals.length;
    const later = await owner.api.jobs.get({ jobId: job.id });
    await owner.api.jobs.update({ jobId: job.id, version: later.version, title: 'Clean no windows' });
    await owner.api.businesses.update({
      businessId,
      version: (await owner.api.businesses.get({ businessId })).version,
      description: 'Sends a signal about the business, after which nothing older can arrive.',
    });
    await socket.received({ kind: 'record', record: 'business', id: businessId });
    expect(JSON.stringify(socket.signals.slice(before))).not.toContain(job.id);
  });
});
