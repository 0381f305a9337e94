import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile, pdfBytes } from '../../people/files/files.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeApplication } from './applications.fixtures.ts';

const app = useTestApp();
let owner: Person;
let finance: Person;
let business: Business;
let job: Job;
beforeAll(async () => {
  owner = await app.person();
  finance = await app.person();
  business = await makeBusiness(app.db, app.scopeOf(owner));
  job = await makeJob(app.db, app.scopeOf(owner), business.id);
  await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
});

const profileOf = (person: Person, options: object = {}) =>
  app.db
    .insertInto('profiles')
    .values({
      accountId: person.accountId,
      phone: '+31612345678',
      bio: 'Barista for six years.',
      homeLabel: 'Oost, Amsterdam',
      homeLat: 52.3612,
      homeLng: 4.9321,
      skills: JSON.stringify([{ skill: 'barista', level: 'expert', years: 6 }]),
      languages: JSON.stringify([{ code: 'nl', level: 'fluent' }]),
      updatedAt: app.clock.now(),
      ...options,
    })
    .execute();

describe('applications.mine', () => {
  it("lists the worker's own newest first, page by page, live and ended separately", async () => {
    const leila = await app.person();
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const otherJob = await makeJob(app.db, app.scopeOf(owner), business.id);
      sent.unshift((await makeApplication(app.db, app.scopeOf(leila), otherJob.id)).id);
      if (n % 2 === 0) app.clock.forward({ seconds: 1 });
    }
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await leila.api.applications.mine({ limit: 2, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    // Ids begin with their time.
    expect(ids).toEqual([...sent].sort().reverse());
    await leila.api.applications.withdraw({ applicationId: sent[1] ?? '' });
    const ended = await leila.api.applications.mine({ group: 'ended' });
    expect(ended.items.map(({ id }) => id)).toEqual([sent[1]]);
    expect((await leila.api.applications.mine({ group: 'live' })).items).toHaveLength(4);
  });

  it('returns nothing to other workers, and rejects forged cursors and strangers', async () => {
    const other = await app.person();
    expect(await other.api.applications.mine({})).toEqual({ items: [], nextCursor: null });
    expect(await failure(other.api.applications.mine({ cursor: 'zzz' }))).toMatchObject({
      status: 400,
      code: 'request/bad-cursor',
    });
    expect(await failure(other.api.applications.mine({ group: 'all' as never }))).toMatchObject({
      status: 400,
    });
    expect(await failure(app.apiAs(null).applications.mine({}))).toMatchObject({ status: 401 });
  });
});

describe('applications.get', () => {
  it('allows only the worker', async () => {
    const leila = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), job.id);
    expect(await leila.api.applications.get({ applicationId })).toMatchObject({ id: applicationId });
    for (const person of [await app.person(), owner])
      expect(await failure(person.api.applications.get({ applicationId }))).toMatchObject({
        status: 404,
        code: 'application/not-found',
      });
    expect(await failure(app.apiAs(null).applications.get({ applicationId }))).toMatchObject({ status: 401 });
  });

  it("shows today's questions while they can be answered, and the original ones after that", async () => {
    const questionsWith = (prompt: string) => [
      { prompt, kind: 'text' as const, choices: [], required: false },
    ];
    const askingJob = await makeJob(app.db, app.scopeOf(owner), business.id, {
      questions: questionsWith('Old'),
    });
    const leila = await app.person();
    const answers = [{ questionId: askingJob.questions[0]?.id ?? '', value: 'Yes' }];
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), askingJob.id, {
      answers,
    });
    await owner.api.jobs.update({
      jobId: askingJob.id,
      version: askingJob.version,
      questions: questionsWith('New'),
    });
    const promptsOf = async () =>
      (await leila.api.applications.get({ applicationId })).job.questions.map(({ prompt }) => prompt);
    expect(await promptsOf()).toEqual(['New']);
    const viewed = await owner.api.applicants.view({ applicationId });
    expect(viewed).toMatchObject({ answers, questions: [{ prompt: 'Old' }] });
    expect(await promptsOf()).toEqual(['Old']);
  });
});

describe('applicants.ofJob', () => {
  it('shows recruiters the applicants, without contact details and with a rough distance', async () => {
    const place = await makeJob(app.db, app.scopeOf(owner), business.id);
    const leila = await app.person({ name: 'Leila Haddad' });
    await profileOf(leila);
    const cv = await makeFile(app.db, app.scopeOf(leila));
    const sent = await makeApplication(app.db, app.scopeOf(leila), place.id, { cvFileId: cv.id });
    const page = await owner.api.applicants.ofJob({ jobId: place.id });
    expect(page.nextCursor).toBeNull();
    expect(page.items).toEqual([
      expect.objectContaining({
        id: sent.id,
        status: 'submitted',
        actions: ['view', 'shortlist', 'reject', 'propose-interview', 'offer'],
        cv,
        jobTitle: place.title,
        distanceM: 4000,
        worker: {
          workerId: leila.accountId,
          name: 'Leila Haddad',
          photoPath: null,
          bio: 'Barista for six years.',
          area: 'Oost, Amsterdam',
          languages: [{ code: 'nl', level: 'fluent' }],
          availability: [],
          weekHoursMax: null,
          skills: [{ skill: 'barista', level: 'expert', years: 6 }],
          checks: { phone: false, identity: false, certificates: [] },
          rating: { count: 0, averageTenths: null },
        },
      }),
    ]);
    expect(JSON.stringify(page)).not.toMatch(/31612345678|@example|52\.36|4\.93/);
  });

  it('shows the town of a home and never the street', async () => {
    const place = await makeJob(app.db, app.scopeOf(owner), business.id);
    const leila = await app.person();
    await profileOf(leila, { homeLabel: 'Keizersgracht 12, 1015 Amsterdam' });
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), place.id);
    const views = [
      await owner.api.applicants.ofJob({ jobId: place.id }),
      await owner.api.applicants.ofWorker({ workerId: leila.accountId }),
      await owner.api.applicants.view({ applicationId }),
      await owner.api.profiles.worker({ workerId: leila.accountId }),
    ];
    expect(JSON.stringify(views)).not.toMatch(/Keizersgracht|1015/);
  });

  it('shows only the name of a withdrawn applicant', async () => {
    const place = await makeJob(app.db, app.scopeOf(owner), business.id);
    const leila = await app.person({ name: 'Leila Haddad' });
    const photo = await makeFile(app.db, app.scopeOf(leila));
    await profileOf(leila, { photo_file_id: photo.id });
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), place.id);
    await leila.api.applications.withdraw({ applicationId });
    const [seen] = (await owner.api.applicants.ofJob({ jobId: place.id })).items;
    expect(seen).toMatchObject({
      status: 'withdrawn',
      distanceM: null,
      cv: null,
      coverNote: '',
      answers: [],
    });
    expect(seen?.worker).toEqual({
      workerId: leila.accountId,
      name: 'Leila Haddad',
      photoPath: null,
      bio: '',
      area: null,
      languages: [],
      availability: [],
      weekHoursMax: null,
      skills: [],
      checks: { phone: false, identity: false, certificates: [] },
      rating: { count: 0, averageTenths: null },
    });
    expect(await failure(owner.api.applicants.ofWorker({ workerId: leila.accountId }))).toMatchObject({
      status: 404,
      code: 'profile/not-found',
    });
  });

  it('has no distance without a home and no profile without one', async () => {
    const place = await makeJob(app.db, app.scopeOf(owner), business.id);
    await makeApplication(app.db, app.scopeOf(await app.person()), place.id);
    expect((await owner.api.applicants.ofJob({ jobId: place.id })).items[0]).toMatchObject({
      distanceM: null,
      worker: { bio: '', area: null, skills: [] },
    });
  });

  it('pages newest first, separates live from ended, and has nothing to read for a withdrawn one', async () => {
    const place = await makeJob(app.db, app.scopeOf(owner), business.id);
    const people = await Promise.all([1, 2, 3].map(() => app.person()));
    const applicationIds: string[] = [];
    for (const person of people)
      applicationIds.push((await makeApplication(app.db, app.scopeOf(person), place.id)).id);
    const [first] = people;
    const mine = await first?.api.applications.mine({});
    await first?.api.applications.withdraw({ applicationId: mine?.items[0]?.id ?? '' });
    const list = { jobId: place.id, sort: 'newest' } as const;
    const page = await owner.api.applicants.ofJob({ ...list, limit: 2 });
    expect(page.items).toHaveLength(2);
    const rest = await owner.api.applicants.ofJob({ ...list, cursor: page.nextCursor ?? '' });
    expect([...page.items, ...rest.items].map(({ id }) => id)).toEqual([...applicationIds].sort().reverse());
    const ended = await owner.api.applicants.ofJob({ jobId: place.id, group: 'ended' });
    expect(ended.items).toMatchObject([
      { status: 'withdrawn', coverNote: '', answers: [], cv: null, actions: [] },
    ]);
  });

  it('allows only recruiters of the business', async () => {
    const stranger = await app.person();
    expect(await failure(finance.api.applicants.ofJob({ jobId: job.id }))).toMatchObject({
      status: 403,
      code: 'job/not-allowed',
    });
    expect((await failure(stranger.api.applicants.ofJob({ jobId: job.id }))).status).toBe(403);
    const draft = await makeJob(app.db, app.scopeOf(owner), business.id, { status: 'draft' });
    for (const jobId of [draft.id, crypto.randomUUID()])
      expect(await failure(stranger.api.applicants.ofJob({ jobId }))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).applicants.ofJob({ jobId: job.id }))).toMatchObject({
      status: 401,
    });
    expect(await failure(owner.api.applicants.ofJob({ jobId: job.id, cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });
});

describe('applicants.ofBusiness', () => {
  it('shows recruiters the applicants for all jobs', async () => {
    const hirer = await app.person();
    const cafe = await makeBusiness(app.db, app.scopeOf(hirer));
    const firstJob = await makeJob(app.db, app.scopeOf(hirer), cafe.id);
    const secondJob = await makeJob(app.db, app.scopeOf(hirer), cafe.id);
    const leila = await app.person();
    await makeApplication(app.db, app.scopeOf(leila), firstJob.id);
    app.clock.forward({ seconds: 1 });
    await makeApplication(app.db, app.scopeOf(leila), secondJob.id);
    const { items } = await hirer.api.applicants.ofBusiness({ businessId: cafe.id });
    expect(items.map(({ jobId }) => jobId)).toEqual([secondJob.id, firstJob.id]);
  });

  it('allows only recruiters of the business', async () => {
    const of = (person: Person) => failure(person.api.applicants.ofBusiness({ businessId: business.id }));
    expect(await of(finance)).toMatchObject({ status: 403, code: 'business/not-allowed' });
    expect(await of(await app.person())).toMatchObject({ status: 404, code: 'business/not-found' });
    const bare = app.apiAs(null).applicants.ofBusiness({ businessId: business.id });
    expect(await failure(bare)).toMatchObject({ status: 401 });
  });
});

describe('applicants.ofWorker', () => {
  it("returns a worker's applications only to businesses where the caller recruits", async () => {
    const leila = await app.person();
    const mine = await makeApplication(app.db, app.scopeOf(leila), job.id);
    const hirer = await app.person();
    const cafe = await makeBusiness(app.db, app.scopeOf(hirer));
    await makeApplication(
      app.db,
      app.scopeOf(leila),
      (await makeJob(app.db, app.scopeOf(hirer), cafe.id)).id,
    );
    const applications = await owner.api.applicants.ofWorker({ workerId: leila.accountId });
    expect(applications.map(({ id }) => id)).toEqual([mine.id]);
  });

  it('returns 404 to everyone else', async () => {
    const leila = await app.person();
    await makeApplication(app.db, app.scopeOf(leila), job.id);
    for (const person of [await app.person(), finance, leila])
      expect(await failure(person.api.applicants.ofWorker({ workerId: leila.accountId }))).toMatchObject({
        status: 404,
        code: 'profile/not-found',
      });
    const bare = app.apiAs(null).applicants.ofWorker({ workerId: leila.accountId });
    expect(await failure(bare)).toMatchObject({ status: 401 });
    expect(await failure(owner.api.applicants.ofWorker({ workerId: 'me' }))).toMatchObject({ status: 400 });
  });
});

describe('applicants.view', () => {
  it('marks the application as viewed once and notifies the worker', async () => {
    const leila = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), job.id);
    const view = await owner.api.applicants.view({ applicationId });
    expect(view).toMatchObject({
      status: 'viewed',
      viewedAt: app.clock.now().toISOString(),
      actions: ['shortlist', 'reject', 'propose-interview', 'offer'],
    });
    app.clock.forward({ minutes: 1 });
    expect(await owner.api.applicants.view({ applicationId })).toEqual(view);
    const mine = await leila.api.applications.get({ applicationId });
    expect(mine).toMatchObject({ status: 'viewed', actions: ['withdraw'] });
    expect(mine.steps.map(({ status }) => status)).toEqual(['submitted', 'viewed']);
    const { items } = await leila.api.notifications.list({});
    expect(items).toMatchObject([
      {
        topic: 'application-viewed',
        path: `/tabs/menu/my-work/${applicationId}`,
        data: { businessName: business.name },
      },
    ]);
  });

  it('marks it once when two recruiters open it concurrently', async () => {
    const leila = await app.person();
    const manager = await app.person();
    await makeMember(app.db, app.clock, business.id, manager.accountId, 'manager');
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), job.id);
    const views = await Promise.all(
      [owner, manager, owner, manager].map(({ api }) => api.applicants.view({ applicationId })),
    );
    expect(new Set(views.map(({ version }) => version))).toEqual(new Set([1]));
    expect((await leila.api.applications.get({ applicationId })).steps).toHaveLength(2);
  });

  it('rejects a withdrawn application', async () => {
    const leila = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), job.id);
    await leila.api.applications.withdraw({ applicationId });
    expect(await failure(owner.api.applicants.view({ applicationId }))).toMatchObject({
      status: 409,
      code: 'application/wrong-state',
    });
  });

  it('allows only recruiters of the business', async () => {
    const leila = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), job.id);
    const view = (person: Person) => failure(person.api.applicants.view({ applicationId }));
    expect(await view(await app.person())).toMatchObject({ status: 404, code: 'application/not-found' });
    for (const person of [finance, leila])
      expect(await view(person)).toMatchObject({ status: 403, code: 'application/not-allowed' });
    expect(await failure(app.apiAs(null).applicants.view({ applicationId }))).toMatchObject({
      status: 401,
    });
  });
});

describe('a CV attached to an application', () => {
  it('opens for recruiters of that business until the application is withdrawn', async () => {
    const leila = await app.person();
    const cv = await makeFile(app.db, app.scopeOf(leila));
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), job.id, {
      cvFileId: cv.id,
    });
    const open = async (person: Person) =>
      app.raw({ url: `/api${cv.path}`, headers: { authorization: `Bearer ${person.token}` } });
    const opened = await open(owner);
    expect(opened.statusCode).toBe(200);
    expect(Buffer.from(pdfBytes()).equals(opened.rawPayload)).toBe(true);
    expect((await open(finance)).statusCode).toBe(404);
    expect((await open(await app.person())).statusCode).toBe(404);
    await leila.api.applications.withdraw({ applicationId });
    expect((await open(owner)).statusCode).toBe(404);
    expect((await open(leila)).statusCode).toBe(200);
  });
});
