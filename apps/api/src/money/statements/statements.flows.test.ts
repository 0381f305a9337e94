import { expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { makeEngagement, workThrough } from '../../work/engagements/engagements.fixtures.ts';

const app = useTestApp();

it('shows both sides a shift that was funded, worked, paid and tipped, with its documents', async () => {
  const nadia = await app.person({ name: 'Nadia Rahmani' });
  const leila = await app.person({ name: 'Leila Haddad' });
  const { id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia), {
    name: 'Kopi & Crumb',
  });
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  const engagement = await makeEngagement(app.db, sides, businessId, { title: 'Weekend barista' });
  const at = (side: 'worker' | 'recruiter', moment: Date): Scope => {
    app.clock.set(moment);
    return sides[side];
  };
  await workThrough(app.db, at, engagement, 'completed');
  await nadia.api.pay.tip({
    engagementId: engagement.id,
    amountMinor: 500,
    funding: { from: 'balance' },
  });
  await app.runDue();

  const { terms } = engagement;
  const gross = { pay: terms.payTotalMinor, fee: terms.holdMinor - terms.payTotalMinor };
  const { items, totals } = await nadia.api.statements.forBusiness({ businessId });
  const lines = items.map(({ kind, amountMinor, grossMinor, feeMinor, about, party }) => [
    kind,
    amountMinor,
    grossMinor,
    feeMinor,
    about,
    party,
  ]);
  const words = ['Weekend barista', 'Leila Haddad'];
  expect(lines).toEqual([
    ['tip', -500, 500, 0, ...words],
    ['release', 0, gross.pay + gross.fee, gross.fee, ...words],
    ['hold', -terms.holdMinor, terms.holdMinor, 0, ...words],
    ['top_up', totals.inMinor, totals.inMinor, 0, 'Visa ••••\u00a04242', null],
  ]);
  expect(totals).toMatchObject({ heldMinor: 0, paidMinor: gross.pay + 500, feesMinor: gross.fee });

  const own = await leila.api.statements.mine({});
  expect(own.items.map((line) => [line.kind, line.amountMinor, line.about, line.party])).toEqual([
    ['tip', 500, 'Weekend barista', 'Kopi & Crumb'],
    ['release', terms.workerGetsMinor, 'Weekend barista', 'Kopi & Crumb'],
  ]);

  const { items: documents } = await nadia.api.receipts.list({ businessId });
  expect(documents.map(({ amountMinor }) => amountMinor)).toEqual(expect.arrayContaining([gross.pay, 500]));
  expect(documents.map((document) => document.number).sort()).toEqual(['NH-000001', 'NH-000002']);
  const release = items.find((line) => line.kind === 'release');
  const line = await nadia.api.statements.businessLine({ businessId, entryId: release?.id ?? '' });
  expect(line.evidence).toMatchObject({
    paidMinutes: terms.paidMinutes,
    approvedBy: 'Nadia Rahmani',
    startsAt: terms.startsAt,
    endsAt: terms.endsAt,
  });
  expect(line.evidence.checkedInAt).not.toBeNull();
  expect(documents.map((document) => document.id)).toContain(line.receiptId);
  const { months } = await nadia.api.dashboard.figures({ businessId, months: 2 });
  expect(months.at(-1)).toMatchObject({
    payMinor: gross.pay,
    feesMinor: gross.fee,
    tipsMinor: 500,
    paidMinutes: terms.paidMinutes,
    hires: 1,
  });
});
