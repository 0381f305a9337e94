import type { Restriction } from '@nearhand/contract/people/accounts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../test/fake-api.ts';
import { leila, nadia, sampleAccount, sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { sampleWallet } from '../../money/wallet/wallet.fixtures.ts';

const sanctionId = '0193aaaa-0000-7000-8000-0000000000f1';
const suspended = sampleBusiness({ status: 'suspended', actions: [] });
const restriction = (change: Partial<Restriction> = {}): Restriction => ({
  sanctionId,
  business: null,
  scope: 'applying',
  rule: 'respect',
  endsAt: '2026-12-12T17:00:00Z',
  ...change,
});
const ofBusiness = restriction({
  business: { id: suspended.id, name: suspended.name },
  scope: 'hiring',
  rule: 'no-fees',
});

describe('a suspension', () => {
  it('replaces the job form: until when, the rule, what still works', async () => {
    renderApp('/create-job', {
      session: 'business',
      api: {
        'accounts.me': { ...sampleAccount(nadia, [suspended]), restrictions: [ofBusiness] },
        'businesses.mine': [suspended],
      },
    });
    const link = await screen.findByRole('link', { name: 'Read the reasons or appeal' });
    expect(link.getAttribute('href')).toBe(`/tabs/menu/decisions/${sanctionId}`);
    const text = link.closest('.banner')?.textContent ?? '';
    expect(text).toContain(`${suspended.name} can't hire until Sat`);
    expect(text).toContain('Workers never pay to get or do a job.');
    expect(text).toContain('Booked work goes on and must be paid.');
    expect(screen.queryByRole('textbox')).toBeNull();
  });

  it.each(['/tabs/menu/business', '/tabs/menu/jobs', '/roster'])(
    'from hiring hides a new job on %s, even if the business itself can hire',
    async (path) => {
      const business = sampleBusiness();
      const counts = { due: 0, late: 0, here: 0, to_approve: 0, unsettled: 0, no_show: 0, ended: 0 };
      const { container } = renderApp(path, {
        session: 'business',
        width: 1280,
        api: {
          'accounts.me': {
            ...sampleAccount(nadia, [business]),
            restrictions: [restriction({ scope: 'everything' })],
          },
          'businesses.mine': [business],
          'notifications.list': { items: [], nextCursor: null, unread: 0 },
          'jobs.listed': { items: [], nextCursor: null, counts: {}, total: 0 },
          'applicants.ofBusiness': { items: [], nextCursor: null },
          'engagements.forBusiness': { items: [], nextCursor: null, counts },
          'interviews.mine': { items: [], nextCursor: null },
          'wallet.get': sampleWallet(),
          'dashboard.figures': () => {
            throw refuse('request/internal');
          },
          'roster.week': () => {
            throw refuse('request/internal');
          },
        },
      });
      await screen.findByRole('complementary', { name: 'Suspension' });
      await waitFor(() => expect(container.querySelector('main h1')).toBeTruthy());
      await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull());
      expect(container.querySelector('a[href^="/create-job"]')).toBeNull();
      expect(screen.queryByText(/Create one/)).toBeNull();
    },
  );

  it('appears only on the screens of the affected side', async () => {
    const account = { ...sampleAccount(leila), restrictions: [restriction()] };
    renderApp('/tabs/menu/decisions', {
      session: 'worker',
      api: { 'accounts.me': account, 'sanctions.mine': { items: [], nextCursor: null } },
    });
    const line = await screen.findByRole('complementary', { name: 'Suspension' });
    expect(line.textContent).toContain("You can't apply for jobs until Sat");
  });

  it('from hiring hides on the work side', async () => {
    const account = { ...sampleAccount(leila), restrictions: [restriction({ scope: 'hiring' })] };
    const { api } = renderApp('/tabs/menu/decisions', {
      session: 'worker',
      api: { 'accounts.me': account, 'sanctions.mine': { items: [], nextCursor: null } },
    });
    await screen.findByText('No decisions about you');
    await api.calls('accounts.me');
    expect(screen.queryByRole('complementary', { name: 'Suspension' })).toBeNull();
  });
});
