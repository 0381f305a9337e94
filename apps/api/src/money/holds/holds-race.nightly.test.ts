import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { auditLedger } from '../ledger/ledger.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000', CLEARING_DAYS: '0' });
let nadia: Person;
let business: Business;
beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  business = await makeBusiness(app.db, app.scopeOf(nadia));
});
const expectSoundLedger = async () => {
  const { findings } = await auditLedger(app.db, { clock: app.clock, sign: createSign(app.secret) });
  expect(findings).toEqual([]);
};
const endOf = async (engagementId: string) => {
  const { rows } = await app.pool.query<{
    status: string;
    hold: string;
    left: number;
    paid: number;
    fees: number;
    amount: number;
    releases: number;
  }>(
    `with money as (
      select posting.account_id, posting.amount from holds hold
      join ledger_entries entry on entry.about = hold.id or entry.about in (select id from releases where engagement_id = $1)
      join ledger_postings posting on posting.entry_id = entry.id where hold.engagement_id = $1)
    select work.status, hold.status as hold, work.amount_minor::int as amount,
      coalesce((select sum(amount) from money where account_id like 'hold:%'), 0)::int as left,
      coalesce((select sum(amount) from money where account_id like 'worker_%'), 0)::int as paid,
      coalesce((select sum(amount) from money where account_id like 'platform_fees%'), 0)::int as fees,
      (select count(*)::int from releases where engagement_id = $1) as releases
    from engagements work join holds hold on hold.engagement_id = work.id where work.id = $1`,
    [engagementId],
  );
  return rows[0];
};

const settleAll = async (calls: Promise<unknown>[]) => {
  const codes = await Promise.all(
    calls.map((call) =>
      call.then(
        () => 'done',
        async (error) => (await failure(Promise.reject(error))).code,
      ),
    ),
  );
  expect(codes.filter((code) => code.startsWith('request/'))).toEqual([]);
};

describe('everything at once', () => {
  it('on submitted work ends and pays it once', async () => {
    const outcomes = new Set<string>();
    for (let run = 0; run < 12; run += 1) {
      const leila = await app.person();
      app.clock.set('2026-11-21T09:00:00Z');
      const work = await makeEngagement(
        app.db,
        { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) },
        business.id,
        { headCount: 1 },
      );
      app.clock.set(new Date(Date.parse(work.terms.endsAt ?? '') + 10 * minuteMs));
      const engagementId = work.id;
      const hours = (minutes: number) => ({
        startsAt: work.terms.startsAt ?? '',
        endsAt: new Date(Date.parse(work.terms.endsAt ?? '') + minutes * minuteMs).toISOString(),
        breakMinutes: 30,
        note: 'So it was',
      });
      const { version } = await leila.api.timesheets.submitHours({
        engagementId,
        version: work.version,
        ...hours(0),
      });
      const request = { engagementId, version };
      const acts = [
        () => nadia.api.timesheets.approve(request),
        () => nadia.api.timesheets.counter({ ...request, ...hours(-60) }),
        () => leila.api.disputes.file({ ...request, reason: 'No', amountMinor: 12_000 }),
        () => nadia.api.timesheets.approve(request),
        () => nadia.api.engagements.reportNoShow(request),
        () => leila.api.engagements.cancel({ ...request, reason: 'Late' }),
      ];
      const order = acts.map((_, index) => acts[(index + run) % acts.length] as (typeof acts)[number]);
      await settleAll(order.map((act) => act()));
      const end = await endOf(engagementId);
      if (!end) throw new Error('no engagement');
      outcomes.add(end.status);
      const paidFor: Record<string, number> = {
        completed: end.amount,
        disputed: 0,
        counter_proposed: 11_375,
      };
      expect(end.paid, JSON.stringify(end)).toBe(paidFor[end.status]);
      expect(end.left).toBe(end.status === 'completed' ? 0 : 14_438 - end.paid - end.fees);
      expect(end.hold).toBe(
        { completed: 'released', disputed: 'disputed', counter_proposed: 'partly_released' }[end.status],
      );
    }
    expect(outcomes.size).toBeGreaterThan(0);
    await expectSoundLedger();
  });

  it('on booked work cancels it and returns the hold once', async () => {
    for (let run = 0; run < 6; run += 1) {
      const leila = await app.person();
      app.clock.set('2026-11-21T09:00:00Z');
      const work = await makeEngagement(
        app.db,
        { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) },
        business.id,
        { headCount: 1 },
      );
      app.clock.set(new Date(Date.parse(work.terms.startsAt ?? '') - hourMs));
      const request = { engagementId: work.id, version: work.version };
      await settleAll([
        nadia.api.engagements.cancel({ ...request, reason: 'Closed' }),
        leila.api.engagements.cancel({ ...request, reason: 'Ill' }),
        nadia.api.engagements.cancel({ ...request, reason: 'Closed' }),
        leila.api.engagements.confirm(request),
      ]);
      const end = await endOf(work.id);
      if (end?.status === 'confirmed') continue;
      const byBusiness = end?.status === 'cancelled_by_merchant';
      expect(end).toMatchObject({
        status: expect.stringContaining('cancelled_by'),
        left: 0,
        paid: byBusiness ? 6_563 : 0,
        fees: 0,
        hold: byBusiness ? 'released' : 'refunded',
        releases: byBusiness ? 1 : 0,
      });
    }
    await expectSoundLedger();
  });

  it('on an offer ends it once: hired with its money, or refunded', async () => {
    for (let run = 0; run < 6; run += 1) {
      const leila = await app.person();
      app.clock.set('2026-11-21T09:00:00Z');
      const job = await makeJob(app.db, app.scopeOf(nadia), business.id, { headCount: 1 });
      const { id } = await makeApplication(app.db, app.scopeOf(leila), job.id);
      const offer = await makeOffer(app.db, app.scopeOf(nadia), id);
      const request = { offerId: offer.id, version: offer.version };
      await settleAll([
        leila.api.offers.accept(request),
        leila.api.offers.decline(request),
        nadia.api.offers.withdraw(request),
        leila.api.applications.withdraw({ applicationId: id }),
        nadia.api.jobs.close({ jobId: job.id }),
      ]);
      const after = await nadia.api.offers.get({ offerId: offer.id });
      const accepted = after.status === 'accepted';
      expect(after.hold).toMatchObject({
        status: accepted ? 'held' : 'refunded',
        remainingMinor: accepted ? 14_438 : 0,
        engagementId: accepted ? expect.any(String) : null,
      });
      expect(after.funding).toBe(accepted ? 'funded' : 'not_funded');
    }
    await expectSoundLedger();
  });
});
