import type { MemberRole } from '@nearhand/contract/member-roles';
import { card } from '@nearhand/contract/money/cards';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { insertMember } from '../../people/businesses/members.sql.ts';
import { cardToken, testCards } from '../sandbox/sandbox.fixtures.ts';
import { fundBusiness, makeCard } from '../wallet/wallet.fixtures.ts';

const app = useTestApp();
const nowhere = '01a1fbbc-d019-79f0-8086-994049deb373';

async function cast() {
  const owner = await app.person();
  const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner), { funded: false });
  const member = async (role: MemberRole): Promise<Person> => {
    const person = await app.person();
    await app.db.transaction().execute((tx) =>
      insertMember(tx, {
        businessId,
        accountId: person.accountId,
        role,
        createdAt: app.clock.now(),
      }),
    );
    return person;
  };
  return { owner, businessId, member, stranger: await app.person() };
}

describe('cards.add', () => {
  it('saves a card by its token, the first one as the default, and shows only its last digits', async () => {
    const { owner, businessId } = await cast();
    const first = await owner.api.cards.add({ businessId, token: await cardToken(app.provider) });
    const mastercard = await cardToken(app.provider, testCards.paysMastercard);
    const second = await owner.api.cards.add({ businessId, token: mastercard });
    expect(first).toEqual({
      id: expect.any(String),
      brand: 'Visa',
      last4: '4242',
      expiresMonth: 12,
      expiresYear: 2030,
      isDefault: true,
      declined: false,
      addedAt: app.clock.now().toISOString(),
    });
    expect(second).toMatchObject({ brand: 'Mastercard', last4: '4444', isDefault: false });
    const { cards } = await owner.api.wallet.get({ businessId });
    expect(cards).toEqual([first, second]);
  });

  it('allows only owners, managers and finance', async () => {
    const { businessId, member, stranger } = await cast();
    for (const role of ['manager', 'finance'] as const) {
      const { api } = await member(role);
      expect(await api.cards.add({ businessId, token: await cardToken(app.provider) })).toMatchObject({
        last4: '4242',
      });
    }
    const token = await cardToken(app.provider);
    const recruiter = await member('recruiter');
    expect(await failure(recruiter.api.cards.add({ businessId, token }))).toMatchObject({
      status: 403,
      code: 'business/not-allowed',
    });
    for (const id of [businessId, nowhere])
      expect(await failure(stranger.api.cards.add({ businessId: id, token }))).toMatchObject({
        status: 404,
        code: 'business/not-found',
      });
    const manager = await member('manager');
    expect(await manager.api.cards.add({ businessId, token })).toMatchObject({ last4: '4242' });
  });

  it('returns the same card for the same token, whatever the key, at once or later', async () => {
    const { owner, businessId } = await cast();
    const token = await cardToken(app.provider);
    const twice = await Promise.all([
      owner.api.cards.add({ businessId, token }),
      owner.api.cards.add({ businessId, token }),
    ]);
    expect(twice[0]).toEqual(twice[1]);
    expect(await owner.api.cards.add({ businessId, token })).toEqual(twice[0]);
    expect((await owner.api.wallet.get({ businessId })).cards).toHaveLength(1);
    const headers = { 'idempotency-key': 'the-same-key', authorization: `Bearer ${owner.token}` };
    const post = async (fields: object) =>
      app.raw({ method: 'POST', url: `/api/businesses/${businessId}/cards`, headers, payload: fields });
    const again = { token: await cardToken(app.provider) };
    const answers = [await post(again), await post(again)];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(answers[1]?.json()).toEqual(answers[0]?.json());
    expect((await post({ token: await cardToken(app.provider) })).json()).toMatchObject({
      code: 'idempotency/key-reused',
    });
  });

  it("rejects another business's token and used, unknown or expired tokens", async () => {
    const { owner, businessId } = await cast();
    const other = await cast();
    const token = await cardToken(app.provider);
    await other.owner.api.cards.add({ businessId: other.businessId, token });
    const old = await cardToken(app.provider);
    app.clock.forward({ minutes: 31 });
    for (const bad of [token, old, 'tok_of_nobody'])
      expect(await failure(owner.api.cards.add({ businessId, token: bad }))).toMatchObject({
        status: 422,
        code: 'payment/card-refused',
        data: { failure: 'processing_error' },
      });
    expect((await owner.api.wallet.get({ businessId })).cards).toEqual([]);
  });

  it('rejects malformed tokens', async () => {
    const { owner, businessId } = await cast();
    for (const token of ['', 'short', 'x'.repeat(201), 'null\u0000byte', 'half \ud800', 'emoji🙂🙂🙂🙂'])
      expect(await failure(owner.api.cards.add({ businessId, token }))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
  });

  it('returns an error when the provider is unreachable', async () => {
    const { owner, businessId } = await cast();
    const { saveCard } = app.provider;
    app.provider.saveCard = () => Promise.reject(new TypeError('fetch failed'));
    try {
      expect(await failure(owner.api.cards.add({ businessId, token: 'tok_12345678' }))).toMatchObject({
        status: 503,
        code: 'payment/provider-unavailable',
      });
    } finally {
      app.provider.saveCard = saveCard;
    }
  });
});

describe('cards.remove', () => {
  it('removes a card and makes the newest other one the default', async () => {
    const { owner, businessId } = await cast();
    const scope = app.scopeOf(owner);
    const first = await makeCard(app.db, scope, businessId);
    const second = await makeCard(app.db, scope, businessId, testCards.declined);
    const third = await makeCard(app.db, scope, businessId, testCards.paysMastercard);
    expect(await owner.api.cards.remove({ cardId: first.id })).toEqual({ removed: true });
    expect(await owner.api.cards.remove({ cardId: first.id })).toEqual({ removed: true });
    const { cards } = await owner.api.wallet.get({ businessId });
    expect(cards.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [third.id, true],
      [second.id, false],
    ]);
    const refused = owner.api.wallet.topUp({
      businessId,
      amountMinor: 500,
      currency: 'EUR',
      cardId: first.id,
    });
    expect(await failure(refused)).toMatchObject({ status: 404, code: 'payment/card-not-found' });
  });

  it('never makes a bank method or debit the default, then or on request', async () => {
    const { owner, businessId } = await cast();
    const scope = app.scopeOf(owner);
    const visa = await makeCard(app.db, scope, businessId);
    for (const brand of ['iDEAL', 'Bancontact', 'SEPA']) {
      const { id: cardId } = await makeCard(app.db, scope, businessId, testCards.paysMastercard);
      await app.db.updateTable('cards').set({ brand }).where('id', '=', cardId).execute();
      expect(await failure(owner.api.cards.makeDefault({ cardId }))).toMatchObject({
        status: 422,
        code: 'payment/card-only',
      });
    }
    await owner.api.cards.remove({ cardId: visa.id });
    const { cards } = await owner.api.wallet.get({ businessId });
    expect(cards.map(({ isDefault }) => isDefault)).toEqual([false, false, false]);
  });

  it('lets a charge in progress finish', async () => {
    const { owner, businessId } = await cast();
    const { id: cardId } = await makeCard(app.db, app.scopeOf(owner), businessId, testCards.late);
    const charge = await owner.api.wallet.topUp({
      businessId,
      amountMinor: 700,
      currency: 'EUR',
      cardId,
    });
    await owner.api.cards.remove({ cardId });
    await app.runDue();
    app.clock.forward({ minutes: 3 });
    await app.runDue();
    expect(await owner.api.charges.get({ chargeId: charge.id })).toMatchObject({ status: 'succeeded' });
  });

  it('allows only owners, managers and finance', async () => {
    const { owner, businessId, member, stranger } = await cast();
    const { id: cardId } = await makeCard(app.db, app.scopeOf(owner), businessId);
    const recruiter = await member('recruiter');
    expect(await failure(recruiter.api.cards.remove({ cardId }))).toMatchObject({
      status: 403,
      code: 'business/not-allowed',
    });
    for (const [api, id] of [
      [stranger.api, cardId],
      [owner.api, nowhere],
    ] as const)
      expect(await failure(api.cards.remove({ cardId: id }))).toMatchObject({
        status: 404,
        code: 'payment/card-not-found',
      });
  });
});

describe('cards.makeDefault', () => {
  it('makes only the selected card the default', async () => {
    const { owner, businessId } = await cast();
    const scope = app.scopeOf(owner);
    const first = await makeCard(app.db, scope, businessId);
    const second = await makeCard(app.db, scope, businessId, testCards.paysMastercard);
    const both = await Promise.all(
      [first, second].map(({ id }) => owner.api.cards.makeDefault({ cardId: id })),
    );
    expect(both.map(({ isDefault }) => isDefault)).toEqual([true, true]);
    await owner.api.cards.makeDefault({ cardId: second.id });
    const { cards } = await owner.api.wallet.get({ businessId });
    expect(cards.map(({ id, isDefault }) => [id, isDefault])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
  });

  it("returns 404 for a removed card and another business's card", async () => {
    const { owner, businessId, stranger, member } = await cast();
    const { id: cardId } = await makeCard(app.db, app.scopeOf(owner), businessId);
    const recruiter = await member('recruiter');
    expect(await failure(recruiter.api.cards.makeDefault({ cardId }))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.cards.makeDefault({ cardId }))).toMatchObject({ status: 404 });
    await owner.api.cards.remove({ cardId });
    expect(await failure(owner.api.cards.makeDefault({ cardId }))).toMatchObject({
      status: 404,
      code: 'payment/card-not-found',
    });
  });
});

describe('wallet.get', () => {
  it("shows the balances to every member, in the business's own currency first", async () => {
    const { owner, businessId, member } = await cast();
    const scope = app.scopeOf(owner);
    const saved = await fundBusiness(app.db, scope, businessId, { amountMinor: 12_345, currency: 'JPY' });
    const empty = {
      promoMinor: 0,
      heldMinor: 0,
      holds: 0,
      plannedMinor: 0,
      plannedHolds: 0,
      plannedFrom: null,
      waitingMinor: 0,
      paidThisMonthMinor: 0,
      owedMinor: 0,
    };
    const expected = {
      balances: [
        { currency: 'EUR', availableMinor: 0, ...empty },
        { currency: 'JPY', availableMinor: 12_345, ...empty },
      ],
      cards: [card.parse(saved)],
      tokenUrl: '/sandbox/tokens',
      bankMethods: [],
      test: true,
    };
    expect(await owner.api.wallet.get({ businessId })).toEqual({ ...expected, canManage: true });
    const recruiter = await member('recruiter');
    expect(await recruiter.api.wallet.get({ businessId })).toEqual({ ...expected, canManage: false });
    const finance = await member('finance');
    expect(await finance.api.wallet.get({ businessId })).toEqual({ ...expected, canManage: true });
  });

  it('returns 404 to strangers', async () => {
    const { businessId, stranger } = await cast();
    for (const id of [businessId, nowhere])
      expect(await failure(stranger.api.wallet.get({ businessId: id }))).toMatchObject({
        status: 404,
        code: 'business/not-found',
      });
  });
});
