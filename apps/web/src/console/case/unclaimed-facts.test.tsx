import type { UnclaimedMoney } from '@nearhand/contract/trust/payout-reviews';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { UnclaimedFacts } from './unclaimed-facts.tsx';

const ownerId = '0193aaaa-0000-7000-8000-00000000000a';
const unclaimed = (owner: UnclaimedMoney['owner']): UnclaimedMoney => ({
  ownerId,
  owner,
  name: owner === 'person' ? 'Former member' : 'Bar Noord',
  endedAt: '2026-11-20T09:00:00.000Z',
  balances: [{ currency: 'EUR', amountMinor: 10_000, pendingMinor: 0, refundableMinor: 7_500 }],
  withdrawals: [],
  tokenUrl: '/sandbox/tokens',
});
const show = (owner: UnclaimedMoney['owner'], api: Handlers) =>
  renderPart(<UnclaimedFacts mine unclaimed={unclaimed(owner)} />, { session: 'worker', api });

describe('paying out to a removed account', () => {
  it.each([
    ['holderName', 'Account holder', /refuses this name/],
    ['country', 'IBAN', /can't pay to accounts in NL/],
    ['currency', 'IBAN', /can't receive EUR/],
    ['iban', 'IBAN', /This IBAN isn't valid/],
  ])('shows a rejected %s at the field %s', async (field, label, words) => {
    const { api } = show('person', {
      'POST /sandbox/tokens': () => Response.json({ field, problem: 'invalid' }, { status: 422 }),
    });
    fireEvent.change(screen.getByLabelText('Account holder'), { target: { value: 'L. Haddad' } });
    fireEvent.change(screen.getByLabelText('IBAN'), { target: { value: 'NL91 ABNA 0417 1643 00' } });
    fireEvent.click(screen.getByRole('button', { name: 'Hold the withdrawal for release' }));
    const problem = await screen.findByText(words);
    expect(screen.getByLabelText(label).getAttribute('aria-describedby')).toContain(problem.id);
    expect(api.calls('payoutReviews.payFormer')).toEqual([]);
  });
});

describe('a lost response', () => {
  it('is followed by the same withdrawal, with the same token', async () => {
    let tokens = 0;
    const { api } = show('person', {
      'POST /sandbox/tokens': () => Response.json({ token: `token_000${++tokens}` }),
      'payoutReviews.payFormer': () => {
        throw networkError();
      },
    });
    fireEvent.change(screen.getByLabelText('Account holder'), { target: { value: 'L. Haddad' } });
    fireEvent.change(screen.getByLabelText('IBAN'), { target: { value: 'NL91 ABNA 0417 1643 00' } });
    const send = () =>
      fireEvent.click(screen.getByRole('button', { name: 'Hold the withdrawal for release' }));
    send();
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    api.on({ 'payoutReviews.payFormer': { withdrawalId: ownerId, status: 'in_review' } });
    send();
    await screen.findByText('Withdrawal held for review');
    const [first, second] = api.calls('payoutReviews.payFormer');
    expect(second).toMatchObject({ idempotencyKey: first?.idempotencyKey, input: { token: 'token_0001' } });
  });

  it('of a refund is followed by the same refund', async () => {
    const { api } = show('business', {
      'payoutReviews.refundFormer': () => {
        throw networkError();
      },
    });
    const refund = async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Refund €75 to the cards' }));
      const dialog = within(await screen.findByRole('alertdialog', { name: 'Refund €75?' }));
      fireEvent.click(dialog.getByRole('button', { name: 'Refund €75' }));
    };
    await refund();
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    api.on({
      'payoutReviews.refundFormer': {
        refundedMinor: 7_500,
        leftMinor: 2_500,
        currency: 'EUR',
        cards: ['4242'],
      },
    });
    await refund();
    await screen.findByText('Refunded €75');
    const [first, second] = api.calls('payoutReviews.refundFormer');
    expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
  });
});

describe('paying out by the page of the provider', () => {
  const byPage = (api: Handlers) =>
    renderPart(<UnclaimedFacts mine unclaimed={{ ...unclaimed('person'), tokenUrl: null }} />, {
      session: 'worker',
      api,
    });
  const bank = { bankName: 'ING', last4: '3000', holderName: 'Leila Haddad', country: 'NL' };

  it('creates a link for the former holder, and pays to an account in the currency', async () => {
    const { api } = byPage({
      'payoutReviews.formerBanks': [
        { ...bank, token: 'acct_1/ba_1', currency: 'EUR' },
        { ...bank, token: 'acct_1/ba_2', currency: 'USD' },
      ],
      'payoutReviews.formerPage': {
        url: 'https://nearhand.example/api/payee/abc',
        expiresAt: '2026-12-04T09:00:00.000Z',
      },
      'payoutReviews.payFormer': { withdrawalId: ownerId, status: 'in_review' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Make a link for the person' }));
    expect(await screen.findByLabelText('Link to send')).toHaveProperty(
      'value',
      'https://nearhand.example/api/payee/abc',
    );
    fireEvent.click(await screen.findByRole('button', { name: /^Hold for release, / }));
    await screen.findByText('Withdrawal held for review');
    expect(api.inputs('payoutReviews.payFormer')).toEqual([
      { ownerId, currency: 'EUR', token: 'acct_1/ba_1' },
    ]);
  });

  it('shows that the provider has no account for someone who never set up payouts', async () => {
    byPage({
      'payoutReviews.formerBanks': [],
      'payoutReviews.formerPage': () => {
        throw refuse('payout/identity-wrong-state', { status: 'none' });
      },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Make a link for the person' }));
    await screen.findByText(/never set up payouts/);
  });
});

describe('refunding a closed business', () => {
  it('confirms the sum before it refunds', async () => {
    const { api } = show('business', {
      'payoutReviews.refundFormer': {
        refundedMinor: 7_500,
        leftMinor: 2_500,
        currency: 'EUR',
        cards: ['4242'],
      },
    });
    const ask = async () => {
      fireEvent.click(screen.getByRole('button', { name: 'Refund €75 to the cards' }));
      return screen.findByRole('alertdialog', { name: 'Refund €75?' });
    };
    fireEvent.click(within(await ask()).getByRole('button', { name: 'Not yet' }));
    expect(api.calls('payoutReviews.refundFormer')).toEqual([]);
    fireEvent.click(within(await ask()).getByRole('button', { name: 'Refund €75' }));
    await screen.findByText('Refunded €75');
    expect(api.calls('payoutReviews.refundFormer')).toHaveLength(1);
  });
});
