import type { MemberRole } from '@nearhand/contract/member-roles';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import type { Files } from '../../platform/tables.gen.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { businessInput, makeBusiness, makeMember } from './businesses.fixtures.ts';
import { businessMoves, nextBusinessStatus } from './businesses.rules.ts';

const app = useTestApp();
const nowhere = '01990000-0000-7000-8000-000000000000';

async function ownerWith(options: Parameters<typeof makeBusiness>[2] = {}) {
  const owner = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(owner), options);
  return { owner, business };
}

async function memberOf(businessId: string, role: MemberRole) {
  const person = await app.person();
  await makeMember(app.db, app.clock, businessId, person.accountId, role);
  return person;
}

const movesOf = (businessId: string) =>
  app.db
    .selectFrom('business_moves')
    .select(['action', 'fromStatus', 'toStatus', 'actor'])
    .where('businessId', '=', businessId)
    .orderBy('at')
    .orderBy('id')
    .execute();

describe('businesses.register', () => {
  it("creates a draft owned by the caller, with its place's time zone and its country's currency", async () => {
    const { api } = await app.person();
    const business = await api.businesses.register(
      businessInput({ lat: 40.7127, lng: -74.0059, countryCode: 'US', phone: '+1 (212) 555-0100' }),
    );
    expect(business).toMatchObject({
      status: 'draft',
      role: 'owner',
      timeZone: 'America/New_York',
      currency: 'USD',
      phone: '+12125550100',
      actions: ['edit', 'submit', 'close', 'create-job'],
      openJobs: 0,
      version: 1,
    });
  });

  it("falls back to euro when we don't pay in the country's currency", async () => {
    const { api } = await app.person();
    expect((await api.businesses.register(businessInput({ countryCode: 'BR' }))).currency).toBe('EUR');
  });

  it('stores invoice details, and rejects invalid ones at their fields', async () => {
    const { api } = await app.person();
    const address = {
      registeredStreet: 'Westerstraat 118',
      registeredPostcode: '1015 mn',
      registeredTown: 'Amsterdam',
    };
    const facts = { registrationNumber: '81264097', vatId: '0044.95.445.B01', ...address };
    expect(await api.businesses.register(businessInput(facts))).toMatchObject({
      ...facts,
      vatId: 'NL004495445B01',
      registeredPostcode: '1015 MN',
    });
    const fieldsOf = async (input: object) =>
      ((await failure(api.businesses.register(businessInput(input)))).data as { issues: object[] }).issues;
    expect(
      await fieldsOf({ registrationNumber: 'abc', vatId: 'DE136695976', ...address, registeredTown: '' }),
    ).toEqual([
      expect.objectContaining({ path: 'registrationNumber', rule: 'registration-number' }),
      expect.objectContaining({ path: 'vatId', rule: 'vat-id' }),
      expect.objectContaining({ path: 'registeredTown', rule: 'missing' }),
    ]);
    expect(await fieldsOf({ ...address, registeredPostcode: '' })).toMatchObject([
      { path: 'registeredPostcode' },
    ]);
    expect(await fieldsOf({ ...address, registeredPostcode: '1015' })).toMatchObject([
      { path: 'registeredPostcode' },
    ]);
  });

  it('rejects a registration number of a verified business in the country', async () => {
    const { api } = await app.person();
    await ownerWith({ registrationNumber: '33410712' });
    const duplicate = {
      status: 400,
      code: 'request/invalid',
      data: { issues: [{ path: 'registrationNumber', rule: 'registration-taken' }] },
    };
    const register = (facts: object) => api.businesses.register(businessInput(facts));
    expect(await failure(register({ registrationNumber: '3341.0712' }))).toMatchObject(duplicate);
    const { id: businessId, version } = await register({ registrationNumber: '' });
    const update = (facts: object) => api.businesses.update({ businessId, version, ...facts });
    expect(await failure(update({ registrationNumber: '3341 0712' }))).toMatchObject(duplicate);
    const estonian = { registrationNumber: '33410712', countryCode: 'EE' };
    expect(await update(estonian)).toMatchObject(estonian);
  });

  it('keeps right-to-left names, and rejects emoji and markup at their field', async () => {
    const { api } = await app.person();
    const name = 'مقهى النيل';
    expect((await api.businesses.register(businessInput({ name }))).name).toBe(name);
    for (const [wrong, rule] of [
      ['مقهى النيل ☕️', 'name-emoji'],
      ['<b>Nile</b>', 'name-markup'],
    ])
      expect(
        (await failure(api.businesses.register(businessInput({ name: wrong ?? '' })))).data,
      ).toMatchObject({ issues: [{ path: 'name', rule }] });
  });

  it('returns the first business for a repeated key', async () => {
    const person = await app.person();
    const api = app.apiAs(person.token, { 'idempotency-key': 'register-once' });
    const first = await api.businesses.register(businessInput());
    expect(await api.businesses.register(businessInput())).toEqual(first);
    expect(await person.api.businesses.mine()).toHaveLength(1);
    expect(await failure(api.businesses.register(businessInput({ name: 'Another' })))).toMatchObject({
      status: 422,
      code: 'idempotency/key-reused',
    });
  });

  it('rejects empty, unverified and malformed calls', async () => {
    expect(await failure(app.apiAs(null).businesses.register(businessInput()))).toMatchObject({
      status: 401,
    });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.businesses.register(businessInput()))).toMatchObject({
      status: 403,
    });
    const { api } = await app.person();
    const bad = [
      { name: '' },
      { name: 'x'.repeat(81) },
      { name: 'a\u0000b' },
      { name: 'half \ud800 pair' },
      { lat: 91 },
      { lng: Number.NaN },
      { countryCode: 'nl' },
      { website: 'javascript:alert(1)' },
      { website: 'https://bank.example@evil.example/' },
      { website: 'https://name:secret@evil.example' },
      { website: 'https://evil.example/\u202egnp.cod' },
      { email: 'no address' },
      { category: 'piracy' as never },
      { logoFileId: 'x' },
    ];
    for (const options of bad)
      expect(await failure(api.businesses.register(businessInput(options)))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
  });

  it("accepts only the caller's pictures: a logo, and a photo as cover", async () => {
    const { api } = await app.person();
    const stranger = await app.person();
    const fileOf = async (accountId: string, purpose: Files['purpose']) => {
      const id = newId(app.clock.now());
      await app.db
        .insertInto('files')
        .values({
          id,
          accountId,
          purpose,
          name: 'a.webp',
          mediaType: 'image/webp',
          bytes: 9,
          createdAt: app.clock.now(),
        })
        .execute();
      return id;
    };
    const foreign = businessInput({ logoFileId: await fileOf(stranger.accountId, 'logo') });
    expect(await failure(api.businesses.register(foreign))).toMatchObject({
      status: 404,
      code: 'file/not-found',
    });
    const photo = businessInput({ logoFileId: await fileOf(stranger.accountId, 'photo') });
    expect(await failure(stranger.api.businesses.register(photo))).toMatchObject({ code: 'file/wrong-type' });
    const own = businessInput({ logoFileId: await fileOf(stranger.accountId, 'logo') });
    const business = await stranger.api.businesses.register(own);
    expect(business.logo).toMatchObject({ id: own.logoFileId, purpose: 'logo' });
    const profile = await app.apiAs(null).businesses.profile({ businessId: business.id });
    expect(profile).toMatchObject({ logoPath: business.logo?.path, coverPath: null });

    const change = { businessId: business.id, version: business.version };
    const covered = (coverFileId: string | null) =>
      stranger.api.businesses.update({ ...change, coverFileId });
    expect(await failure(covered(own.logoFileId))).toMatchObject({ code: 'file/wrong-type' });
    const { cover } = await covered(await fileOf(stranger.accountId, 'photo'));
    expect(cover).toMatchObject({ purpose: 'photo' });
    expect((await app.apiAs(null).businesses.profile({ businessId: business.id })).coverPath).toBe(
      cover?.path,
    );
  });
});

describe('unverified businesses', () => {
  it('are limited per account, even when registered concurrently, not counting verified and closed ones', async () => {
    const owner = await app.person();
    const max = app.config.BUSINESSES_WHILE_UNVERIFIED;
    await makeBusiness(app.db, app.scopeOf(owner), { funded: false });
    const answers = await Promise.allSettled(
      Array.from({ length: max + 3 }, () => owner.api.businesses.register(businessInput())),
    );
    const businesses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(businesses).toHaveLength(max);
    expect(await failure(owner.api.businesses.register(businessInput()))).toMatchObject({
      status: 422,
      code: 'business/too-many',
      data: { limit: max },
    });
    await owner.api.businesses.close({ businessId: businesses[0]?.id ?? '' });
    expect(await owner.api.businesses.register(businessInput())).toMatchObject({ status: 'draft' });
  });
});

describe('businesses.mine', () => {
  it("lists the caller's businesses by name", async () => {
    const { owner, business } = await ownerWith({ name: 'Zeta' });
    await makeBusiness(app.db, app.scopeOf(owner), { name: 'Alpha', verified: false });
    const finance = await memberOf(business.id, 'finance');
    expect((await owner.api.businesses.mine()).map(({ name }) => name)).toEqual(['Alpha', 'Zeta']);
    expect(await finance.api.businesses.mine()).toMatchObject([
      { name: 'Zeta', role: 'finance', actions: [] },
    ]);
    expect(await failure(app.apiAs(null).businesses.mine())).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.businesses.mine())).toMatchObject({ status: 403 });
  });
});

describe('businesses.get', () => {
  it('shows members what their role allows, and strangers nothing', async () => {
    const { owner, business } = await ownerWith();
    expect(business).toMatchObject(await owner.api.businesses.get({ businessId: business.id }));
    const recruiter = await memberOf(business.id, 'recruiter');
    expect((await recruiter.api.businesses.get({ businessId: business.id })).actions).toEqual(['create-job']);
    const stranger = await app.person();
    for (const businessId of [business.id, nowhere])
      expect(await failure(stranger.api.businesses.get({ businessId }))).toMatchObject({
        status: 404,
        code: 'business/not-found',
      });
    expect(await failure(app.apiAs(null).businesses.get({ businessId: business.id }))).toMatchObject({
      status: 401,
    });
    expect(await failure(owner.api.businesses.get({ businessId: 'x' }))).toMatchObject({ status: 400 });
  });
});

describe('businesses.profile', () => {
  it('shows anyone the public fields, and nothing of a closed business', async () => {
    const { owner, business } = await ownerWith({ funded: false });
    await makeJob(app.db, app.scopeOf(owner), business.id, { status: 'draft' });
    const profile = await app.apiAs(null).businesses.profile({ businessId: business.id });
    expect(profile).toMatchObject({ name: business.name, verified: true, openJobs: 0 });
    expect(JSON.stringify(profile)).not.toContain(business.address);
    await owner.api.businesses.close({ businessId: business.id });
    expect(await failure(app.apiAs(null).businesses.profile({ businessId: business.id }))).toMatchObject({
      status: 404,
    });
  });
});

describe('businesses.update', () => {
  it('validates invoice details by country, but keeps details older than the checks', async () => {
    const { owner, business } = await ownerWith({ registrationNumber: '81264097' });
    const { id: businessId } = business;
    const update = (change: object, version: number) =>
      owner.api.businesses.update({ businessId, version, ...change });
    expect(await failure(update({ countryCode: 'BE' }, 1))).toMatchObject({
      status: 400,
      code: 'request/invalid',
      data: { issues: [{ path: 'registrationNumber' }] },
    });
    expect(
      await update({ countryCode: 'BE', registrationNumber: '0417.497.106', vatId: 'BE0417497106' }, 1),
    ).toMatchObject({ countryCode: 'BE', vatId: 'BE0417497106' });
    await app.db
      .updateTable('businesses')
      .set({ registrationNumber: 'abc' })
      .where('id', '=', businessId)
      .execute();
    expect(await update({ description: 'Soup.' }, 2)).toMatchObject({ registrationNumber: 'abc' });
    expect(await failure(update({ vatId: '' }, 3))).toMatchObject({ code: 'request/invalid' });
  });

  it('changes the submitted fields, once per version', async () => {
    const { owner, business } = await ownerWith();
    const edit = { businessId: business.id, version: business.version };
    const changed = await owner.api.businesses.update({ ...edit, description: 'New', website: null });
    expect(changed).toMatchObject({
      description: 'New',
      name: business.name,
      version: 2,
      status: 'verified',
    });
    expect(await failure(owner.api.businesses.update({ ...edit, description: 'Late' }))).toMatchObject({
      status: 409,
      code: 'business/stale',
      data: { version: 2 },
    });
  });

  it('sends a verified business with a new legal name back to verification', async () => {
    const { owner, business } = await ownerWith();
    app.clock.forward({ seconds: 1 });
    const edit = { businessId: business.id, version: business.version };
    const changed = await owner.api.businesses.update({ ...edit, legalName: 'Other BV' });
    expect(changed.status).toBe('submitted');
    expect((await movesOf(business.id)).at(-1)).toEqual({
      action: 'rename',
      fromStatus: 'verified',
      toStatus: 'submitted',
      actor: owner.accountId,
    });
  });

  it("updates its jobs' name and zone", async () => {
    const { owner, business } = await ownerWith();
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const edit = { businessId: business.id, version: business.version };
    const changed = await owner.api.businesses.update({ ...edit, name: 'Koffiehuis', lat: 51.5, lng: -0.12 });
    expect(changed.timeZone).toBe('Europe/London');
    const publicJob = await app.apiAs(null).jobs.get({ jobId: job.id });
    expect(publicJob.business.name).toBe('Koffiehuis');
    expect(publicJob.timeZone).toBe('Europe/Amsterdam');
  });

  it('changes country and currency until there is a job or money', async () => {
    const { owner, business } = await ownerWith({ funded: false });
    const british = { businessId: business.id, countryCode: 'GB' };
    const first = await owner.api.businesses.update({ ...british, version: business.version });
    expect([first.countryCode, first.currency]).toEqual(['GB', 'GBP']);
    await makeJob(app.db, app.scopeOf(owner), business.id, { status: 'draft' });
    const dutch = { businessId: business.id, countryCode: 'NL', version: first.version };
    expect(await failure(owner.api.businesses.update(dutch))).toMatchObject({
      status: 409,
      code: 'business/currency-fixed',
      data: { currency: 'GBP' },
    });
    // A change to another country with the same currency is fine.
    expect((await owner.api.businesses.update({ ...dutch, countryCode: 'JE' })).currency).toBe('GBP');

    const funded = await ownerWith();
    const edit = { businessId: funded.business.id, countryCode: 'GB', version: funded.business.version };
    expect((await failure(funded.owner.api.businesses.update(edit))).code).toBe('business/currency-fixed');
  });

  it('allows only managers and owners', async () => {
    const { business } = await ownerWith();
    const edit = { businessId: business.id, version: business.version, description: 'x' };
    for (const role of ['recruiter', 'finance'] as const) {
      const { api } = await memberOf(business.id, role);
      expect(await failure(api.businesses.update(edit))).toMatchObject({
        status: 403,
        code: 'business/not-allowed',
      });
    }
    const stranger = await app.person();
    expect(await failure(stranger.api.businesses.update(edit))).toMatchObject({ status: 404 });
    const manager = await memberOf(business.id, 'manager');
    expect((await manager.api.businesses.update(edit)).description).toBe('x');
    expect(await failure(app.apiAs(null).businesses.update(edit))).toMatchObject({ status: 401 });
  });
});

describe('businesses.submit', () => {
  it('requests verification once; a repeat is a no-op', async () => {
    const { owner, business } = await ownerWith({ verified: false });
    const request = { businessId: business.id };
    expect(await owner.api.businesses.submit(request)).toMatchObject({ status: 'submitted' });
    expect(await owner.api.businesses.submit(request)).toMatchObject({ status: 'submitted' });
    expect(await movesOf(business.id)).toHaveLength(1);
    const manager = await memberOf(business.id, 'manager');
    expect(await failure(manager.api.businesses.submit(request))).toMatchObject({ status: 403 });
    expect(await failure(app.apiAs(null).businesses.submit(request))).toMatchObject({ status: 401 });
    const stranger = await app.person();
    expect(await failure(stranger.api.businesses.submit(request))).toMatchObject({ status: 404 });
  });

  it('rejects a verified business', async () => {
    const { owner, business } = await ownerWith();
    expect(await failure(owner.api.businesses.submit({ businessId: business.id }))).toMatchObject({
      status: 409,
      code: 'business/wrong-state',
    });
  });
});

describe('businesses.close', () => {
  it('rejects while a job is open', async () => {
    const { owner, business } = await ownerWith({ funded: false });
    const request = { businessId: business.id };
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    expect(await owner.api.businesses.closing(request)).toEqual({
      openJobs: 1,
      jobs: [
        {
          id: job.id,
          title: job.title,
          startsAt: job.startsAt,
          timeZone: job.timeZone,
          currency: business.currency,
          heldMinor: 0,
        },
      ],
      bookedJobs: 0,
      money: [],
      credit: [],
    });
    expect(await failure(owner.api.businesses.close(request))).toMatchObject({
      status: 409,
      code: 'business/has-open-jobs',
      data: { jobs: 1 },
    });
    await owner.api.jobs.close({ jobId: job.id });
    expect(await owner.api.businesses.close(request)).toMatchObject({ status: 'closed', actions: [] });
    expect(await owner.api.businesses.close(request)).toMatchObject({ status: 'closed' });
    const edit = { ...request, version: 1, name: 'x' };
    expect(await failure(owner.api.businesses.update(edit))).toMatchObject({ code: 'business/wrong-state' });
    const stranger = await app.person();
    expect(await failure(stranger.api.businesses.close(request))).toMatchObject({ status: 404 });
    const manager = await memberOf(business.id, 'manager');
    expect(await failure(manager.api.businesses.close(request))).toMatchObject({ status: 403 });
    expect(await failure(manager.api.businesses.closing(request))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.businesses.closing(request))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).businesses.close(request))).toMatchObject({ status: 401 });
  });

  it('closes its open jobs on request, and notifies every other member once', async () => {
    const { owner, business } = await ownerWith({ funded: false });
    const finance = await memberOf(business.id, 'finance');
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const request = { businessId: business.id, closeJobs: true };
    expect(await owner.api.businesses.close(request)).toMatchObject({ status: 'closed' });
    expect(await owner.api.businesses.close(request)).toMatchObject({ status: 'closed' });
    expect(await owner.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'closed' });
    const closedNotices = async (person: typeof owner) =>
      (await person.api.notifications.list({})).items.filter(({ topic }) => topic === 'business-closed');
    expect(await closedNotices(finance)).toMatchObject([{ data: { businessName: business.name } }]);
    expect(await closedNotices(owner)).toEqual([]);
  });

  it('rejects while it holds money', async () => {
    const { owner, business } = await ownerWith();
    const reference = { businessId: business.id };
    expect(await failure(owner.api.businesses.close(reference))).toMatchObject({
      status: 409,
      code: 'business/has-money',
    });
    const [{ availableMinor: amountMinor = 0 } = {}] = (await owner.api.wallet.get(reference)).balances;
    await owner.api.charges.refund({ ...reference, amountMinor, currency: business.currency });
    expect((await owner.api.businesses.closing(reference)).money).toEqual([
      {
        currency: business.currency,
        balanceMinor: 0,
        heldMinor: 0,
        onItsWayMinor: amountMinor,
        owedMinor: 0,
      },
    ]);
    // The money is being refunded to the card.
    expect(await failure(owner.api.businesses.close(reference))).toMatchObject({
      code: 'business/has-money',
    });
    await app.runDue();
    expect(await owner.api.businesses.close(reference)).toMatchObject({ status: 'closed' });
    const [card] = (await owner.api.wallet.get(reference)).cards;
    const request = { ...reference, amountMinor: 500, currency: business.currency, cardId: card?.id ?? '' };
    expect(await failure(owner.api.wallet.topUp(request))).toMatchObject({
      status: 409,
      code: 'business/wrong-state',
    });
  });
});

describe('businesses.closing', () => {
  it('lists booked work and its held money until the shift is over', async () => {
    const { owner, business } = await ownerWith();
    const worker = await app.person();
    const sides = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    const { terms } = await makeEngagement(app.db, sides, business.id, { headCount: 1 });
    const closing = () => owner.api.businesses.closing({ businessId: business.id });
    expect(await closing()).toMatchObject({
      openJobs: 0,
      bookedJobs: 1,
      money: [{ currency: business.currency, heldMinor: terms.holdMinor, onItsWayMinor: 0 }],
    });
    app.clock.set(terms.endsAt ?? '');
    // The hours are still to be paid, but no job is left to close.
    expect(await closing()).toMatchObject({ bookedJobs: 0, money: [{ heldMinor: terms.holdMinor }] });
  });
});

describe('business rules', () => {
  it('let only an operator verify, and nothing leave closed', () => {
    for (const [from, action, who] of businessMoves) {
      if (action === 'verify') expect(who).toBe('operator');
      expect(from).not.toBe('closed');
    }
    expect(nextBusinessStatus('submitted', 'verify', 'business')).toBeNull();
    expect(nextBusinessStatus('verified', 'verify', 'operator')).toBe('verified');
    expect(nextBusinessStatus('closed', 'submit', 'business')).toBeNull();
  });
});
