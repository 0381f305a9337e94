import type { SellerReport } from '@nearhand/contract/money/seller-reports';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { type Handlers, networkError } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { OperatorProvider } from '../sign-in/operator-session.ts';
import { TaxReportsPage } from './tax-reports-page.tsx';

const report: SellerReport = {
  id: '01a1fbbc-d019-79f0-8086-994049deb371',
  year: 2026,
  countryCode: 'NL',
  corrects: null,
  problem: null,
  madeAt: '2027-01-10T09:00:00.000Z',
  sellers: 812,
  missing: 3,
  sentAt: null,
  formats: ['csv', 'xml'],
};
const overview = {
  law: { name: 'DAC7', reportBy: '01-31' },
  counts: { asked: 900, missing: 41, waiting: 7 },
  years: [2026, 2025],
  reports: [report],
};
const show = (api: Handlers = {}) =>
  renderPart(
    <OperatorProvider
      value={{
        id: '01a1fbbc-d019-79f0-8086-994049deb373',
        name: 'Mira',
        email: 'mira@x.example',
        roles: ['finance'],
        secondFactors: ['code'],
        present: true,
      }}
    >
      <TaxReportsPage />
    </OperatorProvider>,
    { session: 'worker', api: { 'sellerReports.overview': overview, ...api } },
  );

it('shows how complete the details are, and makes the report of a year', async () => {
  const make = vi.fn(() => ({ ...report, year: 2025 }));
  show({ 'sellerReports.make': make });
  const details = (await screen.findByText('Details missing')).closest('section') as HTMLElement;
  for (const part of ['900', '41', '7', '31/01']) expect(details.textContent).toContain(part);
  expect(screen.getByText('812')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Make the report: 2025' }));
  await vi.waitFor(() => expect(make).toHaveBeenCalled());
  expect(make.mock.calls[0]).toMatchObject([{ year: 2025 }, {}]);
});

it('makes a report once after a lost response', async () => {
  const { api } = show({
    'sellerReports.make': () => {
      throw networkError();
    },
  });
  const make = async () =>
    fireEvent.click(await screen.findByRole('button', { name: 'Make the report: 2025' }));
  await make();
  await vi.waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
  api.on({ 'sellerReports.make': { ...report, year: 2025 } });
  await make();
  await vi.waitFor(() => expect(api.calls('sellerReports.make')).toHaveLength(2));
  const [first, second] = api.calls('sellerReports.make');
  expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
});

it('marks a report as sent after a question, and asks for a reason before its files', async () => {
  const markSent = vi.fn(() => ({ ...report, sentAt: '2027-01-11T09:00:00.000Z' }));
  show({ 'sellerReports.markSent': markSent });
  fireEvent.click(await screen.findByRole('button', { name: 'Mark as sent' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('Everyone in it is told');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Mark as sent' }));
  await vi.waitFor(() => expect(markSent).toHaveBeenCalled());
  expect(screen.queryByRole('button', { name: /: XML/ })).toBeNull();
  expect(screen.getByLabelText('Why do you need access?')).toBeTruthy();
});

it('offers a correction of a report that was sent, and names who was left out', async () => {
  const sent = { ...report, missing: 0, sentAt: '2027-01-11T09:00:00.000Z' };
  const correction = {
    ...report,
    id: '01a1fbbc-d019-79f0-8086-994049deb374',
    corrects: report.id,
    sellers: 2,
    formats: ['csv' as const, 'xml-new' as const],
  };
  const missing = {
    items: [
      {
        accountId: '01a1fbbc-d019-79f0-8086-994049deb375',
        name: 'Leila Haddad',
        askedAt: '2026-12-01T09:00:00.000Z',
        reminders: 2,
        hasDetails: false,
      },
    ],
    nextCursor: null,
  };
  show({
    'sellerReports.overview': { ...overview, reports: [correction, sent] },
    'sellerReports.missing': missing,
  });
  expect(await screen.findByText('People who are new, changed or deleted')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Why do you need access?'), {
    target: { value: 'The correction of this year' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Leila Haddad')).toBeTruthy();
  const section = screen.getByRole('region', { name: /^Correction/ });
  const files = within(section).getAllByRole('button', { name: /: (CSV|XML)/ });
  expect(files.map(({ textContent }) => textContent)).toEqual(['CSV', 'XML of new people']);
  const names = screen
    .getAllByRole('button', { name: /: (CSV|XML)/ })
    .map((button) => button.getAttribute('aria-label'));
  expect(new Set(names).size).toBe(names.length);
  expect(screen.getByRole('button', { name: 'Make the correction again: 2026' }).textContent).toBe(
    'Make the correction again',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Mark as sent' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('received the correction of 2026?');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Not yet' }));
  expect(screen.getByText(/reminders sent: 2/)).toBeTruthy();
});

it('says that a report is being made, and why one can’t be sent', async () => {
  const reports = [
    { ...report, madeAt: null },
    { ...report, id: '01a1fbbc-d019-79f0-8086-994049deb376', year: 2025, problem: 'unchanged' as const },
  ];
  show({ 'sellerReports.overview': { ...overview, reports } });
  expect(await screen.findByText(/is being made/)).toBeTruthy();
  expect(screen.getByText(/nothing to correct/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Mark as sent' })).toBeNull();
});
