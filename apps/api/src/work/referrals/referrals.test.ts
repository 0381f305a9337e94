import { dayMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { ReferralCase } from '@nearhand/contract/work/referrals';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { balanceOf } from '../../money/ledger/ledger.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { fundBusiness, makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { confirmedNow } from '../../people/sign-in/second-step.fixtures.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { makeSanction } from '../../trust/sanctions/sanctions.fixtures.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';
import { rewardReferral, rewardReferralTask } from './rewards.ts';

const app = useTestApp({
  CLEARING_DAYS: '0',
  REFERRAL_QUALIFYING_DAYS: '60',
  REFERRAL_INVITER_MINOR: '1000',
  REFERRAL_INVITED_MINOR: '500',
  REFERRALS_PER_MONTH: '2',
});
const cast = useHiring(app);
let operator: Person;

beforeAll(async () => {
  operator = await app.person({ name: 'Jonas Weber' });
  await makeOperator(app.db, app, operator);
  operator = app.working(operator);
});

const codeOf = async (person: Person) => (await person.api.referrals.mine()).code;
/** Joins as a new account, however far a test has moved the clock. */
async function join(newcomer: Person, inviter: Person): Promise<{ inviterFirstName: string }> {
  await app.db
    .updateTable('accounts')
    .set({ createdAt: app.clock.now() })
    .where('id', '=', newcomer.accountId)
    .execute();
  return newcomer.api.referrals.claim({ code: await codeOf(inviter) });
}
const listOf = async (person: Person) => (await person.api.referrals.list({ limit: 20 })).items;
async function rewardOf(person: Person): Promise<number> {
  const { rows } = await app.pool.query(
    `select coalesce(sum(line.amount), 0)::int as minor from ledger_postings line join ledger_entries entry on entry.id = line.entry_id
     where line.account_id = $1 and entry.kind = 'referral'`,
    [`worker_available:${person.accountId}:EUR`],
  );
  return rows[0].minor;
}
async function clear(): Promise<void> {
  await app.runDue();
  app.clock.forward({ days: 7, minutes: 1 });
  await app.runDue();
}
const spent = async () => -(await balanceOf(app.db, { kind: 'platform_marketing' }, 'EUR'));
const setDevice = (person: Person, ip: string, browser = 'Phone') =>
  app.db
    .updateTable('sessions')
    .set({ ipAddress: ip, userAgent: browser })
    .where('accountId', '=', person.accountId)
    .execute();

async function workOnce(
  options: Parameters<typeof cast.hire>[0] = {},
  recruiter: Person = cast.nadia,
): Promise<Engagement> {
  const hirer = app.scopeOf(recruiter);
  await fundBusiness(app.db, hirer, cast.business.id, { amountMinor: 20_000 });
  const sides = { worker: cast.worker(), recruiter: hirer };
  const work = await makeEngagement(app.db, sides, cast.business.id, { headCount: 1, ...options });
  app.clock.set(new Date(Date.parse(work.terms.endsAt ?? '') + 10 * minuteMs));
  const submitted = await cast.leila.api.timesheets.submitHours({
    engagementId: work.id,
    version: work.version,
    note: '',
    startsAt: work.terms.startsAt ?? '',
    endsAt: work.terms.endsAt ?? '',
    breakMinutes: work.terms.breakMinutes,
  });
  return recruiter.api.timesheets.approve({ engagementId: work.id, version: submitted.version });
}
async function handOver(successor: Person): Promise<void> {
  const businessId = cast.business.id;
  await makeMember(app.db, app.clock, businessId, successor.accountId, 'manager');
  for (const person of [cast.nadia, successor]) await confirmedNow(app, person);
  await cast.nadia.api.team.offerOwnership({ businessId, memberId: successor.accountId });
  await successor.api.team.acceptOwnership({ businessId });
  await cast.nadia.api.team.leave({ businessId });
}
async function invited(): Promise<Person> {
  const sam = await app.person({ name: 'Sam Okafor' });
  await join(cast.leila, sam);
  return sam;
}

describe('referrals.mine', () => {
  it("returns each user's own code, a link and the configured terms", async () => {
    const sam = await app.person({ name: 'Sam Okafor' });
    const mine = await sam.api.referrals.mine();
    expect(mine).toMatchObject({
      code: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{10}$/),
      url: `${app.config.PUBLIC_URL}/r/${mine.code}`,
      terms: {
        inviterMinor: 1_000,
        invitedMinor: 500,
        currency: 'EUR',
        perMonth: 2,
        inAll: 50,
        claimDays: 7,
      },
      paidTo: null,
      canClaim: true,
      joined: 0,
      rewarded: 0,
      earned: [],
    });
    expect(await codeOf(sam)).toBe(mine.code);
    expect(await codeOf(cast.leila)).not.toBe(mine.code);
  });

  it('offers to use a code while the account is new and has no inviter', async () => {
    const sam = await app.person();
    const mona = await app.person();
    const canClaim = async (of: Person) => (await of.api.referrals.mine()).canClaim;
    expect(await canClaim(mona)).toBe(true);
    await join(mona, sam);
    expect([await canClaim(mona), await canClaim(sam)]).toEqual([false, true]);
    await app.db
      .updateTable('accounts')
      .set({ createdAt: subtractMs(app.clock.now(), 8 * dayMs) })
      .where('id', '=', sam.accountId)
      .execute();
    expect(await canClaim(sam)).toBe(false);
  });

  it('returns the business that gets the reward for users who only hire', async () => {
    const owner = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    expect((await owner.api.referrals.mine()).paidTo).toBeNull();
    await owner.api.accounts.update({ intent: 'hire' });
    expect((await owner.api.referrals.mine()).paidTo).toEqual({
      businessId: business.id,
      name: business.name,
    });
  });
});

describe('an invite link', () => {
  it.each([
    ['/r/ab12cd34ef', '/getting-started?ref=AB12CD34EF'],
    ['/r/AB12C-D34EF', '/getting-started?ref=AB12CD34EF'],
    ['/r/short', '/getting-started'],
    ['/r/%2F%2Fevil.example', '/getting-started'],
  ])('%s leads to %s', async (url, location) => {
    const answer = await app.raw({ method: 'GET', url });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, location]);
  });
});

describe('referrals.invitation', () => {
  it("returns the inviter's first name to anyone with the code", async () => {
    const sam = await app.person({ name: 'Sam Okafor' });
    const guest = app.apiAs(null);
    const code = await codeOf(sam);
    expect(await guest.referrals.invitation({ code: ` ${code.toLowerCase()} ` })).toMatchObject({
      firstName: 'Sam',
      terms: { invitedMinor: 500 },
    });
    for (const wrong of ['ZZZZZZZZZZ', 'no', "' or 1=1"])
      expect(await failure(guest.referrals.invitation({ code: wrong }))).toMatchObject({
        status: 404,
        code: 'referral/unknown-code',
      });
  });
});

describe('referrals.claim', () => {
  it('records the inviter once, even for an unverified account, and notifies them', async () => {
    const sam = await app.person({ name: 'Sam Okafor' });
    const mei = await app.person({ name: 'Mei Lin', verified: false });
    expect(await join(mei, sam)).toEqual({ inviterFirstName: 'Sam' });
    expect(await join(mei, sam)).toEqual({ inviterFirstName: 'Sam' });
    expect(await listOf(sam)).toMatchObject([{ firstName: 'Mei', state: 'joined', amountMinor: null }]);
    expect(JSON.stringify(await listOf(sam))).not.toContain('Lin');
    expect(await sam.api.referrals.mine()).toMatchObject({ joined: 1, rewarded: 0 });
    const notices = (await sam.api.notifications.list({ limit: 10 })).items;
    expect(notices.filter(({ topic }) => topic === 'referral-joined')).toHaveLength(1);
    const other = await app.person();
    expect(await failure(join(mei, other))).toMatchObject({ status: 409, code: 'referral/claimed' });
  });

  it('rejects an unknown code, your own, an older account and a guest', async () => {
    const sam = await app.person();
    expect(await failure(sam.api.referrals.claim({ code: 'ZZZZZZZZZZ' }))).toMatchObject({
      code: 'referral/unknown-code',
    });
    expect(await failure(join(sam, sam))).toMatchObject({ status: 422, code: 'referral/own-code' });
    expect(await failure(sam.api.referrals.claim({ code: 'x'.repeat(21) }))).toMatchObject({ status: 400 });
    const old = await app.person();
    await app.db
      .updateTable('accounts')
      .set({ createdAt: subtractMs(app.clock.now(), 8 * 24 * 60 * minuteMs) })
      .where('id', '=', old.accountId)
      .execute();
    expect(await failure(old.api.referrals.claim({ code: await codeOf(sam) }))).toMatchObject({
      code: 'referral/too-late',
      data: { days: 7 },
    });
    expect(await listOf(sam)).toEqual([]);
    expect(await failure(app.apiAs(null).referrals.claim({ code: await codeOf(sam) }))).toMatchObject({
      status: 401,
    });
  });
});

describe('referrals.list', () => {
  it('pages through users who joined, newest first, for the inviter only', async () => {
    const sam = await app.person();
    for (const name of ['Ada First', 'Bo Second', 'Cy Third']) {
      await join(await app.person({ name }), sam);
      app.clock.forward({ seconds: 1 });
    }
    const first = await sam.api.referrals.list({ limit: 2 });
    expect(first.items.map(({ firstName }) => firstName)).toEqual(['Cy', 'Bo']);
    const rest = await sam.api.referrals.list({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([rest.items.map(({ firstName }) => firstName), rest.nextCursor]).toEqual([['Ada'], null]);
    expect(await failure(sam.api.referrals.list({ cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
    expect(await listOf(cast.leila)).toEqual([]);
  });
});

describe('the reward', () => {
  it("is paid to both sides once, from the platform's marketing account, when the clearing time has passed", async () => {
    const sam = await invited();
    const before = await spent();
    await workOnce();
    await app.runDue();
    const [earned] = await listOf(sam);
    expect(earned).toMatchObject({ state: 'coming', amountMinor: null });
    expect(Date.parse(earned?.clearsAt ?? '')).toBeCloseTo(app.clock.now().getTime() + 7 * dayMs, -4);
    app.clock.forward({ days: 6, hours: 23 });
    await app.runDue();
    expect([await spent(), await rewardOf(sam)]).toEqual([before, 0]);
    await workOnce();
    await clear();
    expect(await spent()).toBe(before + 1_500);
    expect([await rewardOf(sam), await rewardOf(cast.leila)]).toEqual([1_000, 500]);
    expect(await listOf(sam)).toMatchObject([
      { state: 'paid', amountMinor: 1_000, currency: 'EUR', clearsAt: null },
    ]);
    const [line] = (await sam.api.statements.mine({ limit: 10 })).items;
    expect(line).toMatchObject({ kind: 'referral', amountMinor: 1_000, status: 'paid' });
    expect((await sam.api.statements.line({ entryId: line?.id ?? '' })).parts).toEqual(
      expect.arrayContaining([
        { kind: 'reward', amountMinor: -1_000 },
        { kind: 'available', amountMinor: 1_000 },
      ]),
    );
    expect(await sam.api.referrals.mine()).toMatchObject({
      rewarded: 1,
      earned: [{ currency: 'EUR', amountMinor: 1_000 }],
    });
    await cast.expectSoundLedger();
  });

  it('requires €40 of pay for work, across several jobs', async () => {
    const sam = await invited();
    // 7.5 hours at €5.00.
    await workOnce({ payMinor: 500, payReason: 'A test of small pay.' });
    await clear();
    expect(await listOf(sam)).toMatchObject([{ state: 'joined' }]);
    expect(await rewardOf(sam)).toBe(0);
    await workOnce({ payMinor: 500, payReason: 'A test of small pay.' });
    await clear();
    expect(await listOf(sam)).toMatchObject([{ state: 'paid' }]);
    expect((await sam.api.referrals.mine()).terms).toMatchObject({
      qualifyingMinor: 4_000,
      qualifyingDays: 60,
    });
  });

  it('requires that pay within the period after joining', async () => {
    const sam = await invited();
    app.clock.forward({ days: 61 });
    expect(await listOf(sam)).toMatchObject([{ state: 'unpaid', unpaidReason: 'too-late' }]);
    await workOnce();
    await clear();
    expect([await rewardOf(sam), await rewardOf(cast.leila)]).toEqual([0, 0]);
  });

  it('ignores pay from a business of the inviter', async () => {
    await join(cast.leila, cast.nadia);
    await workOnce();
    await clear();
    expect((await listOf(cast.nadia)).find(({ firstName }) => firstName === 'Leila')).toMatchObject({
      state: 'joined',
    });
    expect(await rewardOf(cast.leila)).toBe(0);
  });

  it('ignores pay from a business that the inviter has left since', async () => {
    await join(cast.leila, cast.nadia);
    await workOnce();
    const successor = await app.person();
    await handOver(successor);
    await workOnce({ payMinor: 500, payReason: 'A test of small pay.' }, successor);
    await clear();
    expect((await listOf(cast.nadia)).find(({ firstName }) => firstName === 'Leila')).toMatchObject({
      state: 'joined',
    });
    expect(await rewardOf(cast.leila)).toBe(0);
  });

  it('ignores pay from a business whose payment was charged back', async () => {
    const sam = await invited();
    const { id: cardId } = await makeCard(app.db, cast.hirer(), cast.business.id, testCards.chargebackLost);
    await cast.nadia.api.wallet.topUp({
      businessId: cast.business.id,
      amountMinor: 20_000,
      currency: 'EUR',
      cardId,
    });
    await workOnce();
    for (let day = 0; day < 8; day += 1) {
      app.clock.forward({ days: 1 });
      await app.runDue();
    }
    expect(await listOf(sam)).toMatchObject([{ state: 'joined' }]);
    expect([await rewardOf(sam), await rewardOf(cast.leila)]).toEqual([0, 0]);
    await cast.expectSoundLedger();
  });

  it("isn't paid if the pay was reversed in the clearing time", async () => {
    const sam = await invited();
    const { id } = await workOnce();
    await app.runDue();
    expect(await listOf(sam)).toMatchObject([{ state: 'coming' }]);
    await app.db
      .updateTable('releases')
      .set({ reversedAt: app.clock.now() })
      .where('engagementId', '=', id)
      .execute();
    await clear();
    expect(await listOf(sam)).toMatchObject([{ state: 'joined', clearsAt: null }]);
    expect(await rewardOf(sam)).toBe(0);
  });

  it('is credit for a business, for users who only hire', async () => {
    const sam = await app.person({ name: 'Sam Okafor' });
    const cafe = await makeBusiness(app.db, app.scopeOf(sam), { funded: false });
    await sam.api.accounts.update({ intent: 'hire' });
    await app.db.deleteFrom('referrals').where('invitedId', '=', cast.nadia.accountId).execute();
    await join(cast.nadia, sam);
    await workOnce();
    await clear();
    const { balances } = await sam.api.wallet.get({ businessId: cafe.id });
    expect(balances).toMatchObject([{ availableMinor: 1_000, promoMinor: 1_000 }]);
    expect(await rewardOf(cast.nadia)).toBe(500);
    expect(await listOf(sam)).toMatchObject([{ state: 'paid', amountMinor: 1_000 }]);
    const { items } = await sam.api.statements.forBusiness({ businessId: cafe.id, limit: 5 });
    expect(items[0]).toMatchObject({ kind: 'referral', amountMinor: 1_000, status: 'paid' });
    const { id: cardId } = await makeCard(app.db, app.scopeOf(sam), cafe.id);
    await sam.api.wallet.topUp({ businessId: cafe.id, amountMinor: 2_000, currency: 'EUR', cardId });
    await app.runDue();
    const refund = (amountMinor: number) =>
      sam.api.charges.refund({ businessId: cafe.id, amountMinor, currency: 'EUR' });
    expect(await failure(refund(2_001))).toMatchObject({
      code: 'payment/balance-short',
      data: { balanceMinor: 2_000 },
    });
    await refund(2_000);
    await app.runDue();
    const [balance] = (await sam.api.wallet.get({ businessId: cafe.id })).balances;
    const closed = await sam.api.businesses.close({ businessId: cafe.id });
    expect(closed.endedCredit).toEqual([{ amountMinor: balance?.promoMinor, currency: 'EUR' }]);
    expect(balance?.promoMinor).toBeGreaterThan(0);
    expect(await balanceOf(app.db, { kind: 'business_promo', ownerId: cafe.id }, 'EUR')).toBe(0);
    await cast.expectSoundLedger();
  });

  it("stops at the inviter's limit and then goes only to the invited user", async () => {
    const sam = await app.person();
    for (let round = 0; round < 3; round += 1) {
      await cast.recast();
      await join(cast.leila, sam);
      await workOnce();
      await clear();
    }
    expect((await listOf(sam)).map(({ state, unpaidReason }) => [state, unpaidReason])).toEqual([
      ['unpaid', 'limit'],
      ['paid', null],
      ['paid', null],
    ]);
    expect(await rewardOf(sam)).toBe(2_000);
    expect(await rewardOf(cast.leila)).toBe(500);
  });

  it('is paid once even when its task runs again', async () => {
    const sam = await invited();
    await workOnce();
    await clear();
    const referralId = (await listOf(sam))[0]?.id ?? '';
    await app.db.transaction().execute((tx) => enqueue(tx, rewardReferralTask, { referralId }));
    await app.runDue();
    expect(await rewardOf(sam)).toBe(1_000);
  });

  it("waits for an operator above the platform's daily cap and isn't lost", async () => {
    const sam = await invited();
    await workOnce();
    await app.runDue();
    app.clock.forward({ days: 7, minutes: 1 });
    const referralId = (await listOf(sam))[0]?.id ?? '';
    const scope = { ...app.scopeOf(sam), db: app.db, mailer: { send: async () => {} } };
    const capped = { ...app.config, REFERRAL_DAY_CAP_MINOR: 1_499 };
    await rewardReferral({ ...scope, config: capped }, referralId);
    await app.runDue();
    expect(await listOf(sam)).toMatchObject([{ state: 'checking', amountMinor: null }]);
    const { facts } = await operator.api.cases.get({ kind: 'referral', subjectId: referralId });
    expect(facts).toMatchObject({ referral: { flags: ['day-cap'] } });
    expect(await rewardOf(sam)).toBe(0);
    await operator.api.referrals.decide({ referralId, decision: 'pay', reason: 'A good day.' });
    expect([await rewardOf(sam), await rewardOf(cast.leila)]).toEqual([1_000, 500]);
    const metrics = (await app.raw({ method: 'GET', url: '/metrics' })).body;
    expect(metrics).toMatch(/referral_rewards_last_day_euro_cents \d+/);
    expect(metrics).toMatch(/referral_rewards_day_cap_euro_cents 50000/);
  });
});

describe('a referral that looks like one person with two accounts', () => {
  const caseOf = async (inviter: Person): Promise<ReferralCase | undefined> => {
    for (const { id: subjectId } of (await listOf(inviter)).filter(({ state }) => state === 'checking')) {
      const { facts } = await operator.api.cases.get({ kind: 'referral', subjectId });
      if (facts.kind === 'referral') return facts.referral;
    }
    return undefined;
  };

  it.each([
    [
      'device',
      async (sam: Person): Promise<void> => {
        await setDevice(sam, '192.0.2.7');
        await setDevice(cast.leila, '192.0.2.7');
      },
    ],
    [
      'address',
      async (sam: Person): Promise<void> => {
        const home = { homeLabel: 'Prinsengracht 1', homeLat: 52.37, homeLng: 4.88 };
        for (const { accountId } of [sam, cast.leila])
          await app.db
            .insertInto('profiles')
            .values({ accountId, updatedAt: app.clock.now(), ...home })
            .onConflict((conflict) => conflict.column('accountId').doUpdateSet(home))
            .execute();
      },
    ],
    [
      'payout',
      async (sam: Person): Promise<void> => {
        for (const { accountId } of [sam, cast.leila])
          await app.db
            .insertInto('payout_methods')
            .values({
              id: crypto.randomUUID(),
              accountId,
              providerRef: crypto.randomUUID(),

              bankName: 'bunq',
              last4: '4417',
              holderName: 'S Okafor',
              country: 'NL',
              currency: 'EUR',
              instant: false,
              usableFrom: app.clock.now(),
              addedAt: app.clock.now(),
              fingerprint: `account of ${sam.accountId}`,
            })
            .execute();
      },
    ],
    [
      'network',
      async (sam: Person): Promise<void> => {
        await setDevice(sam, '198.51.100.7', 'Phone');
        await setDevice(cast.leila, '198.51.100.200', 'Laptop');
        // Leila continues on another network; the first one is still on record.
        await setDevice(cast.leila, '203.0.113.5', 'Laptop');
      },
    ],
    [
      'card',
      async (sam: Person): Promise<void> => {
        for (const { accountId } of [sam, cast.leila]) {
          const scope = app.scopeOf({ accountId });
          await makeCard(
            app.db,
            scope,
            (await makeBusiness(app.db, scope, { funded: false })).id,
            testCards.paysMastercard,
          );
        }
      },
    ],
    [
      'payer-network',
      async (sam: Person): Promise<void> => {
        await setDevice(sam, '2001:db8:1:100::7', 'Phone');
        await setDevice(cast.nadia, '2001:db8:1:1ff::9', 'Laptop');
      },
    ],
    [
      'suspended',
      async (sam: Person): Promise<void> => {
        await makeSanction(app.db, app.scopeOf(operator), {
          measure: 'suspension',
          scope: 'everything',
          target: { kind: 'account', id: sam.accountId },
        });
      },
    ],
    ['loop', async (): Promise<void> => undefined],
  ] as const)('is not paid but a case: %s', async (flag, arrange) => {
    const sam = await app.person();
    if (flag === 'loop') {
      await join(sam, cast.leila);
      await join(cast.leila, sam);
    } else {
      await join(cast.leila, sam);
      await arrange(sam);
    }
    await workOnce();
    await clear();
    expect(await listOf(sam)).toMatchObject([{ state: 'checking', amountMinor: null }]);
    expect(await rewardOf(sam)).toBe(0);
    expect((await caseOf(sam))?.flags).toEqual([flag]);
  });

  it('opens a case even when the paying member has left the business', async () => {
    const sam = await invited();
    await setDevice(sam, '198.51.100.7');
    await setDevice(cast.nadia, '198.51.100.7');
    await workOnce();
    await app.runDue();
    await handOver(await app.person());
    await clear();
    expect((await caseOf(sam))?.flags).toEqual(['payer-device']);
  });

  it('opens a case even when two invited users share a device', async () => {
    const sam = await app.person();
    const twin = await app.person();
    await setDevice(twin, '192.0.2.9');
    await join(twin, sam);
    await cast.recast();
    await setDevice(cast.leila, '192.0.2.9');
    await join(cast.leila, sam);
    await workOnce();
    await clear();
    expect((await caseOf(sam))?.flags).toEqual(['device']);
  });
});

describe('referrals in the queue', () => {
  it("exclude the operator's own", async () => {
    await join(cast.leila, operator);
    await setDevice(operator, '192.0.2.30');
    await setDevice(cast.leila, '192.0.2.30');
    await workOnce();
    await clear();
    const [own] = await listOf(operator);
    expect(own?.state).toBe('checking');
    const { items } = await operator.api.cases.list({ kind: 'referral', limit: 100 });
    expect(items.map(({ subjectId }) => subjectId)).not.toContain(own?.id);
    expect(
      await failure(
        operator.api.referrals.decide({ referralId: own?.id ?? '', decision: 'pay', reason: 'Me' }),
      ),
    ).toMatchObject({ status: 403, code: 'operator/own-record' });
  });
});

describe('referrals.decide', () => {
  async function checking(): Promise<{ sam: Person; referralId: string }> {
    const sam = await app.person({ name: 'Sam Okafor' });
    const ip = `192.0.2.${crypto.randomUUID()}`;
    await setDevice(sam, ip);
    await setDevice(cast.leila, ip);
    await join(cast.leila, sam);
    await workOnce();
    await clear();
    const referralId = (await listOf(sam))[0]?.id ?? '';
    return { sam, referralId };
  }

  it('pays both sides once', async () => {
    const { sam, referralId } = await checking();
    const call = { referralId, decision: 'pay' as const, reason: 'They live together.' };
    const tries = await Promise.allSettled([1, 2].map(() => operator.api.referrals.decide(call)));
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await rewardOf(sam)).toBe(1_000);
    expect(await rewardOf(cast.leila)).toBe(500);
    expect(await failure(operator.api.referrals.decide(call))).toMatchObject({
      status: 409,
      code: 'referral/decided',
    });
    await cast.expectSoundLedger();
  });

  it('skips what no longer counts and users suspended since', async () => {
    const { sam, referralId } = await checking();
    const pay = () =>
      operator.api.referrals.decide({ referralId, decision: 'pay', reason: 'They live together.' });
    const refusedFor = async (why: string) =>
      expect(await failure(pay())).toMatchObject({
        status: 409,
        code: 'referral/not-payable',
        data: { why },
      });
    const reverse = (reversedAt: Date | null) =>
      sql`update releases set reversed_at = ${reversedAt}
        where engagement_id in (select id from engagements where worker_id = ${cast.leila.accountId})`.execute(
        app.db,
      );
    await reverse(app.clock.now());
    await refusedFor('not-earned');
    await reverse(null);
    await makeSanction(app.db, app.scopeOf(operator), {
      measure: 'suspension',
      scope: 'everything',
      target: { kind: 'account', id: sam.accountId },
    });
    await refusedFor('suspended');
    expect([await rewardOf(sam), await rewardOf(cast.leila)]).toEqual([0, 0]);
  });

  it('rejects with a reason that both users can read', async () => {
    const { sam, referralId } = await checking();
    await operator.api.referrals.decide({ referralId, decision: 'refuse', reason: 'Same person twice.' });
    expect(await listOf(sam)).toMatchObject([{ state: 'unpaid', unpaidReason: 'refused' }]);
    expect(await rewardOf(sam)).toBe(0);
    for (const person of [sam, cast.leila]) {
      const { items } = await person.api.notifications.list({ limit: 20 });
      expect(items.find(({ topic }) => topic === 'referral-refused')?.data).toMatchObject({
        reason: 'Same person twice.',
      });
    }
  });

  it('rejects other operators, an unknown referral and one without a case', async () => {
    const sam = await invited();
    const [joined] = await listOf(sam);
    const decide = (person: Person, referralId: string) =>
      failure(person.api.referrals.decide({ referralId, decision: 'pay', reason: 'x' }));
    expect(await decide(sam, joined?.id ?? '')).toMatchObject({ code: 'operator/required' });
    expect(await decide(operator, joined?.id ?? '')).toMatchObject({ code: 'referral/not-found' });
    expect(await decide(operator, crypto.randomUUID())).toMatchObject({ code: 'referral/not-found' });
    expect(
      await failure(
        operator.api.referrals.decide({ referralId: joined?.id ?? '', decision: 'pay', reason: '' }),
      ),
    ).toMatchObject({ status: 400 });
  });
});
