import type { FailedRefund } from '@nearhand/contract/trust/platform-health';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { OperatorProvider } from '../sign-in/operator-session.ts';
import { HealthPage } from './health-page.tsx';

const refund = (name: string, isClosed: boolean): FailedRefund => ({
  id: `01a1fbbc-d019-79f0-8086-99404${isClosed ? '9' : '8'}deb371`,
  business: { id: '01a1fbbc-d019-79f0-8086-994049deb372', name, isClosed },
  amountMinor: 2_000,
  currency: 'EUR',
  card: { brand: 'Visa', last4: '4242' },
  failedAt: '2026-11-20T09:00:00.000Z',
});

const show = (roles: readonly ['finance'] | readonly ['support']) =>
  renderPart(
    <OperatorProvider
      value={{
        id: '01a1fbbc-d019-79f0-8086-994049deb373',
        name: 'Mira',
        email: 'mira@x.example',
        roles: [...roles],
        secondFactors: ['code'],
        present: true,
      }}
    >
      <HealthPage />
    </OperatorProvider>,
    {
      session: 'worker',
      api: {
        'platformHealth.get': {
          days: [{ day: '2026-11-20', signUps: 3, disputes: 0, spots: 4, filled: 2 }],
          disputesOpen: 0,
          payoutsWaiting: [],
          audits: [
            { name: 'ledger', at: new Date().toISOString(), checked: 10, findings: 0, first: [] },
            { name: 'provider', at: '2026-11-01T03:17:00.000Z', checked: 3, findings: 0, first: [] },
            {
              name: 'statements',
              at: '2026-11-01T03:17:00.000Z',
              checked: 3,
              findings: 2,
              first: ['a line'],
            },
          ],
          failedTasks: 0,
        },
        'platformHealth.failedRefunds': {
          items: [refund('Bar Noord', false), refund('Café Zuid', true)],
          nextCursor: null,
        },
        'cases.counts': [],
      },
    },
  );

it('shows finance whose refund failed, the amount, and what to do', async () => {
  show(['finance']);
  const [openRow, closedRow] = await within(
    await screen.findByRole('region', { name: 'Failed refunds' }),
  ).findAllByRole('listitem');
  expect(openRow?.textContent).toMatch(/Bar Noord.*Visa.*4242.*in the balance again.*€20/);
  expect(closedRow?.textContent).toMatch(/Café Zuid.*The business is closed/);
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual([
    expect.stringContaining('/search/business/'),
    expect.stringMatching(/unclaimed\/01a1fbbc-d019-79f0-8086-994049deb372/),
  ]);
});

it('shows refunds only to members who handle payments', async () => {
  const { api } = show(['support']);
  await screen.findByText('No case is open.');
  expect(api.calls('platformHealth.failedRefunds')).toEqual([]);
});

it('lists every daily check with its time, one that never ran and one that missed a night too', async () => {
  show(['support']);
  const region = await screen.findByRole('region', { name: 'Daily checks' });
  expect(region.textContent).toContain('03:17 UTC');
  const lines = within(region)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(lines).toEqual([
    expect.stringMatching(/^Ledger.*10 checkedNothing found$/),
    'Log of operatorsNot run yet',
    expect.stringMatching(/^Payment provider.*Missed last night$/),
    expect.stringMatching(/^Statement lines.*a line2 found$/),
  ]);
});

it('has the values of each plot as text', async () => {
  show(['support']);
  const plot = await screen.findByRole('region', { name: 'Spots filled per day' });
  expect(within(plot).getByText('Values per day')).toBeTruthy();
  expect(within(plot).getByRole('row').textContent).toMatch(/20\sNov.*2 of 4/);
});
