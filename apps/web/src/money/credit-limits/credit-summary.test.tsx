import type { CreditLimit } from '@nearhand/contract/money/credit-limits';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { CreditSummary } from './credit-summary.tsx';

const businessId = '0193aaaa-0000-7000-8000-0000000000b1';
const credit: CreditLimit = {
  currency: 'EUR',
  limitMinor: 100_000,
  availableMinor: 60_000,
  owedMinor: 40_000,
  dues: [
    { dueOn: '2026-10-31', amountMinor: 15_000 },
    { dueOn: '2026-12-31', amountMinor: 25_000 },
  ],
  overdueMinor: 15_000,
  stopsOn: '2026-11-18',
  stopped: false,
  ended: false,
};
const open = (changes: Partial<CreditLimit> = {}) =>
  renderPart(<CreditSummary businessId={businessId} />, {
    session: 'business',
    api: { 'creditLimits.get': { credit: { ...credit, ...changes } } },
  });

it('shows what is used and due, when hiring stops, and how to pay', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'Credit limit' });
  for (const text of ['Limit€1,000', 'Used€400', 'Still available€600'])
    expect(card.textContent).toContain(text);
  expect(card.textContent).toMatch(/Overdue since .*31.*€150Due .*31.*€250/);
  expect(card.textContent).toMatch(/€150 is overdue. Pay it before .*18.* to keep hiring./);
  expect(screen.getByRole('link', { name: 'Pay by bank transfer' }).getAttribute('href')).toBe(
    `/merchant-transaction?show=transfer&business=${businessId}`,
  );
});

it('says that hiring stopped, and that an ended limit stays due, by card in another currency', async () => {
  open({ stopped: true, ended: true, currency: 'SEK' });
  const card = await screen.findByRole('region', { name: 'Credit limit' });
  expect(card.textContent).toContain('You can hire again once it is paid. Booked work goes on.');
  expect(card.textContent).toContain('Your credit limit has ended. What you owe stays due.');
  expect(card.textContent).not.toContain('Still available');
  expect(screen.getByRole('link', { name: 'Add money' }).getAttribute('href')).toBe(
    '/tabs/menu/business?add=40000',
  );
});
