import { dayMs, hourMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { createSign } from '../../platform/sign.ts';
import { makeEngagement, workThrough } from '../../work/engagements/engagements.fixtures.ts';
import { auditLedger } from '../ledger/ledger.ts';
import { makeBank } from '../payouts/payouts.fixtures.ts';
import { fundBusiness, makeCard } from './wallet.fixtures.ts';

// Hostile or mistyped input is refused with a reason, and nothing moves.
const app = useTestApp({ CLEARING_DAYS: '0', PAYOUT_METHOD_HOLD_DAYS: '0' });
let owner: Person;
let rival: Person;
let worker: Person;
let businessId: string;
let cardId: string;
let foreignCard: string;
let methodId: string;
let foreignMethod: string;
let done: string;
let sent: { id: string; version: number };
let applicationId: string;
const own = (person: Person) => app.scopeOf(person);
const as = async (person: Person, headers?: Record<string, string>) =>
  app.apiAs(await signAccessToken(app.secret, app.clock, person), headers);
const entries = async () =>
  (
    await app.pool.query(
      'select count(*)::int as entries, (select count(*)::int from charges) as charges, (select count(*)::int from withdrawals) as withdrawals from ledger_entries',
    )
  ).rows[0];

beforeAll(async () => {
  owner = await app.person({ name: 'Nadia Brandt' });
  rival = await app.person({ name: 'Rick Rival' });
  worker = await app.person({ name: 'Leila Haddad' });
  businessId = (await makeBusiness(app.db, own(owner), { funded: false })).id;
  const other = await makeBusiness(app.db, own(rival), { funded: false });
  cardId = (await makeCard(app.db, own(owner), businessId)).id;
  foreignCard = (await makeCard(app.db, own(rival), other.id)).id;
  methodId = (await makeBank(app.db, own(worker))).id;
  foreignMethod = (await makeBank(app.db, own(rival))).id;
  await fundBusiness(app.db, own(owner), businessId, { amountMinor: 60_000 });
  await fundBusiness(app.db, own(rival), other.id, { amountMinor: 60_000 });
  const sides = { worker: own(worker), recruiter: own(owner) };
  const booked = await makeEngagement(app.db, sides, businessId, { headCount: 1 });
  const at = (side: 'worker' | 'recruiter', moment: Date) => ({
    ...own(side === 'worker' ? worker : owner),
    clock: { now: () => moment },
  });
  done = (await workThrough(app.db, at, booked, 'completed')).id;
  const later = Date.parse(booked.terms.endsAt ?? '') + dayMs;
  const next = await makeEngagement(app.db, sides, businessId, {
    headCount: 1,
    startsAt: new Date(later).toISOString(),
    endsAt: new Date(later + 4 * hourMs).toISOString(),
  });
  sent = await workThrough(app.db, at, next, 'submitted');
  app.clock.set(new Date(later + 5 * hourMs));
  const job = await makeJob(app.db, own(owner), businessId);
  applicationId = (await makeApplication(app.db, own(await app.person()), job.id)).id;
});

type Api = Person['api'];
const amounts: unknown[] = [
  -1,
  -0.01,
  0.5,
  1.005,
  20.001,
  2 ** 53,
  1e21,
  1e308,
  Number.NaN,
  '500',
  '5,00',
  '1e3',
  '',
  true,
  null,
  [500],
  { minor: 500 },
];
const takers: [string, () => Person, (api: Api, amountMinor: number) => Promise<unknown>, zero?: 'fine'][] = [
  [
    'a top-up',
    () => owner,
    (api, amountMinor) => api.wallet.topUp({ businessId, amountMinor, currency: 'EUR', cardId }),
  ],
  [
    'a refund',
    () => owner,
    (api, amountMinor) => api.charges.refund({ businessId, amountMinor, currency: 'EUR' }),
  ],
  ['a tip', () => owner, (api, amountMinor) => api.pay.tip({ engagementId: done, amountMinor })],
  [
    'a withdrawal',
    () => worker,
    (api, amountMinor) => api.payouts.withdraw({ methodId, amountMinor, speed: 'standard' }),
  ],
  [
    'a dispute',
    () => worker,
    (api, amountMinor) =>
      api.disputes.file({ engagementId: sent.id, version: sent.version, reason: 'No', amountMinor }),
    'fine',
  ],
];

describe('an invalid amount', () => {
  it.each(takers)('rejects %s and moves nothing', async (_name, by, take, zero) => {
    const api = await as(by());
    const before = await entries();
    for (const amount of zero ? amounts : [0, ...amounts]) {
      const refused = await failure(take(api, amount as number));
      expect([400, 422], `${JSON.stringify(amount)}: ${JSON.stringify(refused)}`).toContain(refused.status);
    }
    await app.runDue();
    expect(await entries()).toEqual(before);
  });

  it('is rejected as the pay of an offer too', async () => {
    const api = await as(owner);
    const before = await entries();
    for (const payMinor of [0, ...amounts.filter((amount) => amount !== null)] as number[]) {
      expect((await failure(api.offers.make({ applicationId, message: '', payMinor }))).status).toBe(400);
    }
    expect(await entries()).toEqual(before);
  });

  it('is rejected when it is valid but too high', async () => {
    const recruiter = await as(owner);
    const paid = await as(worker);
    const before = await entries();
    for (const [code, call] of [
      [
        'payment/balance-short',
        () => recruiter.charges.refund({ businessId, amountMinor: 60_000, currency: 'EUR' }),
      ],
      [
        'payment/balance-short',
        () => recruiter.charges.refund({ businessId, amountMinor: 100, currency: 'JPY' }),
      ],
      ['payment/tip-too-much', () => recruiter.pay.tip({ engagementId: done, amountMinor: 1_000_000_000 })],
      [
        'payout/balance-short',
        () => paid.payouts.withdraw({ methodId, amountMinor: 1_000_000_000, speed: 'standard' }),
      ],
      [
        'payout/below-minimum',
        () => paid.payouts.withdraw({ methodId, amountMinor: 499, speed: 'standard' }),
      ],
      [
        'dispute/amount-impossible',
        () =>
          paid.disputes.file({
            engagementId: sent.id,
            version: sent.version,
            reason: 'No',
            amountMinor: 999_999_999,
          }),
      ],
    ] as const)
      expect(await failure(call())).toMatchObject({ status: 422, code });
    expect(await entries()).toEqual(before);
  });
});

describe('what belongs to others', () => {
  it("can't pay: a card of another business, on any route", async () => {
    const api = await as(owner);
    const before = await entries();
    const funding = { from: 'card' as const, cardId: foreignCard };
    for (const call of [
      () => api.wallet.topUp({ businessId, amountMinor: 2_000, currency: 'EUR', cardId: foreignCard }),
      () => api.pay.tip({ engagementId: done, amountMinor: 500, funding }),
      () => api.offers.make({ applicationId, message: '', funding }),
      () => api.cards.remove({ cardId: foreignCard }),
      () => api.cards.makeDefault({ cardId: foreignCard }),
    ])
      expect(await failure(call())).toMatchObject({ status: 404, code: 'payment/card-not-found' });
    expect(await entries()).toEqual(before);
  });

  it('returns 404: work, holds, bank accounts, balances and statements', async () => {
    const api = await as(rival);
    const before = await entries();
    const { rows } = await app.pool.query<{ hold: string; entry: string; withdrawal: string }>(
      `select id as hold, (select entry_id from releases where engagement_id = $1 and state = 'released' limit 1) as entry from holds where engagement_id = $1`,
      [done],
    );
    const holdId = rows[0]?.hold ?? '';
    const balance = { funding: { from: 'balance' as const } };
    for (const call of [
      () => api.pay.tip({ engagementId: done, amountMinor: 500, ...balance }),
      () => api.pay.cover({ engagementId: sent.id, ...balance }),
      () => api.pay.releasePreview({ engagementId: sent.id }),
      () => api.holds.get({ holdId }),
      () => api.holds.pay({ holdId, ...balance }),
      () => api.timesheets.approve({ engagementId: sent.id, version: sent.version }),
      () =>
        api.disputes.file({ engagementId: sent.id, version: sent.version, reason: 'No', amountMinor: 100 }),
      () => api.wallet.topUp({ businessId, amountMinor: 2_000, currency: 'EUR', cardId: foreignCard }),
      () => api.charges.refund({ businessId, amountMinor: 2_000, currency: 'EUR' }),
      () => api.payouts.withdraw({ methodId, amountMinor: 2_000, speed: 'standard' }),
      () => api.payouts.removeMethod({ methodId }),
      () => api.payouts.makeMethodDefault({ methodId }),
      () => api.statements.line({ entryId: rows[0]?.entry ?? '' }),
      () => api.statements.forBusiness({ businessId }),
      () => api.dashboard.figures({ businessId, months: 3 }),
    ])
      expect((await failure(call())).status).toBe(404);
    const paid = await as(worker);
    for (const call of [
      () => paid.pay.tip({ engagementId: done, amountMinor: 500 }),
      () => paid.pay.cover({ engagementId: sent.id, ...balance }),
      () => paid.timesheets.approve({ engagementId: sent.id, version: sent.version }),
    ])
      expect((await failure(call())).status).toBe(403);
    expect(
      await failure(paid.payouts.withdraw({ methodId: foreignMethod, amountMinor: 500, speed: 'standard' })),
    ).toMatchObject({
      code: 'payout/method-not-found',
    });
    expect(await entries()).toEqual(before);
  });
});

describe('a key', () => {
  it('is one request: another body is rejected, and a double click is a repeat', async () => {
    const acts: [Person, (api: Api, amountMinor: number) => Promise<unknown>][] = [
      [owner, (api, amountMinor) => api.wallet.topUp({ businessId, amountMinor, currency: 'EUR', cardId })],
      [owner, (api, amountMinor) => api.charges.refund({ businessId, amountMinor, currency: 'EUR' })],
      [
        owner,
        (api, amountMinor) => api.pay.tip({ engagementId: done, amountMinor, funding: { from: 'balance' } }),
      ],
      [worker, (api, amountMinor) => api.payouts.withdraw({ methodId, amountMinor, speed: 'standard' })],
    ];
    for (const [person, act] of acts) {
      const api = await as(person, { 'idempotency-key': crypto.randomUUID() });
      const before = await entries();
      const clicks = await Promise.allSettled([1, 2, 3].map(() => act(api, 1_000)));
      const first = clicks.find((click) => click.status === 'fulfilled')?.value;
      expect(first).toBeDefined();
      for (const click of clicks)
        if (click.status === 'fulfilled') expect(click.value).toEqual(first);
        else expect(await failure(Promise.reject(click.reason))).toMatchObject({ status: 409 });
      const after = await entries();
      const more = (name: string) => after[name] - before[name];
      expect(more('entries') + more('charges')).toBe(1);
      expect(await failure(act(api, 1_001))).toMatchObject({ status: 422, code: 'idempotency/key-reused' });
      expect(await entries()).toEqual(after);
    }
    await app.runDue();
    const { findings } = await auditLedger(app.db, { clock: app.clock, sign: createSign(app.secret) });
    expect(findings).toEqual([]);
  });
});
