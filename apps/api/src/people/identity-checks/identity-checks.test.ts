import { addMs, dayMs, subtractMs } from '@nearhand/contract/durations';
import { operatorHeaders } from '@nearhand/contract/operator-context';
import { identityCheckLimits } from '@nearhand/contract/people/identity-checks.rules';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeBusiness } from '../businesses/businesses.fixtures.ts';
import { makeFile } from '../files/files.fixtures.ts';
import { makeIdentityPhotos } from './identity-checks.fixtures.ts';

const app = useTestApp();
let staff: Person;
let colleague: Person;
beforeAll(async () => {
  [staff, colleague] = [await app.person({ name: 'Jonas Weber' }), await app.person({ name: 'Mila Horvat' })];
  await makeOperator(app.db, app, staff);
  await makeOperator(app.db, app, colleague, ['trust']);
});

const photos = (person: Person, document?: 'passport' | 'id_card') =>
  makeIdentityPhotos(app.db, app.scopeOf(person), document);

/** A person whose document is under review. */
async function sent(name = 'Leila Haddad') {
  const person = await app.person({ name });
  const input = await photos(person);
  await person.api.identityChecks.submit(input);
  return { person, input, api: person.api.identityChecks, checkId: await checkOf(person) };
}

async function checkOf(person: Person): Promise<string> {
  const { id } = await app.db
    .selectFrom('identity_checks')
    .select('id')
    .where('accountId', '=', person.accountId)
    .orderBy('submittedAt', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}

const reason = 'The photo is not readable. Please take it in daylight.';
const decide = (
  checkId: string,
  decision: 'verify' | 'request-info' | 'refuse',
  why = decision === 'verify' ? '' : reason,
) => app.working(staff).api.identityChecks.decide({ checkId, decision, reason: why });

const noticesOf = async (person: Person) =>
  (await person.api.notifications.list({})).items.map(({ topic, data }) => ({ topic, data }));

/** The HTTP status when a person reads a photo, with the case or a reason as the console sends it. */
async function look(who: Person, fileId: string, context: Parameters<typeof operatorHeaders>[0] = {}) {
  const { signAccessToken } = await import('../sign-in/access-tokens.ts');
  return app.raw({
    url: `/api/files/${fileId}/content`,
    headers: {
      authorization: `Bearer ${await signAccessToken(app.secret, app.clock, who)}`,
      ...operatorHeaders(context),
    },
  });
}

describe('identityChecks.mine', () => {
  it('is empty at first, and readable before the email is verified', async () => {
    const { api } = await app.person({ verified: false });
    expect(await api.identityChecks.mine()).toEqual({
      status: 'none',
      document: null,
      name: null,
      submittedAt: null,
      decidedAt: null,
      reason: null,
      photosDeletedAt: null,
      decisionId: null,
      maySend: true,
    });
    expect(await failure(app.apiAs(null).identityChecks.mine())).toMatchObject({ status: 401 });
  });
});

describe('identityChecks.submit', () => {
  it('sends the photos to staff, once at a time', async () => {
    const { person, input, api } = await sent();
    expect(await api.mine()).toMatchObject({
      status: 'submitted',
      document: 'id_card',
      name: 'Leila Haddad',
      maySend: false,
      reason: null,
      submittedAt: app.clock.now().toISOString(),
      decidedAt: null,
      photosDeletedAt: null,
    });
    for (const again of [input, await photos(person)])
      expect(await failure(api.submit(again))).toMatchObject({
        status: 409,
        code: 'identity-check/wrong-state',
        data: { status: 'submitted' },
      });
    const { items } = await app.working(staff).api.cases.list({ kind: 'identity', limit: 100 });
    expect(JSON.stringify(items)).not.toContain('Leila');
  });

  it('keeps one of several concurrent ones', async () => {
    const person = await app.person();
    const inputs = [await photos(person), await photos(person), await photos(person)];
    const calls = await Promise.allSettled(inputs.map((input) => person.api.identityChecks.submit(input)));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('rejects guests, unverified emails, users without a name, and incomplete input', async () => {
    const person = await app.person();
    const input = await photos(person);
    expect(await failure(app.apiAs(null).identityChecks.submit(input))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.identityChecks.submit(input))).toMatchObject({ status: 403 });
    const nameless = await app.person({ name: '' });
    expect(await failure(nameless.api.identityChecks.submit(await photos(nameless)))).toMatchObject({
      status: 422,
      code: 'identity-check/name-missing',
    });
    const wrong: object[] = [
      { ...input, document: 'library_card' },
      { ...input, backFileId: null },
      { ...input, document: 'passport' },
      { ...input, selfieFileId: input.frontFileId },
      { ...input, backFileId: input.selfieFileId },
      { ...input, frontFileId: 'no-id' },
      {},
    ];
    for (const one of wrong)
      expect(await failure(person.api.identityChecks.submit(one as typeof input))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    expect((await person.api.identityChecks.mine()).status).toBe('none');
  });

  it("rejects someone else's photo, another kind of file, a missing one and one sent before", async () => {
    const person = await app.person();
    const stranger = await app.person();
    const input = await photos(person);
    const cv = await makeFile(app.db, app.scopeOf(person));
    const submit = (change: object) => failure(person.api.identityChecks.submit({ ...input, ...change }));
    const unknown = { status: 404, code: 'file/not-found' };
    expect(await submit({ selfieFileId: (await photos(stranger)).selfieFileId })).toMatchObject(unknown);
    expect(await submit({ selfieFileId: crypto.randomUUID() })).toMatchObject(unknown);
    expect(await submit({ frontFileId: cv.id })).toMatchObject({ code: 'file/wrong-type' });
    expect((await person.api.identityChecks.mine()).status).toBe('none');
    await person.api.identityChecks.submit(input);
    await decide(await checkOf(person), 'request-info');
    expect(await submit({ frontFileId: (await photos(person)).frontFileId })).toMatchObject(unknown);
  });

  it('accepts pictures only', async () => {
    const { api } = await app.person();
    const upload = (bytes: string, name: string) =>
      failure(api.files.upload({ purpose: 'identity', file: new File([bytes], name) }));
    for (const [bytes, name] of [
      ['%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n', 'passport.pdf'],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'passport.svg'],
      ['not a picture', 'passport.jpg'],
    ] as const)
      expect(await upload(bytes, name)).toMatchObject({ code: 'file/wrong-type' });
    expect(await upload('', 'passport.jpg')).toMatchObject({ code: 'file/unreadable' });
  });

  it('limits submissions per month', async () => {
    const person = await app.person();
    for (let sending = 0; sending < identityCheckLimits.max; sending += 1) {
      await person.api.identityChecks.submit(await photos(person, 'passport'));
      await decide(await checkOf(person), 'refuse');
      app.clock.forward({ minutes: 1 });
    }
    expect(await failure(person.api.identityChecks.submit(await photos(person)))).toMatchObject({
      status: 429,
      code: 'identity-check/too-many',
      data: { retryAfterSeconds: (identityCheckLimits.perDays * dayMs) / 1_000 - 5 * 60 },
    });
    app.clock.forward({ days: identityCheckLimits.perDays });
    await person.api.identityChecks.submit(await photos(person));
  });
});

describe('photos of a document', () => {
  it('are stored encrypted', async () => {
    const { input } = await sent();
    const storedBytes = Buffer.from((await app.fileStore.get(input.frontFileId)) ?? []);
    expect(storedBytes.subarray(0, 10).toString()).toBe('NHS1\u0005tests');
    expect(storedBytes.includes('WEBP')).toBe(false);
  });

  it('are visible only to the operator with the open case, and each view is logged', async () => {
    const { person, input, checkId } = await sent();
    const caseContext = { case: { kind: 'identity', subjectId: checkId } } as const;
    const words = { reason: 'I would like to see this document' };
    const looks = async (who: Person, context = {}) =>
      (await look(who, input.frontFileId, context)).statusCode;
    // The person can't read it either, because a stolen session must not reach it.
    expect(await looks(person)).toBe(404);
    expect(await looks(await app.person())).toBe(404);
    expect([await looks(staff), await looks(staff, words)]).toEqual([404, 404]);
    expect(await looks(staff, caseContext)).toBe(403);
    await staff.api.cases.claim(caseContext.case);
    const { facts } = await staff.api.cases.get(caseContext.case);
    expect(facts).toMatchObject({
      kind: 'identity',
      check: { document: 'id_card', name: 'Leila Haddad', account: { email: person.email }, earlier: [] },
    });
    const photos = facts.kind === 'identity' ? facts.check.photos : [];
    expect(photos.map(({ side }) => side)).toEqual(['front', 'back', 'selfie']);
    expect(photos.map(({ file }) => file.id)).toEqual([
      input.frontFileId,
      input.backFileId,
      input.selfieFileId,
    ]);
    const read = await look(staff, input.frontFileId, caseContext);
    expect(read.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-store',
    });
    expect(await sharp(read.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 640 });
    expect([await looks(colleague, caseContext), await looks(colleague, words)]).toEqual([403, 404]);
    const log = await app.db
      .selectFrom('operator_log')
      .select(['accountId', 'caseSubject'])
      .where('caseSubject', '=', checkId)
      .where('operation', 'like', '%files%')
      .execute();
    expect(log).toEqual([{ accountId: staff.accountId, caseSubject: checkId }]);
    await decide(checkId, 'verify');
    expect([await looks(staff, caseContext), await looks(staff, words)]).not.toContain(200);
  });

  it('are deleted 30 days after the decision, with their bytes', async () => {
    const { input, api, checkId } = await sent();
    await decide(checkId, 'request-info');
    const until = addMs(app.clock.now(), identityCheckLimits.photosKeptDays * dayMs);
    expect(await api.mine()).toMatchObject({ photosDeletedAt: until.toISOString() });
    const storedCount = () => app.fileStore.keys().filter((key) => Object.values(input).includes(key)).length;
    app.clock.set(subtractMs(until, 60_000));
    await app.runDue();
    expect(storedCount()).toBe(3);
    app.clock.set(until);
    await app.runDue();
    await app.runDue();
    expect(storedCount()).toBe(0);
    const rows = await app.db
      .selectFrom('files')
      .select('id')
      .where('id', 'in', [input.frontFileId, input.selfieFileId])
      .execute();
    expect(rows).toEqual([]);
    expect((await api.mine()).status).toBe('needs_info');
  });

  it('that were never sent are deleted after seven days', async () => {
    const input = await photos(await app.person());
    app.clock.forward({ days: 8 });
    const { purgeUnusedFiles } = await import('../files/files.ts');
    await purgeUnusedFiles(app.db, app);
    expect(app.fileStore.keys()).not.toContain(input.frontFileId);
  });
});

describe('the key of the photos', () => {
  it('can be replaced: the earlier one is required until all are encrypted again', async () => {
    const { person, input } = await sent();
    const { reEncryptFiles } = await import('../files/re-encryption.ts');
    const { readFileContent } = await import('../files/files.ts');
    const [old = { id: '', key: Buffer.alloc(0) }] = app.config.DOCUMENT_KEYS ?? [];
    const next = { id: '2027', key: Buffer.alloc(32, 7) };
    const scope = (...keys: (typeof old)[]) => ({
      ...app.scopeOf(staff),
      db: app.db,
      config: { ...app.config, DOCUMENT_KEYS: keys },
      actor: { accountId: staff.accountId, sessionId: '', emailVerified: true, operator: true },
    });
    const caseRef = { kind: 'identity', subjectId: await checkOf(person) } as const;
    await staff.api.cases.claim(caseRef);
    const read = (...keys: (typeof old)[]) => readFileContent(app.db, scope(...keys), input.selfieFileId);
    const before = (await read(old)).bytes;
    expect((await read(next, old)).bytes).toEqual(before);
    await expect(read(next)).rejects.toThrow('DOCUMENT_KEYS has no key tests');
    // Nothing is lost without the earlier key.
    expect(await reEncryptFiles(scope(next))).toMatchObject({ done: 0 });
    expect((await read(old)).bytes).toEqual(before);
    const { done, failed } = await reEncryptFiles(scope(next, old));
    expect([done >= 3, failed]).toEqual([true, 0]);
    expect((await read(next)).bytes).toEqual(before);
    expect(await reEncryptFiles(scope(next, old))).toEqual({ done: 0, failed: 0 });
    expect((await reEncryptFiles(scope(old, next))).done).toBe(done);
  });
});

describe('the appeal of a refused document', () => {
  const appealed = async () => {
    const refused = await sent();
    await decide(refused.checkId, 'refuse');
    const sanctionId = (await refused.api.mine()).decisionId ?? '';
    const words = 'The name is on the second line.';
    const { appeal } = await refused.person.api.appeals.create({ sanctionId, words });
    const caseRef = { kind: 'appeal', subjectId: appeal?.id ?? '' } as const;
    await colleague.api.cases.claim(caseRef);
    const decideAppeal = (outcome: 'upheld' | 'overturned') =>
      app
        .working(colleague)
        .api.appeals.decide({ appealId: caseRef.subjectId, outcome, reason: 'It is there.' });
    const daysLater = async (days: number) => {
      app.clock.forward({ days });
      await app.runDue();
      return app.fileStore.keys().includes(refused.input.selfieFileId);
    };
    return { ...refused, sanctionId, caseRef, decideAppeal, daysLater };
  };

  it('shows another operator the photos, who reverses it: the document is verified', async () => {
    const { person, input, api, checkId, sanctionId, caseRef, decideAppeal } = await appealed();
    expect(await person.api.sanctions.get({ sanctionId })).toMatchObject({
      measure: 'identity_refused',
      rule: 'identity',
      target: { kind: 'identity_check', id: checkId, name: 'id_card' },
    });
    const { facts } = await colleague.api.cases.get(caseRef);
    expect(facts).toMatchObject({
      appeal: {
        reversal: { ends: true, state: 'verified' },
        fromCase: { kind: 'identity', subjectId: checkId },
        evidence: { identity: { status: 'refused', photos: [{}, {}, {}] } },
      },
    });
    const reads = [staff, person, colleague].map(async (reader) => {
      return (await look(reader, input.frontFileId, { case: caseRef })).statusCode;
    });
    expect(await Promise.all(reads)).toEqual([403, 404, 200]);
    await decideAppeal('overturned');
    expect(await api.mine()).toMatchObject({ status: 'verified', reason: null, decisionId: null });
    expect((await noticesOf(person))[0]).toMatchObject({
      topic: 'appeal-decided',
      data: { variant: 'overturned' },
    });
    // A later refusal of a document with another name doesn't end it.
    await person.api.profiles.save({ name: 'Someone Else' });
    app.clock.forward({ minutes: 1 });
    await api.submit(await photos(person));
    await decide(await checkOf(person), 'refuse');
    await person.api.profiles.save({ name: 'Leila Haddad' });
    expect(await api.mine()).toMatchObject({ status: 'verified', maySend: false });
    const record = await app.working(staff).api.staffSearch.get({ kind: 'person', id: person.accountId });
    expect(record.customer?.checks).toContainEqual(
      expect.objectContaining({ check: 'identity', status: 'verified' }),
    );
  });

  it('keeps the photos until it is decided', async () => {
    const { api, decideAppeal, daysLater } = await appealed();
    expect(await daysLater(31)).toBe(true);
    expect(await api.mine()).toMatchObject({ status: 'refused', photosDeletedAt: null });
    await decideAppeal('upheld');
    const nextDay = addMs(app.clock.now(), dayMs).toISOString();
    expect(await api.mine()).toMatchObject({ status: 'refused', photosDeletedAt: nextDay });
    expect(await daysLater(1)).toBe(false);
  });

  it('asks for new photos if it succeeds after they are deleted', async () => {
    const { person, api, checkId } = await sent();
    await decide(checkId, 'refuse');
    const sanctionId = (await api.mine()).decisionId ?? '';
    app.clock.forward({ days: 31 });
    await app.runDue();
    const { appeal } = await person.api.appeals.create({ sanctionId, words: 'It is valid.' });
    const caseRef = { kind: 'appeal', subjectId: appeal?.id ?? '' } as const;
    await colleague.api.cases.claim(caseRef);
    expect((await colleague.api.cases.get(caseRef)).facts).toMatchObject({
      appeal: { reversal: { state: 'needs_info' }, evidence: { identity: { photos: [] } } },
    });
    const reason = 'It may have been valid.';
    const input = { appealId: caseRef.subjectId, outcome: 'overturned', reason } as const;
    await app.working(colleague).api.appeals.decide(input);
    const current = await api.mine();
    expect(current).toMatchObject({ status: 'needs_info', reason, maySend: true });
    // They are gone, so no later day is named.
    expect(Date.parse(current.photosDeletedAt ?? '')).toBeLessThan(app.clock.now().getTime());
    expect((await noticesOf(person))[0]).toMatchObject({ data: { variant: 'copy-needed' } });
  });

  it('ends once a newer document is verified', async () => {
    const { person, api, sanctionId } = await appealed();
    app.clock.forward({ minutes: 1 });
    await api.submit(await photos(person));
    await decide(await checkOf(person), 'verify');
    expect(await person.api.sanctions.get({ sanctionId })).toMatchObject({ ending: 'lifted' });
  });
});

describe('identityChecks.decide', () => {
  it('requests more, then verifies the second submission, and businesses see the check', async () => {
    const { person, api, checkId } = await sent();
    const owner = await app.person();
    const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner));
    const { id: jobId } = await makeJob(app.db, app.scopeOf(owner), businessId);
    await makeApplication(app.db, app.scopeOf(person), jobId);
    const badges = async () => [
      (await owner.api.profiles.worker({ workerId: person.accountId })).checks.identity,
      (await owner.api.applicants.ofJob({ jobId })).items[0]?.worker.checks.identity,
    ];
    expect(await decide(checkId, 'request-info')).toEqual({ checkId, status: 'needs_info' });
    expect(await api.mine()).toMatchObject({ status: 'needs_info', reason, maySend: true });
    app.clock.forward({ minutes: 1 });
    await api.submit(await photos(person, 'passport'));
    expect(await api.mine()).toMatchObject({ status: 'submitted', document: 'passport', reason: null });
    expect(await badges()).toEqual([false, false]);
    const again = { kind: 'identity', subjectId: await checkOf(person) } as const;
    await staff.api.cases.claim(again);
    expect((await staff.api.cases.get(again)).facts).toMatchObject({
      check: { earlier: [{ status: 'needs_info', reason, document: 'id_card' }] },
    });
    await decide(again.subjectId, 'verify');
    expect(await api.mine()).toMatchObject({ status: 'verified', reason: null, maySend: false });
    expect(await badges()).toEqual([true, true]);
    expect(await failure(api.submit(await photos(person)))).toMatchObject({
      code: 'identity-check/wrong-state',
    });
    expect(await noticesOf(person)).toMatchObject([
      { topic: 'identity-document-checked' },
      { topic: 'identity-document-asked', data: { reason } },
    ]);
    // The document showed only one name.
    await person.api.profiles.save({ name: 'Someone Else' });
    expect(await badges()).toEqual([false, false]);
    expect(await api.mine()).toMatchObject({ status: 'changed', name: 'Leila Haddad', maySend: true });
    await person.api.profiles.save({ name: 'Leila Haddad' });
    expect(await badges()).toEqual([true, true]);
  });

  it('rejects with a required reason', async () => {
    const { person, api, checkId } = await sent();
    for (const decision of ['refuse', 'request-info'] as const)
      expect(await failure(decide(checkId, decision, ' '))).toMatchObject({ status: 400 });
    await decide(checkId, 'refuse', 'The document has expired.');
    expect(await api.mine()).toMatchObject({
      status: 'refused',
      reason: 'The document has expired.',
      maySend: true,
    });
    expect(await noticesOf(person)).toMatchObject([
      {
        topic: 'sanction-imposed',
        data: { variant: 'identity_refused', reason: 'The document has expired.' },
      },
    ]);
  });

  it('happens once: a repeat changes nothing, another decision is rejected', async () => {
    const { person, checkId } = await sent();
    await decide(checkId, 'verify');
    app.clock.forward({ minutes: 1 });
    expect(await decide(checkId, 'verify')).toEqual({ checkId, status: 'verified' });
    expect(await failure(decide(checkId, 'refuse'))).toMatchObject({
      status: 409,
      code: 'identity-check/wrong-state',
      data: { status: 'verified' },
    });
    expect(await noticesOf(person)).toHaveLength(1);
    expect(await failure(decide(crypto.randomUUID(), 'verify'))).toMatchObject({
      status: 404,
      code: 'identity-check/not-found',
    });
  });

  it('keeps one of two concurrent decisions', async () => {
    const { person, checkId } = await sent();
    await staff.api.cases.claim({ kind: 'identity', subjectId: checkId });
    const calls = await Promise.allSettled([
      staff.api.identityChecks.decide({ checkId, decision: 'verify', reason: '' }),
      staff.api.identityChecks.decide({ checkId, decision: 'refuse', reason }),
    ]);
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await noticesOf(person)).toHaveLength(1);
  });

  it('allows only operators with the role and the claim, never for themselves', async () => {
    const { person, checkId } = await sent();
    const input = { checkId, decision: 'verify', reason: '' } as const;
    expect(await failure(person.api.identityChecks.decide(input))).toMatchObject({ status: 403 });
    expect(await failure(staff.api.identityChecks.decide(input))).toMatchObject({
      code: 'case/claim-required',
    });
    const support = await app.person();
    await makeOperator(app.db, app, support, ['support']);
    const caseRef = { kind: 'identity', subjectId: checkId } as const;
    expect((await support.api.cases.list({ kind: 'identity' })).items).toEqual([]);
    expect(await failure(support.api.cases.claim(caseRef))).toMatchObject({ status: 404 });
    await colleague.api.identityChecks.submit(await photos(colleague));
    const own = { kind: 'identity', subjectId: await checkOf(colleague) } as const;
    expect(await failure(colleague.api.cases.claim(own))).toMatchObject({ code: 'operator/own-record' });
    const working = app.working(colleague).api;
    expect(await failure(working.identityChecks.decide({ ...input, checkId: own.subjectId }))).toMatchObject({
      code: 'operator/own-record',
    });
    // A case of another kind is not a claim to this one.
    expect(
      await failure(working.cases.get({ kind: 'business_verification', subjectId: checkId })),
    ).toMatchObject({ status: 404 });
  });
});
