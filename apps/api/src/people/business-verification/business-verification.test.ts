import { addMs, dayMs } from '@nearhand/contract/durations';
import { operatorHeaders } from '@nearhand/contract/operator-context';
import { businessProofLimits } from '@nearhand/contract/people/business-verification.rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workingHeaders } from '../../../test/contract-operations.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { startDnsServer, type Zone } from '../../platform/domain-verification/dns-server.fixtures.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeBusiness, makeMember } from '../businesses/businesses.fixtures.ts';
import { makeFile } from '../files/files.fixtures.ts';
import { purgeUnusedFiles } from '../files/files.ts';

const zone: Zone = new Map();
let dns: Awaited<ReturnType<typeof startDnsServer>>;
const app = useTestApp(async () => {
  dns = await startDnsServer(zone);
  return { DOMAIN_DNS_SERVERS: dns.address };
});
afterAll(() => dns.close());

let staff: Person;
beforeAll(async () => {
  staff = await app.person({ name: 'Operator' });
  await makeOperator(app.db, app, staff);
});

const document = (person: Person) => makeFile(app.db, app.scopeOf(person), { purpose: 'business' });

async function draft(change: object = {}) {
  const owner = await app.person({ name: 'Nadia Brandt' });
  const business = await makeBusiness(app.db, app.scopeOf(owner), {
    verified: false,
    funded: false,
    ...change,
  });
  return { owner, businessId: business.id, api: owner.api.businessVerification };
}

/** Adds a person to the business with a role other than owner. */
async function member(businessId: string, role: 'manager' | 'recruiter' | 'finance') {
  const person = await app.person();
  await makeMember(app.db, app.clock, businessId, person.accountId, role);
  return person;
}

const decide = async (
  businessId: string,
  decision: 'verify' | 'request-info' | 'reject',
  reason = decision === 'verify' ? '' : 'The registration number is missing.',
  who = staff,
) => {
  await who.api.cases.claim({ kind: 'business_verification', subjectId: businessId });
  const { version } = await who.api.businessVerification.review({ businessId });
  const rule = decision === 'reject' ? 'identity' : null;
  return who.api.businessVerification.decide({ businessId, version, decision, reason, rule });
};

/** Claims a case and returns the version to decide about. */
async function claimed(businessId: string): Promise<number> {
  await staff.api.cases.claim({ kind: 'business_verification', subjectId: businessId });
  return (await staff.api.businessVerification.review({ businessId })).version;
}

async function noticesOf(person: Person) {
  await app.runDue();
  const { items } = await person.api.notifications.list({});
  return items.map(({ topic, data }) => ({ topic, data }));
}

describe('businessVerification.get', () => {
  it('allows only owners and managers', async () => {
    const { businessId, api } = await draft();
    expect(await api.get({ businessId })).toMatchObject({
      businessId,
      status: 'draft',
      documents: [],
      domain: null,
      reason: null,
      submittedAt: null,
      maySubmit: true,
      mayChange: true,
    });
    const manager = await member(businessId, 'manager');
    expect(await manager.api.businessVerification.get({ businessId })).toMatchObject({ maySubmit: false });
    for (const role of ['recruiter', 'finance'] as const) {
      const { api: other } = await member(businessId, role);
      expect(await failure(other.businessVerification.get({ businessId }))).toMatchObject({
        status: 403,
        code: 'business/not-allowed',
      });
    }
    expect(await failure(staff.api.businessVerification.get({ businessId }))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).businessVerification.get({ businessId }))).toMatchObject({
      status: 401,
    });
  });
});

describe('businessVerification.addDocument', () => {
  it('adds one that only staff can read', async () => {
    const { owner, businessId, api } = await draft();
    const file = await document(owner);
    const { documents } = await api.addDocument({ businessId, fileId: file.id, kind: 'registration' });
    expect(documents).toMatchObject([{ kind: 'registration', file: { id: file.id, purpose: 'business' } }]);
    const status = async (person: Person, headers: Record<string, string> = {}) =>
      (
        await app.raw({
          method: 'GET',
          url: `/api${file.path}`,
          headers: { ...headers, authorization: `Bearer ${await tokenOf(person)}` },
        })
      ).statusCode;
    const manager = await member(businessId, 'manager');
    const recruiter = await member(businessId, 'recruiter');
    expect(await status(staff, workingHeaders)).toBe(200);
    expect(await status(staff)).toBe(404);
    expect(await status(await app.person(), workingHeaders)).toBe(404);
    expect(await status(owner)).toBe(200);
    expect(await status(manager)).toBe(200);
    expect(await status(recruiter)).toBe(404);
    expect(await status(await app.person())).toBe(404);
  });

  it('survives the daily cleanup while the business uses it', async () => {
    const { owner, businessId, api } = await draft();
    const ownersDocument = await document(owner);
    const loose = await document(owner);
    await api.addDocument({ businessId, fileId: ownersDocument.id, kind: 'registration' });
    const later = { now: () => addMs(app.clock.now(), 8 * dayMs) };
    await purgeUnusedFiles(app.db, { clock: later, fileStore: app.fileStore });
    expect(app.fileStore.keys()).toContain(ownersDocument.id);
    expect(app.fileStore.keys()).not.toContain(loose.id);
  });

  it('rejects foreign, unsuitable and repeated files, and more than ten', async () => {
    const { owner, businessId, api } = await draft();
    const stranger = await app.person();
    const add = async (fileId: string) => api.addDocument({ businessId, fileId, kind: 'other' });
    expect(await failure(add((await document(stranger)).id))).toMatchObject({ code: 'file/not-found' });
    expect(await failure(add((await makeFile(app.db, app.scopeOf(owner))).id))).toMatchObject({
      code: 'file/wrong-type',
    });
    const file = await document(owner);
    await add(file.id);
    expect(await failure(add(file.id))).toMatchObject({ code: 'file/not-found' });
    for (let count = 1; count < businessProofLimits.documents; count += 1)
      await add((await document(owner)).id);
    expect(await failure(add((await document(owner)).id))).toMatchObject({
      status: 422,
      code: 'business-proof/too-many',
      data: { limit: businessProofLimits.documents },
    });
  });
});

describe('businessVerification.removeDocument', () => {
  it('removes one, except during review', async () => {
    const { owner, businessId, api } = await draft();
    const { documents } = await api.addDocument({
      businessId,
      fileId: (await document(owner)).id,
      kind: 'tax',
    });
    const documentId = documents[0]?.id ?? '';
    await owner.api.businesses.submit({ businessId });
    expect(await failure(api.removeDocument({ businessId, documentId }))).toMatchObject({
      status: 409,
      code: 'business/wrong-state',
    });
    await decide(businessId, 'request-info');
    expect((await api.removeDocument({ businessId, documentId })).documents).toEqual([]);
    expect(await failure(api.removeDocument({ businessId, documentId }))).toMatchObject({
      status: 404,
      code: 'business-proof/not-found',
    });
  });
});

describe('asking for verification again', () => {
  it('rejects an unchanged request, and accepts one with a document or other details', async () => {
    const { owner, businessId, api } = await draft();
    await owner.api.businesses.submit({ businessId });
    const nothing = { status: 409, code: 'business/nothing-added' };
    for (const decision of ['request-info', 'reject'] as const) {
      app.clock.forward({ minutes: 1 });
      await decide(businessId, decision);
      app.clock.forward({ minutes: 1 });
      expect(await failure(owner.api.businesses.submit({ businessId }))).toMatchObject(nothing);
      if (decision === 'request-info') {
        await api.addDocument({ businessId, fileId: (await document(owner)).id, kind: 'registration' });
      } else {
        const { version } = await owner.api.businesses.get({ businessId });
        await owner.api.businesses.update({ businessId, version, registrationNumber: '12345678' });
      }
      await owner.api.businesses.submit({ businessId });
    }
  });
});

describe('businessVerification.startDomain', () => {
  it('returns a token for a domain in any spelling, and keeps it for the same one', async () => {
    const { businessId, api } = await draft();
    const { domain } = await api.startDomain({
      businessId,
      domain: 'https://www.Café-Lindengracht.example/menu?x=1',
    });
    expect(domain).toMatchObject({
      domain: 'xn--caf-lindengracht-dqb.example',
      checkedAt: null,
      problem: null,
    });
    const again = await api.startDomain({ businessId, domain: 'café-lindengracht.example' });
    expect(again.domain?.token).toBe(domain?.token);
    const other = await api.startDomain({ businessId, domain: 'other.example' });
    expect(other.domain?.token).not.toBe(domain?.token);
  });

  it('rejects an invalid domain', async () => {
    const { businessId, api } = await draft();
    for (const domain of [
      '',
      'localhost',
      '127.0.0.1',
      'http://[::1]/',
      'a b.example',
      'x'.repeat(300),
      'ftp://a.example',
    ])
      expect(await failure(api.startDomain({ businessId, domain })), domain).toMatchObject({ status: 400 });
  });
});

describe('businessVerification.checkDomain', () => {
  it('finds the DNS record and detects its removal', async () => {
    const { businessId, api } = await draft();
    expect(await failure(api.checkDomain({ businessId }))).toMatchObject({
      code: 'business-proof/not-found',
    });
    const { domain } = await api.startDomain({ businessId, domain: 'lindengracht.test' });
    zone.set('_nearhand.lindengracht.test', { txt: [`nearhand-verification=${domain?.token}`] });
    expect((await api.checkDomain({ businessId })).domain).toMatchObject({
      method: 'dns',
      checkedAt: app.clock.now().toISOString(),
      problem: null,
    });
    expect(await failure(api.checkDomain({ businessId }))).toMatchObject({
      status: 429,
      code: 'business-proof/too-soon',
    });
    zone.clear();
    app.clock.forward({ seconds: businessProofLimits.recheckSeconds });
    expect((await api.checkDomain({ businessId })).domain).toMatchObject({
      method: null,
      checkedAt: null,
      problem: 'unreachable',
    });
  });

  it('calls no address inside our network', async () => {
    const { businessId, api } = await draft();
    await api.startDomain({ businessId, domain: 'inside.test' });
    zone.set('inside.test', { a: ['169.254.169.254'] });
    expect((await api.checkDomain({ businessId })).domain).toMatchObject({ problem: 'private' });
  });

  it('ignores the result when the domain changed in the meantime', async () => {
    const { owner, businessId, api } = await draft();
    const { domain } = await api.startDomain({ businessId, domain: 'first.test' });
    zone.set('first.test', { txt: [`nearhand-verification=${domain?.token}`] });
    const { lookAtDomain, checkDomain } = await import('./business-verification.ts');
    const looked = await lookAtDomain(app.scopeOf(owner), { businessId }, app.db);
    await api.startDomain({ businessId, domain: 'second.test' });
    const after = await app.db
      .transaction()
      .execute((tx) => checkDomain(tx, app.scopeOf(owner), { businessId }, looked));
    expect(after.domain).toMatchObject({ domain: 'second.test', checkedAt: null });
  });
});

describe('the queue', () => {
  it("lists submitted businesses, except the operator's own", async () => {
    const { owner, businessId } = await draft();
    const colleague = await app.person();
    await makeOperator(app.db, app, colleague, ['trust']);
    await makeMember(app.db, app.clock, businessId, colleague.accountId);
    const kind = 'business_verification' as const;
    const queued = async (who: Person) =>
      (await who.api.cases.list({ kind, limit: 100 })).items.some(
        ({ subjectId }) => subjectId === businessId,
      );
    expect(await queued(staff)).toBe(false);
    await owner.api.businesses.submit({ businessId });
    expect([await queued(staff), await queued(colleague)]).toEqual([true, false]);
    const own = { status: 403, code: 'operator/own-record' };
    expect(await failure(colleague.api.cases.claim({ kind, subjectId: businessId }))).toMatchObject(own);
    const looking = await withReason(colleague);
    expect(await failure(looking.businessVerification.review({ businessId }))).toMatchObject(own);
    await staff.api.cases.claim({ kind, subjectId: businessId });
    expect((await staff.api.cases.get({ kind, subjectId: businessId })).facts).toMatchObject({
      kind,
      review: { businessId, status: 'submitted' },
    });
  });
});

describe('businessVerification.review', () => {
  it('returns the evidence, the owners and the history', async () => {
    const { owner, businessId, api } = await draft();
    await api.addDocument({ businessId, fileId: (await document(owner)).id, kind: 'registration' });
    await api.startDomain({ businessId, domain: 'evidence.test' });
    await owner.api.businesses.submit({ businessId });
    const looking = await withReason(staff);
    expect(await looking.businessVerification.review({ businessId })).toMatchObject({
      status: 'submitted',
      legalName: 'Lindengracht Horeca BV',
      documents: [{ kind: 'registration' }],
      domain: { domain: 'evidence.test', checkedAt: null },
      owners: [{ name: 'Nadia Brandt', email: owner.email, phoneChecked: false }],
      history: [{ action: 'submit', status: 'submitted', by: 'business' }],
    });
    const secondDraft = await draft({ name: 'Lindengracht Two', registrationNumber: '3341.0712' });
    const { version } = await owner.api.businesses.get({ businessId });
    await owner.api.businesses.update({ businessId, version, registrationNumber: '33410712' });
    expect((await looking.businessVerification.review({ businessId })).sameRegistration).toEqual([
      { businessId: secondDraft.businessId, name: 'Lindengracht Two', status: 'draft' },
    ]);
    const missing = { businessId: crypto.randomUUID() };
    expect(await failure(looking.businessVerification.review(missing))).toMatchObject({ status: 404 });
    expect(await failure(owner.api.businessVerification.review({ businessId }))).toMatchObject({
      status: 403,
    });
  });
});

describe('businessVerification.decide', () => {
  it('requests more, then verifies, and notifies owners and managers each time', async () => {
    const { owner, businessId, api } = await draft();
    const manager = await member(businessId, 'manager');
    await owner.api.businesses.submit({ businessId });
    const waitingBusinesses = async () =>
      (await staff.api.cases.counts()).find(({ kind }) => kind === 'business_verification')?.answered ?? 0;
    const before = await waitingBusinesses();
    expect(await decide(businessId, 'request-info')).toMatchObject({ status: 'needs_info' });
    expect(await api.get({ businessId })).toMatchObject({
      status: 'needs_info',
      reason: 'The registration number is missing.',
      maySubmit: true,
    });
    for (const person of [owner, manager])
      expect(JSON.stringify(await noticesOf(person))).toContain('The registration number is missing.');
    const isListed = async (query: { waiting?: 'true' }) =>
      (await staff.api.cases.closed({ ...query, limit: 100 })).items.some(
        (item) => item.subjectId === businessId,
      );
    expect([await isListed({ waiting: 'true' }), await isListed({})]).toEqual([true, false]);
    expect(await waitingBusinesses()).toBe(before + 1);
    await api.addDocument({ businessId, fileId: (await document(owner)).id, kind: 'registration' });
    await owner.api.businesses.submit({ businessId });
    expect([await isListed({ waiting: 'true' }), await isListed({})]).toEqual([false, true]);
    expect(await api.get({ businessId })).toMatchObject({ status: 'submitted', reason: null });
    const { history } = await decide(businessId, 'verify');
    expect(history.map(({ status, by }) => [status, by])).toEqual([
      ['submitted', 'business'],
      ['needs_info', 'staff'],
      ['submitted', 'business'],
      ['verified', 'staff'],
    ]);
    expect((await noticesOf(owner)).map(({ topic }) => topic)).toEqual([
      'business-verified',
      'business-info-asked',
    ]);
  });

  it('requires a reason unless it verifies, and a rule if it rejects', async () => {
    const { owner, businessId } = await draft();
    await owner.api.businesses.submit({ businessId });
    const request = { businessId, version: await claimed(businessId) };
    const decideWith = (input: object) =>
      failure(staff.api.businessVerification.decide({ ...request, ...input } as never));
    for (const decision of ['reject', 'request-info'] as const)
      expect(await decideWith({ decision, reason: ' ' })).toMatchObject({ status: 400 });
    for (const [decision, rule] of [
      ['reject', null],
      ['request-info', 'identity'],
      ['verify', 'identity'],
    ] as const)
      expect(await decideWith({ decision, reason: 'No.', rule })).toMatchObject({
        status: 400,
        data: { issues: [{ path: 'rule' }] },
      });
  });

  it('rejects with a statement of reasons that another operator can reverse', async () => {
    const { owner, businessId, api } = await draft();
    const recruiter = await member(businessId, 'recruiter');
    await owner.api.businesses.submit({ businessId });
    const reason = 'This registration belongs to another company.';
    await decide(businessId, 'reject', reason);
    expect(await api.get({ businessId })).toMatchObject({ status: 'rejected', reason, maySubmit: true });
    for (const person of [owner, recruiter]) {
      const [decision] = (await person.api.sanctions.mine({})).items;
      expect(decision).toMatchObject({
        measure: 'verification_refused',
        rule: 'identity',
        facts: reason,
        target: { kind: 'business', id: businessId },
        appealUntil: expect.any(String),
      });
      expect((await person.api.accounts.me()).restrictions).toMatchObject([
        {
          sanctionId: decision?.id,
          business: { id: businessId },
          scope: null,
          rule: 'identity',
          endsAt: null,
        },
      ]);
      expect((await noticesOf(person)).map(({ topic }) => topic)).toEqual(['sanction-imposed']);
    }
    const [{ id: sanctionId } = { id: '' }] = (await owner.api.sanctions.mine({})).items;
    const { appeal } = await owner.api.appeals.create({ sanctionId, words: 'It is ours since May.' });
    const appealId = appeal?.id ?? '';
    expect(await failure(staff.api.cases.claim({ kind: 'appeal', subjectId: appealId }))).toMatchObject({
      code: 'operator/own-record',
    });
    const second = await app.person();
    await makeOperator(app.db, app, second);
    await second.api.cases.claim({ kind: 'appeal', subjectId: appealId });
    const { facts } = await second.api.cases.get({ kind: 'appeal', subjectId: appealId });
    expect(facts).toMatchObject({
      appeal: {
        evidence: {
          payout: null,
          business: {
            businessId,
            status: 'rejected',
            owners: [{ name: 'Nadia Brandt' }],
            history: [{ action: 'submit' }, { action: 'reject', reason }],
          },
        },
      },
    });
    await second.api.appeals.decide({ appealId, outcome: 'overturned', reason: 'You are right.' });
    expect(await api.get({ businessId })).toMatchObject({ status: 'submitted' });
    expect((await owner.api.accounts.me()).restrictions).toEqual([]);
    const claim = { kind: 'business_verification', subjectId: businessId } as const;
    expect(await failure(staff.api.cases.claim(claim))).toMatchObject({ code: 'operator/own-record' });
    await decide(businessId, 'verify', '', second);
    expect(await api.get({ businessId })).toMatchObject({ status: 'verified' });
  });

  it('decides again after a rejected business has corrected its details, which stays hidden until then', async () => {
    const { owner, businessId, api } = await draft();
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    const anyone = await app.person();
    await owner.api.businesses.submit({ businessId });
    await decide(businessId, 'reject');
    await app.runDue();
    await api.addDocument({ businessId, fileId: (await document(owner)).id, kind: 'registration' });
    expect(await owner.api.businesses.submit({ businessId })).toMatchObject({
      status: 'resubmitted',
      actions: expect.not.arrayContaining(['create-job', 'submit']),
    });
    await app.runDue();
    expect(await failure(anyone.api.jobs.get({ jobId: job.id }))).toMatchObject({ code: 'job/not-found' });
    await decide(businessId, 'request-info', 'The extract is older than three months.');
    expect(await api.get({ businessId })).toMatchObject({
      status: 'rejected',
      reason: 'The extract is older than three months.',
      maySubmit: true,
    });
    await owner.api.businesses.submit({ businessId });
    await decide(businessId, 'reject', 'It is still older than three months.');
    expect((await owner.api.sanctions.mine({})).items).toHaveLength(2);
    await owner.api.businesses.submit({ businessId });
    await decide(businessId, 'verify');
    await app.runDue();
    expect(await anyone.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'open' });
    expect((await owner.api.sanctions.mine({})).items.map(({ ending }) => ending)).toEqual([
      'lifted',
      'lifted',
    ]);
  });

  it('hides the open jobs of a business that it rejects', async () => {
    const { owner, businessId } = await draft();
    const job = await makeJob(app.db, app.scopeOf(owner), businessId);
    const anyone = await app.person();
    expect(await anyone.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'open' });
    await owner.api.businesses.submit({ businessId });
    await decide(businessId, 'reject');
    await app.runDue();
    expect(await failure(anyone.api.jobs.get({ jobId: job.id }))).toMatchObject({ code: 'job/not-found' });
    expect(await owner.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'suspended' });
  });

  it('decides only on the version that the operator read', async () => {
    const { owner, businessId } = await draft();
    await owner.api.businesses.submit({ businessId });
    const version = await claimed(businessId);
    await owner.api.businesses.update({ businessId, version, legalName: 'Somebody Else BV' });
    expect(
      await failure(
        staff.api.businessVerification.decide({ businessId, version, decision: 'verify', reason: '' }),
      ),
    ).toMatchObject({ status: 409, code: 'business/stale', data: { version: version + 1 } });
  });

  it('accepts one of two concurrent decisions', async () => {
    const { owner, businessId } = await draft();
    await owner.api.businesses.submit({ businessId });
    const request = { businessId, version: await claimed(businessId) };
    const calls = await Promise.allSettled([
      staff.api.businessVerification.decide({ ...request, decision: 'verify', reason: '' }),
      staff.api.businessVerification.decide({
        ...request,
        decision: 'reject',
        reason: 'No such company.',
        rule: 'real-jobs',
      }),
    ]);
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await noticesOf(owner)).length).toBe(1);
  });

  it("is required again for a new legal name, and rejects what wasn't submitted", async () => {
    const { owner, businessId } = await draft();
    expect(await failure(decide(businessId, 'verify'))).toMatchObject({ code: 'case/not-found' });
    await owner.api.businesses.submit({ businessId });
    const { version } = await decide(businessId, 'verify');
    await owner.api.businesses.update({ businessId, version, legalName: 'Lindengracht Holding BV' });
    const { items } = await staff.api.cases.list({ kind: 'business_verification', limit: 100 });
    expect(items.map(({ subjectId }) => subjectId)).toContain(businessId);
  });
});

/** An operator who views data for a reason, without a claim. */
const withReason = async (person: Person) =>
  app.apiAs(await tokenOf(person), operatorHeaders({ reason: 'A question about this business' }));

const tokenOf = async (person: Person) => {
  const { signAccessToken } = await import('../sign-in/access-tokens.ts');
  return signAccessToken(app.secret, app.clock, person);
};
