import { addMs } from '@nearhand/contract/durations';
import { operatorHeaders } from '@nearhand/contract/operator-context';
import type { CertificateKind } from '@nearhand/contract/people/certificates.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeBusiness } from '../businesses/businesses.fixtures.ts';
import { makeFile } from '../files/files.fixtures.ts';

const app = useTestApp();
let staff: Person;
beforeAll(async () => {
  staff = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, staff);
});

const dayAfter = (days: number) =>
  addMs(app.clock.now(), days * 86_400_000)
    .toISOString()
    .slice(0, 10);
const copy = async (person: Person) =>
  (await makeFile(app.db, app.scopeOf(person), { purpose: 'certificate', name: 'proof.pdf' })).id;

/** A person whose certificate is under review. */
async function sent(options: { days?: number; kind?: CertificateKind } = {}) {
  const { days = 365, kind = 'first_aid' } = options;
  const person = await app.person({ name: 'Leila Haddad' });
  const input = { kind, expiresOn: dayAfter(days), fileId: await copy(person) };
  const [one] = await person.api.certificates.add(input);
  return { person, input, api: person.api.certificates, certificateId: one?.id ?? '' };
}

const decide = (certificateId: string, decision: 'confirm' | 'refuse', reason = '') =>
  app.working(staff).api.certificates.decide({ certificateId, decision, reason });
const noticesOf = async (person: Person) =>
  (await person.api.notifications.list({})).items.map(({ topic, data }) => ({ topic, data }));

/** A business that the person applied to, and its view of them. */
async function readsAsBusiness(person: Person) {
  const owner = await app.person();
  const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner));
  const { id: jobId } = await makeJob(app.db, app.scopeOf(owner), businessId, { kind: 'task' });
  await makeApplication(app.db, app.scopeOf(person), jobId);
  return async () => {
    const { checks } = await owner.api.profiles.worker({ workerId: person.accountId });
    const applicant = (await owner.api.applicants.ofJob({ jobId })).items[0]?.worker.checks;
    expect(applicant).toEqual(checks);
    return checks.certificates;
  };
}

describe('certificates.mine', () => {
  it('is empty at first, and readable before the email is verified', async () => {
    const { api } = await app.person({ verified: false });
    expect(await api.certificates.mine()).toEqual([]);
    expect(await failure(app.apiAs(null).certificates.mine())).toMatchObject({ status: 401 });
  });
});

describe('certificates.add', () => {
  it('sends one of each kind to staff, encrypted', async () => {
    const { person, input, api, certificateId } = await sent();
    expect(await api.mine()).toEqual([
      {
        id: certificateId,
        kind: 'first_aid',
        status: 'submitted',
        expiresOn: input.expiresOn,
        submittedAt: app.clock.now().toISOString(),
        decidedAt: null,
        reason: null,
        decisionId: null,
        isForAnotherName: false,
      },
    ]);
    for (const fileId of [input.fileId, await copy(person)])
      expect(await failure(api.add({ ...input, fileId }))).toMatchObject({
        status: 409,
        code: 'certificate/wrong-state',
        data: { status: 'submitted' },
      });
    expect(await failure(api.add({ ...input, kind: 'food_hygiene', fileId: input.fileId }))).toMatchObject({
      status: 404,
      code: 'file/not-found',
    });
    await api.add({ ...input, kind: 'food_hygiene', fileId: await copy(person) });
    expect(await api.mine()).toHaveLength(2);
    expect(Buffer.from((await app.fileStore.get(input.fileId)) ?? []).includes('%PDF')).toBe(false);
    const { items } = await app.working(staff).api.cases.list({ kind: 'certificate', limit: 100 });
    expect(items.filter(({ tag }) => tag === 'food_hygiene')).toHaveLength(1);
    expect(JSON.stringify(items)).not.toContain('Leila');
  });

  it('rejects a past date, one too far ahead and an invalid one', async () => {
    const person = await app.person();
    const input = { kind: 'first_aid', fileId: await copy(person) } as const;
    const add = (expiresOn: string) => failure(person.api.certificates.add({ ...input, expiresOn }));
    expect(await add(dayAfter(-1))).toMatchObject({ status: 422, code: 'certificate/expired' });
    expect(await add('2046-11-22')).toMatchObject({
      status: 422,
      code: 'certificate/too-far',
      data: { latest: '2046-11-21' },
    });
    for (const day of ['9999-12-31', '2046-12-01'])
      expect(await add(day)).toMatchObject({ code: 'certificate/too-far' });
    for (const day of ['', 'tomorrow', '2027-02-30', '2027-1-1', '27-01-01', '2027-01-01T00:00:00Z'])
      expect(await add(day)).toMatchObject({ status: 400, code: 'request/invalid' });
    expect(await person.api.certificates.mine()).toEqual([]);
    await person.api.certificates.add({ ...input, expiresOn: dayAfter(0) });
  });

  it("rejects guests, unverified emails, a missing name, another kind of file and someone else's", async () => {
    const person = await app.person();
    const stranger = await app.person();
    const nameless = await app.person({ name: '' });
    const unverified = await app.person({ verified: false });
    const input = { kind: 'first_aid', expiresOn: dayAfter(90), fileId: await copy(person) } as const;
    const add = (who: Person['api'], change: object = {}) =>
      failure(who.certificates.add({ ...input, ...change }));
    expect(await add(app.apiAs(null))).toMatchObject({ status: 401 });
    expect(await add(unverified.api)).toMatchObject({ status: 403 });
    expect(await add(nameless.api, { fileId: await copy(nameless) })).toMatchObject({
      code: 'certificate/name-missing',
    });
    expect(await add(stranger.api)).toMatchObject({ status: 404, code: 'file/not-found' });
    expect(await add(person.api, { fileId: crypto.randomUUID() })).toMatchObject({ code: 'file/not-found' });
    const cv = await makeFile(app.db, app.scopeOf(person));
    expect(await add(person.api, { fileId: cv.id })).toMatchObject({ code: 'file/wrong-type' });
    expect(await add(person.api, { kind: 'pilot' })).toMatchObject({ status: 400 });
    const text = new File(['no certificate'], 'proof.pdf');
    expect(await failure(person.api.files.upload({ purpose: 'certificate', file: text }))).toMatchObject({
      code: 'file/wrong-type',
    });
  });

  it('keeps one of several concurrent ones', async () => {
    const person = await app.person();
    const files = [await copy(person), await copy(person), await copy(person)];
    const calls = await Promise.allSettled(
      files.map((fileId) =>
        person.api.certificates.add({ kind: 'first_aid', expiresOn: dayAfter(9), fileId }),
      ),
    );
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('certificates.decide', () => {
  it('confirms: businesses see the expiry date, never the copy', async () => {
    const { person, input, api, certificateId } = await sent();
    const asBusiness = await readsAsBusiness(person);
    expect(await asBusiness()).toEqual([]);
    expect(await decide(certificateId, 'confirm')).toEqual({ certificateId, status: 'checked' });
    expect(await asBusiness()).toEqual([{ kind: 'first_aid', until: input.expiresOn }]);
    expect(await api.mine()).toMatchObject([{ status: 'checked', reason: null }]);
    expect(await noticesOf(person)).toMatchObject([
      { topic: 'certificate-checked', data: { variant: 'first_aid', by: input.expiresOn } },
    ]);
    await person.api.profiles.save({ name: 'Someone Else' });
    expect(await asBusiness()).toEqual([]);
    expect(await api.mine()).toMatchObject([{ isForAnotherName: true }]);
  });

  it('rejects with a reason and allows another upload', async () => {
    const { person, input, api, certificateId } = await sent();
    expect(await failure(decide(certificateId, 'refuse', ' '))).toMatchObject({ status: 400 });
    await decide(certificateId, 'refuse', 'The date on the certificate is another one.');
    expect(await api.mine()).toMatchObject([
      { status: 'refused', reason: 'The date on the certificate is another one.' },
    ]);
    expect(await noticesOf(person)).toMatchObject([
      { topic: 'sanction-imposed', data: { variant: 'certificate_refused', mode: 'account' } },
    ]);
    app.clock.forward({ minutes: 1 });
    await api.add({ ...input, fileId: await copy(person) });
    expect((await api.mine()).map(({ status }) => status)).toEqual(['submitted', 'refused']);
  });

  it('happens once, not after the last day, and never by the holder', async () => {
    const { certificateId, person } = await sent();
    await decide(certificateId, 'confirm');
    expect(await decide(certificateId, 'confirm')).toMatchObject({ status: 'checked' });
    expect(await failure(decide(certificateId, 'refuse', 'No.'))).toMatchObject({
      status: 409,
      code: 'certificate/wrong-state',
      data: { status: 'checked' },
    });
    expect(await noticesOf(person)).toHaveLength(1);
    expect(await failure(decide(crypto.randomUUID(), 'confirm'))).toMatchObject({ status: 404 });
    const late = await sent({ days: 1 });
    app.clock.forward({ days: 2 });
    expect(await failure(decide(late.certificateId, 'confirm'))).toMatchObject({
      code: 'certificate/expired',
    });
    await decide(late.certificateId, 'refuse', 'It has expired.');
    const [own] = await staff.api.certificates.add({
      kind: 'first_aid',
      expiresOn: dayAfter(90),
      fileId: await copy(staff),
    });
    const subjectId = own?.id ?? '';
    expect(await failure(decide(subjectId, 'confirm'))).toMatchObject({ code: 'operator/own-record' });
    expect(await failure(staff.api.cases.claim({ kind: 'certificate', subjectId }))).toMatchObject({
      code: 'operator/own-record',
    });
  });

  it('allows only operators with the claim, who alone read the copy', async () => {
    const { person, input, certificateId } = await sent();
    const { signAccessToken } = await import('../sign-in/access-tokens.ts');
    const read = async (who: Person, context = {}) => {
      const token = await signAccessToken(app.secret, app.clock, who);
      return app.raw({
        url: `/api/files/${input.fileId}/content`,
        headers: { authorization: `Bearer ${token}`, ...operatorHeaders(context) },
      });
    };
    const caseRef = { kind: 'certificate', subjectId: certificateId } as const;
    const confirm = { certificateId, decision: 'confirm', reason: '' } as const;
    expect(await failure(person.api.certificates.decide(confirm))).toMatchObject({ status: 403 });
    expect(await failure(staff.api.certificates.decide(confirm))).toMatchObject({
      code: 'case/claim-required',
    });
    expect((await read(person)).statusCode).toBe(404);
    expect((await read(staff, { reason: 'I would like to see this one' })).statusCode).toBe(404);
    await staff.api.cases.claim(caseRef);
    expect((await staff.api.cases.get(caseRef)).facts).toMatchObject({
      kind: 'certificate',
      certificate: { name: 'Leila Haddad', expiresOn: input.expiresOn, identityChecked: false },
    });
    const response = await read(staff, { case: caseRef });
    expect(response.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect(response.headers['content-disposition']).toMatch(/^attachment/);
    await staff.api.certificates.decide(confirm);
    expect((await read(staff, { case: caseRef })).statusCode).not.toBe(200);
  });
});

describe('the appeal of a refused certificate', () => {
  const appealed = async (days = 365) => {
    const refused = await sent({ days });
    await decide(refused.certificateId, 'refuse', 'The date on the certificate is another one.');
    const [certificate] = await refused.api.mine();
    const sanctionId = certificate?.decisionId ?? '';
    const words = 'It says 2027 on the back.';
    const { appeal } = await refused.person.api.appeals.create({ sanctionId, words });
    const second = app.working(await app.person({ name: 'Mila Horvat' }));
    await makeOperator(app.db, app, second);
    const caseRef = { kind: 'appeal', subjectId: appeal?.id ?? '' } as const;
    await second.api.cases.claim(caseRef);
    const overturn = () =>
      second.api.appeals.decide({ appealId: caseRef.subjectId, outcome: 'overturned', reason: 'Right.' });
    return { ...refused, sanctionId, second, caseRef, overturn };
  };

  it('is a statement of reasons that another operator reverses: the certificate is confirmed', async () => {
    const { person, input, api, sanctionId, second, caseRef, overturn } = await appealed();
    expect(await person.api.sanctions.get({ sanctionId })).toMatchObject({
      measure: 'certificate_refused',
      rule: 'identity',
      target: { kind: 'certificate', name: 'first_aid' },
    });
    const { facts, people } = await second.api.cases.get(caseRef);
    expect(people).toMatchObject([{ name: 'Leila Haddad' }]);
    expect(facts).toMatchObject({
      appeal: {
        reversal: { ends: true, state: 'checked' },
        fromCase: { kind: 'certificate' },
        evidence: { certificate: { status: 'refused', file: { id: input.fileId } } },
      },
    });
    await overturn();
    const asBusiness = await readsAsBusiness(person);
    expect(await asBusiness()).toEqual([{ kind: 'first_aid', until: input.expiresOn }]);
    expect(await api.mine()).toMatchObject([{ status: 'checked', reason: null, decisionId: null }]);
  });

  it('keeps the copy past its 30 days until the appeal is decided', async () => {
    const { input, second, caseRef } = await appealed();
    const daysLater = async (days: number) => {
      app.clock.forward({ days });
      await app.runDue();
      return app.fileStore.keys().includes(input.fileId);
    };
    expect(await daysLater(31)).toBe(true);
    await second.api.appeals.decide({ appealId: caseRef.subjectId, outcome: 'upheld', reason: 'No.' });
    expect(await daysLater(1)).toBe(false);
  });

  it('asks for a new copy if it succeeds after the copy is deleted', async () => {
    const { person, input, api, certificateId } = await sent();
    await decide(certificateId, 'refuse', 'The date on the certificate is another one.');
    const sanctionId = (await api.mine())[0]?.decisionId ?? '';
    app.clock.forward({ days: 31 });
    await app.runDue();
    await app.working(staff).api.sanctions.lift({ sanctionId, reason: 'The date is right.' });
    expect(await api.mine()).toMatchObject([{ status: 'needs_copy', reason: null, decisionId: null }]);
    expect((await noticesOf(person))[0]).toMatchObject({
      topic: 'sanction-ended',
      data: { variant: 'copy-needed' },
    });
    const [newer] = await api.add({ ...input, fileId: await copy(person) });
    await decide(newer?.id ?? '', 'confirm');
    expect(await api.mine()).toMatchObject([{ id: newer?.id, status: 'checked' }]);
  });

  it('ends the refusals of earlier ones of its kind, not of later ones', async () => {
    const { person, input, api } = await sent();
    const refusals: string[] = [];
    for (const reason of ['Unreadable.', 'Cut off.', 'Another name.']) {
      if (refusals.length > 0) await api.add({ ...input, fileId: await copy(person) });
      const [latest] = await api.mine();
      await decide(latest?.id ?? '', 'refuse', reason);
      refusals.push((await api.mine())[0]?.decisionId ?? '');
      app.clock.forward({ minutes: 1 });
    }
    await app.working(staff).api.sanctions.lift({ sanctionId: refusals[1] ?? '', reason: 'It is whole.' });
    const endings = [];
    for (const sanctionId of refusals) endings.push((await person.api.sanctions.get({ sanctionId })).ending);
    expect(endings).toEqual(['lifted', 'lifted', null]);
  });

  it.each([
    ['after its last day', 1, (): Promise<unknown> => Promise.resolve(app.clock.forward({ days: 3 }))],
    [
      'once a newer one is confirmed',
      365,
      async ({ person, input, api }: Awaited<ReturnType<typeof appealed>>) => {
        app.clock.forward({ minutes: 1 });
        const [newer] = await api.add({ ...input, fileId: await copy(person) });
        await decide(newer?.id ?? '', 'confirm');
      },
    ],
  ])('changes nothing %s', async (_, days, change) => {
    const refused = await appealed(days);
    await change(refused);
    await refused.overturn();
    const rows = await refused.api.mine();
    expect(rows.find(({ id }) => id === refused.certificateId)).toMatchObject({ status: 'refused' });
  });

  it('opens the copy only for the operator of the appeal, and outlives a deleted certificate', async () => {
    const { person, input, certificateId, sanctionId, second, caseRef } = await appealed();
    const { signAccessToken } = await import('../sign-in/access-tokens.ts');
    const read = async (who: Person) => {
      const token = await signAccessToken(app.secret, app.clock, who);
      const headers = { authorization: `Bearer ${token}`, ...operatorHeaders({ case: caseRef }) };
      return (await app.raw({ url: `/api/files/${input.fileId}/content`, headers })).statusCode;
    };
    expect([await read(second), await read(person)]).toEqual([200, 404]);
    await person.api.certificates.remove({ certificateId });
    expect(await person.api.sanctions.get({ sanctionId })).toMatchObject({ target: { id: null, name: '' } });
    const { facts } = await second.api.cases.get(caseRef);
    expect(facts).toMatchObject({ appeal: { evidence: { certificate: null }, reversal: { state: null } } });
  });
});

describe('the end of a certificate', () => {
  it('sends reminders 30 and 7 days before, then hides it from businesses', async () => {
    const { person, input, api, certificateId } = await sent({ days: 60 });
    await decide(certificateId, 'confirm');
    const asBusiness = await readsAsBusiness(person);
    const end = Date.parse(`${input.expiresOn}T00:00:00Z`) + 86_400_000;
    const at = async (days: number, minutes = 0) => {
      app.clock.set(new Date(end - days * 86_400_000 + minutes * 60_000));
      await app.runDue();
      return (await noticesOf(person)).filter(({ topic }) => topic === 'certificate-expiring').length;
    };
    expect([await at(31), await at(30), await at(8), await at(7)]).toEqual([0, 1, 1, 2]);
    await at(0, -1);
    expect(await asBusiness()).toEqual([{ kind: 'first_aid', until: input.expiresOn }]);
    await at(0);
    expect(await asBusiness()).toEqual([]);
    expect(await api.mine()).toMatchObject([{ status: 'expired' }]);
    expect((await noticesOf(person))[0]).toMatchObject({ topic: 'certificate-expired' });
    // The copy was deleted 30 days after the decision.
    expect(app.fileStore.keys()).not.toContain(input.fileId);
  });

  it('sends no reminder after a newer one was checked', async () => {
    const { person, api, certificateId } = await sent({ days: 40 });
    await decide(certificateId, 'confirm');
    app.clock.forward({ minutes: 1 });
    const until = dayAfter(400);
    const [newer] = await api.add({ kind: 'first_aid', expiresOn: until, fileId: await copy(person) });
    const asBusiness = await readsAsBusiness(person);
    expect(await asBusiness()).toHaveLength(1);
    await decide(newer?.id ?? '', 'confirm');
    expect(await asBusiness()).toEqual([{ kind: 'first_aid', until }]);
    expect(await api.mine()).toHaveLength(1);
    app.clock.forward({ days: 45 });
    await app.runDue();
    expect((await noticesOf(person)).map(({ topic }) => topic)).not.toContain('certificate-expiring');
    expect(await asBusiness()).toHaveLength(1);
  });
});

describe('certificates.remove', () => {
  it('deletes it with its copy at once, in any state, for its owner only', async () => {
    const { person, input, certificateId, api } = await sent();
    const other = await app.person();
    expect(await failure(other.api.certificates.remove({ certificateId }))).toMatchObject({
      status: 404,
      code: 'certificate/not-found',
    });
    await decide(certificateId, 'confirm');
    const asBusiness = await readsAsBusiness(person);
    expect(await api.remove({ certificateId })).toEqual([]);
    expect(await asBusiness()).toEqual([]);
    await app.runDue();
    expect(app.fileStore.keys()).not.toContain(input.fileId);
    expect(await failure(api.remove({ certificateId }))).toMatchObject({ status: 404 });
    expect(await failure(decide(certificateId, 'confirm'))).toMatchObject({ status: 404 });
  });
});
