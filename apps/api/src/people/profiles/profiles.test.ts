import type { MemberRole } from '@nearhand/contract/member-roles';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../businesses/businesses.fixtures.ts';
import { makeFile } from '../files/files.fixtures.ts';
import { confirmedNow, signedInEarlier } from '../sign-in/second-step.fixtures.ts';
import { fillProfile } from './profiles.fixtures.ts';

const app = useTestApp();

const home = { label: 'Prinsengracht 263, Amsterdam', lat: 52.3752, lng: 4.884 };

const patch = (person: Person, payload: unknown, headers: Record<string, string> = {}) =>
  app.raw({
    method: 'PATCH',
    url: '/api/profiles/me',
    headers: { authorization: `Bearer ${person.token}`, ...headers },
    payload: payload as never,
  });

describe('profiles.mine', () => {
  it('is empty before anything was saved, and readable before the email is verified', async () => {
    const { api, accountId } = await app.person({ verified: false });
    expect(await api.profiles.mine()).toEqual({
      accountId,
      version: 1,
      name: 'Leila Haddad',
      phone: null,
      bio: '',
      home: null,
      languages: [],
      availability: [],
      weekHoursMax: null,
      skills: [],
      photo: null,
      cv: null,
      findable: 'off',
    });
  });

  it('requires a session', async () => {
    expect(await failure(app.apiAs(null).profiles.mine())).toMatchObject({
      status: 401,
      code: 'session/required',
    });
  });
});

describe('profiles.save', () => {
  it('rejects contact details in the introduction, at its field', async () => {
    const { api } = await app.person();
    expect(await failure(api.profiles.save({ bio: 'Mail me: leila@shore.example' }))).toMatchObject({
      status: 400,
      data: { issues: [{ path: 'bio', rule: 'contact-details' }] },
    });
  });

  it('requires a recent proof to replace or remove a number', async () => {
    const person = await app.person();
    await signedInEarlier(app, person);
    const phone = '+31612345678';
    await person.api.profiles.save({ phone });
    for (const change of [{ phone: '+31687654321', bio: 'Call me' }, { phone: null }])
      expect(await failure(person.api.profiles.save(change))).toMatchObject({
        code: 'session/password-required',
      });
    expect(await person.api.profiles.mine()).toMatchObject({ phone, bio: '' });
    expect(await person.api.profiles.save({ phone, bio: 'Paints.' })).toMatchObject({ bio: 'Paints.' });
    await confirmedNow(app, person);
    expect(await person.api.profiles.save({ phone: '+31687654321' })).toMatchObject({
      phone: '+31687654321',
    });
  });

  it('saves the submitted parts and keeps the rest', async () => {
    const person = await app.person();
    const cv = await makeFile(app.db, app.scopeOf(person));
    const first = await person.api.profiles.save({
      name: 'ليلى حداد',
      phone: '+31 (6) 12-34.56 78',
      cvFileId: cv.id,
    });
    expect(first).toMatchObject({ version: 2, name: 'ليلى حداد', phone: '+31612345678', bio: '', cv });
    const second = await person.api.profiles.save({
      version: 2,
      home,
      bio: 'Coffee 🌿\n\nand people',
      weekHoursMax: 20,
      skills: [
        { skill: 'barista', level: 'beginner', years: 0 },
        { skill: 'barista', level: 'expert', years: 5 },
      ],
    });
    expect(second).toMatchObject({
      version: 3,
      name: 'ليلى حداد',
      phone: '+31612345678',
      home,
      bio: 'Coffee 🌿\n\nand people',
      weekHoursMax: 20,
      skills: [{ skill: 'barista', level: 'expert', years: 5 }],
      cv,
    });
    expect((await person.api.accounts.me()).name).toBe('ليلى حداد');
    const third = await person.api.profiles.save({
      home: null,
      phone: null,
      cvFileId: null,
      weekHoursMax: null,
    });
    expect(third).toMatchObject({ home: null, weekHoursMax: null, phone: null, cv: null, bio: second.bio });
    expect(await person.api.profiles.mine()).toEqual(third);
  });

  it('rejects an outdated version, and keeps one of two concurrent saves', async () => {
    const { api } = await app.person();
    await api.profiles.save({ bio: 'one', version: 1 });
    expect(await failure(api.profiles.save({ bio: 'two', version: 1 }))).toMatchObject({
      status: 409,
      code: 'profile/stale',
    });
    const both = await Promise.allSettled(
      ['three', 'four'].map((bio) => api.profiles.save({ bio, version: 2 })),
    );
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await api.profiles.mine()).version).toBe(3);
  });

  it('runs a repeated save once', async () => {
    const person = await app.person();
    const headers = { 'idempotency-key': 'save-it-once' };
    const first = await patch(person, { bio: 'Hello' }, headers);
    const again = await patch(person, { bio: 'Hello' }, headers);
    expect([first.statusCode, again.statusCode, again.headers['idempotency-replayed']]).toEqual([
      200,
      200,
      'true',
    ]);
    expect(again.json()).toEqual(first.json());
    expect((await person.api.profiles.mine()).version).toBe(2);
    expect((await patch(person, { bio: 'Other' }, headers)).json().code).toBe('idempotency/key-reused');
  });

  it('references only the caller’s own files of the right purpose', async () => {
    const { api, accountId } = await app.person();
    const stranger = await app.person();
    const theirs = await makeFile(app.db, app.scopeOf(stranger));
    const mine = await makeFile(app.db, app.scopeOf({ accountId }));
    const missing = { status: 404, code: 'file/not-found' };
    expect(await failure(api.profiles.save({ cvFileId: theirs.id }))).toMatchObject(missing);
    expect(await failure(api.profiles.save({ cvFileId: crypto.randomUUID() }))).toMatchObject(missing);
    expect(await failure(api.profiles.save({ photoFileId: mine.id }))).toMatchObject({
      status: 422,
      code: 'file/wrong-type',
    });
    expect((await api.profiles.mine()).version).toBe(1);
  });

  it('saves text before the email is verified, for every session, but no files', async () => {
    expect((await failure(app.apiAs(null).profiles.save({ bio: 'x' }))).status).toBe(401);
    const { api } = await app.person({ verified: false });
    const skills = [{ skill: 'barista', level: 'practised', years: 3 } as const];
    await api.profiles.save({ name: 'Leila', skills });
    expect(await api.profiles.mine()).toMatchObject({ name: 'Leila', skills });
    const other = await app.person();
    const { id } = await makeFile(app.db, app.scopeOf(other));
    expect((await failure(api.profiles.save({ cvFileId: id }))).code).toBe('file/not-found');
  });

  it('rejects invalid profiles', async () => {
    const person = await app.person();
    const wrong: unknown[] = [
      { name: '' },
      { name: 'a\u0000b' },
      { name: '\ud800' },
      { bio: 'x'.repeat(peopleLimits.bioMax + 1) },
      { phone: '0612345678' },
      { phone: '+0' },
      { home: { label: 'Here', lat: 91, lng: 0 } },
      { home: { label: '', lat: 1, lng: 1 } },
      { home: { lat: 1, lng: 1 } },
      { skills: [{ skill: 'wizard', level: 'expert', years: 3 }] },
      { skills: [{ skill: 'barista', level: 'expert', years: 1.5 }] },
      { skills: [{ skill: 'barista', level: 'expert', years: -1 }] },
      { languages: [{ code: 'english', level: 'good' }] },
      { availability: [{ day: 'someday', part: 'night' }] },
      { version: 1e30 },
      { cvFileId: 'not-an-id' },
      { skills: 'all of them' },
    ];
    for (const payload of wrong) {
      const response = await patch(person, payload);
      expect([JSON.stringify(payload), response.statusCode, response.json().code]).toEqual([
        JSON.stringify(payload),
        400,
        'request/invalid',
      ]);
    }
  });
});

describe('profiles.worker', () => {
  async function applied(status: 'submitted' | 'withdrawn' = 'submitted') {
    const owner = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const worker = await app.person({ name: 'Sam Okoro' });
    await fillProfile(app.db, app.scopeOf(worker), { home });
    const at = app.clock.now();
    await app.db
      .insertInto('applications')
      .values({
        id: crypto.randomUUID(),
        jobId: job.id,
        businessId: business.id,
        workerId: worker.accountId,
        status,
        submittedAt: at,
        decideBy: at,
        updatedAt: at,
      })
      .execute();
    const member = async (role: MemberRole) => {
      const person = await app.person();
      await makeMember(app.db, app.clock, business.id, person.accountId, role);
      return person;
    };
    return { owner, worker, member };
  }
  const notFound = { status: 404, code: 'profile/not-found' };

  it('shows an applicant to the business, without home, phone or email', async () => {
    const { owner, worker, member } = await applied();
    const card = await owner.api.profiles.worker({ workerId: worker.accountId });
    expect(card).toMatchObject({
      workerId: worker.accountId,
      name: 'Sam Okoro',
      area: 'Amsterdam',
      photoPath: null,
    });
    const cardJson = JSON.stringify(card);
    for (const secret of ['Prinsengracht', '263', '52.37', '4.884', '+31612345678', worker.email])
      expect(cardJson).not.toContain(secret);
    const recruiter = await member('recruiter');
    expect(await recruiter.api.profiles.worker({ workerId: worker.accountId })).toEqual(card);
  });

  it('returns 404 to anyone else', async () => {
    const { owner, worker, member } = await applied();
    const finance = await member('finance');
    const stranger = await app.person();
    const other = await applied('withdrawn');
    for (const [api, workerId] of [
      [finance.api, worker.accountId],
      [stranger.api, worker.accountId],
      [other.owner.api, worker.accountId],
      [other.owner.api, other.worker.accountId],
      [worker.api, worker.accountId],
      [owner.api, crypto.randomUUID()],
    ] as const)
      expect(await failure(api.profiles.worker({ workerId }))).toMatchObject(notFound);
    expect((await failure(owner.api.profiles.worker({ workerId: 'x' as never }))).status).toBe(400);
    expect((await failure(app.apiAs(null).profiles.worker({ workerId: worker.accountId }))).status).toBe(401);
    const { api: unverified } = await app.person({ verified: false });
    expect((await failure(unverified.profiles.worker({ workerId: worker.accountId }))).status).toBe(403);
  });
});
