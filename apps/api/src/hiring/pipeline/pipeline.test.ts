import { sumOf } from '@nearhand/contract/arithmetic';
import { hourMs } from '@nearhand/contract/durations';
import type { ApplicantGroup } from '@nearhand/contract/hiring/applicants';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { hireFor, workThrough } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeInvitation, makeNote, makeTags } from './pipeline.fixtures.ts';

const app = useTestApp();
let owner: Person;
let recruiter: Person;
let finance: Person;
let stranger: Person;
let leila: Person;
let business: Business;
let job: Job;
let applicationId: string;
const newJob = () => makeJob(app.db, app.scopeOf(owner), business.id);
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  stranger = await app.person();
  leila = await app.person({ name: 'Leila Haddad' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
  await makeBusiness(app.db, app.scopeOf(stranger));
  job = await newJob();
  const member = async (role: MemberRole, name: string) => {
    const person = await app.person({ name });
    await makeMember(app.db, app.clock, business.id, person.accountId, role);
    return person;
  };
  recruiter = await member('recruiter', 'Omar Idrissi');
  finance = await member('finance', 'Mei Tanaka');
  applicationId = (await makeApplication(app.db, app.scopeOf(leila), job.id)).id;
});

function guards(call: (api: Person['api'], applicationId: string) => Promise<unknown>) {
  it('allows only recruiters of the business', async () => {
    expect(await failure(call(stranger.api, applicationId))).toMatchObject({
      status: 404,
      code: 'application/not-found',
    });
    for (const person of [leila, finance])
      expect(await failure(call(person.api, applicationId))).toMatchObject({
        status: 403,
        code: 'application/not-allowed',
      });
    const unverified = await app.person({ verified: false });
    expect(await failure(call(unverified.api, applicationId))).toMatchObject({ status: 403 });
    expect(await failure(call(app.apiAs(null), applicationId))).toMatchObject({ status: 401 });
    expect(await failure(call(owner.api, crypto.randomUUID()))).toMatchObject({ status: 404 });
    expect(await failure(call(owner.api, '😀'))).toMatchObject({ status: 400 });
  });
}

describe('the lanes of a hire', () => {
  const hired = async () => {
    const worker = await app.person();
    const work = await hireFor(
      app.db,
      { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) },
      (await newJob()).id,
    );
    const lanes = async () => {
      const { stages } = await owner.api.pipeline.board({ jobId: work.jobId });
      return Object.entries(stages).filter(([, count]) => count > 0);
    };
    expect(await lanes()).toEqual([['hired', 1]]);
    return { worker, work, engagementRef: { engagementId: work.id, version: work.version }, lanes };
  };
  const applicantOf = async (jobId: string, group: ApplicantGroup) =>
    (await owner.api.applicants.ofJob({ jobId, group })).items;

  it('excludes hires from those waiting, and shows when the job starts', async () => {
    const { work } = await hired();
    expect(await applicantOf(work.jobId, 'waiting')).toEqual([]);
    expect(await applicantOf(work.jobId, 'live')).toMatchObject([
      { stage: 'hired', jobStartsAt: work.terms.startsAt },
    ]);
  });

  it('excludes a cancelled hire', async () => {
    const { worker, work, engagementRef, lanes } = await hired();
    await worker.api.engagements.cancel({ ...engagementRef, reason: 'Ill' });
    expect(await lanes()).toEqual([['ended', 1]]);
    expect(await applicantOf(work.jobId, 'live')).toEqual([]);
    expect(await applicantOf(work.jobId, 'ended')).toMatchObject([
      { status: 'hired', stage: 'ended', workEnding: 'cancelled' },
    ]);
    const { items } = await worker.api.applications.mine({});
    expect(items).toMatchObject([{ status: 'hired', workEnding: 'cancelled' }]);
  });

  it('moves to Done when the work is completed', async () => {
    const { worker, work, lanes } = await hired();
    const at = (side: 'worker' | 'recruiter', moment: Date) => ({
      ...app.scopeOf(side === 'worker' ? worker : owner),
      clock: { now: () => moment },
    });
    await workThrough(app.db, at, work, 'completed');
    expect(await lanes()).toEqual([['done', 1]]);
    expect(await applicantOf(work.jobId, 'ended')).toMatchObject([{ stage: 'done', workEnding: 'done' }]);
  });

  it('excludes a no-show until it is contested', async () => {
    const { worker, work, engagementRef, lanes } = await hired();
    const now = app.clock.now();
    app.clock.set(new Date(Date.parse(work.terms.startsAt ?? '') + hourMs));
    const reported = await owner.api.engagements.reportNoShow(engagementRef);
    expect(await lanes()).toEqual([['ended', 1]]);
    await worker.api.engagements.contest({
      engagementId: work.id,
      version: reported.version,
      note: 'I was there',
    });
    expect(await lanes()).toEqual([['hired', 1]]);
    app.clock.set(now);
  });
});

describe('pipeline.addNote', () => {
  it('stores the note and counts it', async () => {
    const note = await recruiter.api.pipeline.addNote({
      applicationId,
      text: '  Called back: ليلى ☎️\nTuesday fits.  ',
    });
    expect(note).toMatchObject({
      text: 'Called back: ليلى ☎️\nTuesday fits.',
      author: { id: recruiter.accountId, name: 'Omar Idrissi' },
      own: true,
    });
    expect((await owner.api.applicants.get({ applicationId })).notes).toBe(1);
    const device = app.apiAs(owner.token, { 'idempotency-key': 'note-once' });
    const first = await device.pipeline.addNote({ applicationId, text: 'Once' });
    expect(await device.pipeline.addNote({ applicationId, text: 'Once' })).toEqual(first);
    expect((await owner.api.applicants.get({ applicationId })).notes).toBe(2);
  });

  it('requires text', async () => {
    for (const text of ['', '   ', 'x'.repeat(2001), 'a\u0000b', '\ud800', 7])
      expect(await failure(owner.api.pipeline.addNote({ applicationId, text } as never))).toMatchObject({
        status: 400,
      });
  });

  guards((api, id) => api.pipeline.addNote({ applicationId: id, text: 'x' }));
});

describe('pipeline.notes', () => {
  it('pages notes newest first, and never shows them to the worker', async () => {
    const { id } = await makeApplication(app.db, app.scopeOf(await app.person()), job.id);
    for (let n = 0; n < 5; n += 1) {
      await makeNote(app.db, app.scopeOf(n % 2 ? owner : recruiter), id, `Note ${n}`);
      if (n % 2) app.clock.forward({ seconds: 1 });
    }
    const first = await owner.api.pipeline.notes({ applicationId: id, limit: 3 });
    const rest = await owner.api.pipeline.notes({ applicationId: id, cursor: first.nextCursor ?? '' });
    const all = [...first.items, ...rest.items];
    expect(new Set(all.map(({ text }) => text)).size).toBe(5);
    expect(all[0]).toMatchObject({ text: 'Note 4', author: { name: 'Omar Idrissi' }, own: false });
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect(await failure(owner.api.pipeline.notes({ applicationId: id, cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });

  guards((api, id) => api.pipeline.notes({ applicationId: id }));
});

describe('pipeline.deleteNote', () => {
  it("deletes the caller's own note, once", async () => {
    const { id: noteId } = await recruiter.api.pipeline.addNote({ applicationId, text: 'Mistake' });
    for (const person of [owner, stranger, leila, finance])
      expect(await failure(person.api.pipeline.deleteNote({ noteId }))).toMatchObject({
        status: 404,
        code: 'note/not-found',
      });
    expect(await failure(app.apiAs(null).pipeline.deleteNote({ noteId }))).toMatchObject({ status: 401 });
    const device = app.apiAs(recruiter.token, { 'idempotency-key': 'delete-note' });
    expect(await device.pipeline.deleteNote({ noteId })).toEqual({ deleted: true });
    expect(await device.pipeline.deleteNote({ noteId })).toEqual({ deleted: true });
    expect(await failure(recruiter.api.pipeline.deleteNote({ noteId }))).toMatchObject({ status: 404 });
    expect(await failure(recruiter.api.pipeline.deleteNote({ noteId: '📝' }))).toMatchObject({ status: 400 });
  });

  it('rejects someone who no longer recruits there', async () => {
    const left = await app.person();
    await makeMember(app.db, app.clock, business.id, left.accountId);
    const { id: noteId } = await left.api.pipeline.addNote({ applicationId, text: 'Mine' });
    await app.db.deleteFrom('business_members').where('accountId', '=', left.accountId).execute();
    expect(await failure(left.api.pipeline.deleteNote({ noteId }))).toMatchObject({ status: 404 });
  });
});

describe('pipeline.setTags', () => {
  it('replaces the tags, each once ignoring case', async () => {
    const set = (tags: string[]) => recruiter.api.pipeline.setTags({ applicationId, tags });
    expect(await set([' Trial day ', 'trial DAY', 'ليلى', '⭐ top'])).toEqual({
      tags: ['Trial day', 'ليلى', '⭐ top'],
    });
    expect((await owner.api.applicants.get({ applicationId })).tags.sort()).toEqual(
      ['Trial day', 'ليلى', '⭐ top'].sort(),
    );
    expect(await set(['Trial day'])).toEqual({ tags: ['Trial day'] });
    expect((await owner.api.applicants.get({ applicationId })).tags).toEqual(['Trial day']);
    await set([]);
    expect((await owner.api.applicants.get({ applicationId })).tags).toEqual([]);
  });

  it('replays the response for the same key', async () => {
    const device = app.apiAs(owner.token, { 'idempotency-key': 'tags-once' });
    const first = await device.pipeline.setTags({ applicationId, tags: ['One'] });
    await owner.api.pipeline.setTags({ applicationId, tags: ['Two'] });
    expect(await device.pipeline.setTags({ applicationId, tags: ['One'] })).toEqual(first);
    expect((await owner.api.applicants.get({ applicationId })).tags).toEqual(['Two']);
  });

  it('accepts up to 8 short lines', async () => {
    for (const tags of [
      Array.from({ length: 9 }, (_, n) => `t${n}`),
      [''],
      ['x'.repeat(31)],
      ['a\nb'],
      ['\u202ex'],
      'x',
    ])
      expect(await failure(owner.api.pipeline.setTags({ applicationId, tags } as never))).toMatchObject({
        status: 400,
      });
  });

  guards((api, id) => api.pipeline.setTags({ applicationId: id, tags: [] }));
});

describe('pipeline.tags', () => {
  it('lists tags in use, most used first, to recruiters', async () => {
    const hirer = await app.person();
    const cafe = await makeBusiness(app.db, app.scopeOf(hirer));
    const place = await makeJob(app.db, app.scopeOf(hirer), cafe.id);
    for (const tags of [['Night', 'Trial'], ['Trial']]) {
      const { id } = await makeApplication(app.db, app.scopeOf(await app.person()), place.id);
      await makeTags(app.db, app.scopeOf(hirer), id, tags);
    }
    expect(await hirer.api.pipeline.tags({ businessId: cafe.id })).toEqual([
      { tag: 'Trial', count: 2 },
      { tag: 'Night', count: 1 },
    ]);
    const list = (api: Person['api']) => failure(api.pipeline.tags({ businessId: business.id }));
    expect(await list(finance.api)).toMatchObject({ status: 403, code: 'business/not-allowed' });
    expect(await list(stranger.api)).toMatchObject({ status: 404, code: 'business/not-found' });
    expect(await list(app.apiAs(null))).toMatchObject({ status: 401 });
  });
});

describe('invitations.candidates', () => {
  it("returns earlier applicants who haven't applied for this job, best match first", async () => {
    const other = await newJob();
    const near = await app.person();
    const leaver = await app.person();
    const here = await app.person();
    await near.api.profiles.save({ home: { label: 'Near', lat: job.place.lat, lng: job.place.lng } });
    await makeApplication(app.db, app.scopeOf(near), job.id);
    const { id } = await makeApplication(app.db, app.scopeOf(leaver), job.id);
    await leaver.api.applications.withdraw({ applicationId: id });
    await makeApplication(app.db, app.scopeOf(here), other.id);
    await owner.api.invitations.send({ jobId: other.id, workerId: leila.accountId });
    const candidates = await recruiter.api.invitations.candidates({ jobId: other.id });
    const ids = candidates.map(({ worker }) => worker.workerId);
    expect(ids).toContain(near.accountId);
    for (const person of [leaver, here, owner]) expect(ids).not.toContain(person.accountId);
    expect(candidates.find(({ worker }) => worker.workerId === leila.accountId)?.invitedAt).toBe(
      app.clock.now().toISOString(),
    );
    const scores = candidates.map(({ matchScore }) => matchScore);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const { match, matchScore } of candidates)
      expect(sumOf(match, ({ points }) => points)).toBe(matchScore);
  });

  it('omits workers booked elsewhere at that time, until that ends', async () => {
    const elsewhere = await makeBusiness(app.db, app.scopeOf(stranger));
    const other = await newJob();
    const busy = await app.person();
    await makeApplication(app.db, app.scopeOf(busy), job.id);
    const work = await hireFor(
      app.db,
      { worker: app.scopeOf(busy), recruiter: app.scopeOf(stranger) },
      (await makeJob(app.db, app.scopeOf(stranger), elsewhere.id)).id,
    );
    const candidateIds = async (jobId: string) =>
      (await recruiter.api.invitations.candidates({ jobId })).map(({ worker }) => worker.workerId);
    expect(await candidateIds(other.id)).not.toContain(busy.accountId);
    const later = await makeJob(app.db, app.scopeOf(owner), business.id, {
      startsAt: work.terms.endsAt ?? '',
      endsAt: new Date(Date.parse(work.terms.endsAt ?? '') + hourMs).toISOString(),
      breakMinutes: 0,
    });
    expect(await candidateIds(later.id)).toContain(busy.accountId);
    await busy.api.engagements.cancel({ engagementId: work.id, version: work.version, reason: 'Ill' });
    expect(await candidateIds(other.id)).toContain(busy.accountId);
  });

  it('allows only recruiters of the business', async () => {
    const list = (api: Person['api'], jobId = job.id) => failure(api.invitations.candidates({ jobId }));
    for (const person of [finance, leila]) expect(await list(person.api)).toMatchObject({ status: 403 });
    expect(await list(stranger.api, crypto.randomUUID())).toMatchObject({ status: 404 });
    expect(await list(app.apiAs(null))).toMatchObject({ status: 401 });
  });
});

describe('invitations.send', () => {
  it('invites once, even on repeats, and notifies the worker', async () => {
    const other = await newJob();
    const worker = await app.person();
    await makeApplication(app.db, app.scopeOf(worker), job.id);
    const message = 'We liked you 🙂 — مرحبا';
    const invite = (by: Person) =>
      by.api.invitations.send({ jobId: other.id, workerId: worker.accountId, message });
    const first = await invite(owner);
    app.clock.forward({ minutes: 1 });
    expect(await invite(recruiter)).toEqual(first);
    const { items } = await worker.api.notifications.list({});
    expect(items).toMatchObject([
      {
        topic: 'application-invited',
        path: `/job-desc/${other.id}`,
        data: {
          jobTitle: other.title,
          businessName: business.name,
          reason: message,
          startsAt: other.startsAt,
        },
      },
    ]);
    const device = app.apiAs(owner.token, { 'idempotency-key': 'invite-once' });
    const input = { jobId: other.id, workerId: worker.accountId };
    expect(await device.invitations.send(input)).toEqual(await device.invitations.send(input));
  });

  it('invites once when two recruiters do it concurrently', async () => {
    const other = await newJob();
    const worker = await app.person();
    await makeApplication(app.db, app.scopeOf(worker), job.id);
    const answers = await Promise.all(
      [owner, recruiter, owner, recruiter].map((by) =>
        by.api.invitations.send({ jobId: other.id, workerId: worker.accountId }),
      ),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect((await worker.api.notifications.list({})).items).toHaveLength(1);
  });

  it('requires an open job and a worker with a history at the business', async () => {
    const unknown = await app.person();
    const invite = (jobId: string, workerId: string) =>
      failure(owner.api.invitations.send({ jobId, workerId }));
    expect(await invite(job.id, unknown.accountId)).toMatchObject({
      status: 422,
      code: 'invitation/unknown-worker',
    });
    expect(await invite(job.id, crypto.randomUUID())).toMatchObject({ code: 'invitation/unknown-worker' });
    expect(await invite(job.id, owner.accountId)).toMatchObject({ code: 'invitation/unknown-worker' });
    expect(await invite(job.id, leila.accountId)).toMatchObject({
      status: 409,
      code: 'invitation/already-applied',
    });
    const closed = await newJob();
    await owner.api.jobs.close({ jobId: closed.id });
    expect(await invite(closed.id, leila.accountId)).toMatchObject({
      status: 409,
      code: 'job/not-open',
      data: { status: 'closed' },
    });
    expect(await invite('x', leila.accountId)).toMatchObject({ status: 400 });
    expect(
      await failure(
        owner.api.invitations.send({ jobId: job.id, workerId: leila.accountId, message: 'x'.repeat(1001) }),
      ),
    ).toMatchObject({ status: 400 });
  });

  it('allows only recruiters of the business', async () => {
    const invite = (api: Person['api']) =>
      failure(api.invitations.send({ jobId: job.id, workerId: leila.accountId }));
    for (const person of [finance, stranger, leila])
      expect(await invite(person.api)).toMatchObject({ status: 403, code: 'job/not-allowed' });
    expect(await invite((await app.person({ verified: false })).api)).toMatchObject({ status: 403 });
    expect(await invite(app.apiAs(null))).toMatchObject({ status: 401 });
  });
});

async function invited() {
  const other = await newJob();
  const worker = await app.person();
  await makeApplication(app.db, app.scopeOf(worker), job.id);
  const request = { jobId: other.id, workerId: worker.accountId, message: 'Come' };
  const { id } = await makeInvitation(app.db, app.scopeOf(owner), request);
  return { job: other, worker, invitationId: id };
}

describe('invitations.mine', () => {
  it("returns the worker's invitations with the job and its status", async () => {
    const { job: other, worker, invitationId } = await invited();
    const mine = async () => (await worker.api.invitations.mine({})).items;
    expect(await mine()).toMatchObject([
      { id: invitationId, status: 'sent', message: 'Come', job: { id: other.id, title: other.title } },
    ]);
    await makeApplication(app.db, app.scopeOf(worker), other.id);
    expect(await mine()).toMatchObject([{ status: 'applied' }]);
    const second = await invited();
    await owner.api.jobs.close({ jobId: second.job.id });
    expect((await second.worker.api.invitations.mine({})).items).toMatchObject([{ status: 'ended' }]);
  });

  it('pages, for the worker only', async () => {
    expect((await stranger.api.invitations.mine({})).items).toEqual([]);
    expect(await failure(stranger.api.invitations.mine({ cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
    expect(await failure(app.apiAs(null).invitations.mine({}))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.invitations.mine({}))).toMatchObject({ status: 403 });
  });
});

describe('invitations.decline', () => {
  it('declines; a repeat is a no-op', async () => {
    const { worker, invitationId } = await invited();
    const device = app.apiAs(worker.token, { 'idempotency-key': 'decline-once' });
    const declined = await device.invitations.decline({ invitationId });
    expect(declined).toMatchObject({ id: invitationId, status: 'declined' });
    expect(await device.invitations.decline({ invitationId })).toEqual(declined);
    expect(await worker.api.invitations.decline({ invitationId })).toEqual(declined);
    const notices = await app.db
      .selectFrom('notifications')
      .select(['accountId', 'data', 'path'])
      .where('topic', '=', 'application-invitation-declined')
      .where('dedupeKey', 'like', `%${invitationId}`)
      .execute();
    expect(notices.length).toBeGreaterThan(0);
    expect(new Set(notices.map((notice) => notice.accountId)).size).toBe(notices.length);
    expect(notices.map((notice) => notice.accountId)).not.toContain(worker.accountId);
    expect(notices[0]).toMatchObject({
      data: { side: 'business', jobTitle: declined.job.title },
      path: `/job-applicants/${declined.job.id}`,
    });
  });

  it('rejects after applying or closing', async () => {
    const invitation = await invited();
    await makeApplication(app.db, app.scopeOf(invitation.worker), invitation.job.id);
    const two = await invited();
    await owner.api.jobs.close({ jobId: two.job.id });
    for (const [{ worker, invitationId }, status] of [
      [invitation, 'applied'],
      [two, 'ended'],
    ] as const)
      expect(await failure(worker.api.invitations.decline({ invitationId }))).toMatchObject({
        status: 409,
        code: 'invitation/wrong-state',
        data: { status },
      });
  });

  it('allows only the worker', async () => {
    const { invitationId } = await invited();
    for (const person of [leila, owner])
      expect(await failure(person.api.invitations.decline({ invitationId }))).toMatchObject({
        status: 404,
        code: 'invitation/not-found',
      });
    expect(await failure(app.apiAs(null).invitations.decline({ invitationId }))).toMatchObject({
      status: 401,
    });
    expect(await failure(leila.api.invitations.decline({ invitationId: 'x' }))).toMatchObject({
      status: 400,
    });
  });
});
