import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { problemAt, type } from '../../../test/typing.ts';

const method = {
  id: '0193aaaa-0000-7000-8000-000000000001',
  bankName: 'bunq',
  last4: '4417',
  holderName: 'Leila Haddad',
  country: 'NL',
  currency: 'EUR' as const,
  instant: true,
  isDefault: true,
  usableFrom: '2026-01-01T00:00:00.000Z',
  addedAt: '2026-01-01T00:00:00.000Z',
};

const server: Handlers = {
  'payouts.balance': {
    balances: [
      {
        currency: 'EUR',
        availableMinor: 40_000,
        pendingMinor: 0,
        reservedMinor: 0,
        nextClearings: [],
        minimumMinor: 100,
        instantFeeMinor: 150,
      },
    ],
    identity: { status: 'verified', reason: null, legalName: 'Leila Haddad' },
    account: null,
    homeCountry: 'NL',
    methods: [method],
    rules: { perDay: 5, leftToday: 5, freeFrom: null, methodHoldDays: 3, clearingDays: 5 },
    tokenUrl: 'https://provider.example/tokens',
    test: true,
  },
  'payouts.withdrawals': { items: [], nextCursor: null },
  'statements.mine': {
    items: [],
    nextCursor: null,
    currency: 'EUR',
    currencies: ['EUR'],
    timeZone: 'Europe/Amsterdam',
    totals: {
      openingMinor: 0,
      inMinor: 0,
      outMinor: 0,
      closingMinor: 0,
      earnedMinor: 0,
      tipsMinor: 0,
      feesMinor: 0,
      withdrawnMinor: 0,
    },
  },
  'payouts.quote': ({ amountMinor, speed }) => ({
    amountMinor,
    feeMinor: speed === 'instant' ? 150 : 0,
    getsMinor: amountMinor - (speed === 'instant' ? 150 : 0),
    currency: 'EUR',
    arrivesOn: '2026-11-23',
    isReviewed: false,
  }),
};

describe('the smallest withdrawal', () => {
  it('is more than its fee, so an instant one can require a larger amount', async () => {
    const { api } = renderApp('/withdraw', { session: 'worker', api: server });
    await screen.findByLabelText('Withdraw');
    type('Withdraw', '1.50');
    await waitFor(() => expect(api.inputs('payouts.quote')).toHaveLength(1));
    expect(problemAt('Withdraw')).toBeNull();

    fireEvent.click(screen.getByRole('radio', { name: /Instant/ }));
    fireEvent.blur(screen.getByLabelText('Withdraw'));
    expect(problemAt('Withdraw')).toContain('At least €1.51.');
    expect(api.inputs('payouts.quote')).toHaveLength(1);

    type('Withdraw', '1.51');
    await waitFor(() =>
      expect(api.inputs('payouts.quote').at(-1)).toMatchObject({ amountMinor: 151, speed: 'instant' }),
    );
    expect(problemAt('Withdraw')).toBeNull();
  });
});
