import type { UnclaimedMoney } from '@nearhand/contract/trust/payout-reviews';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Handlers } from '../../../test/fake-api.ts';
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
  renderPart(<UnclaimedFacts unclaimed={unclaimed(owner)} />, { session: 'worker', api });

describe('paying out to a removed account', () => {
  it.each([
    ['holderName', 'Account holder', /refuses this name/],
    ['country', 'IBAN', /can't pay to accounts in NL/],
    ['currency', 'IBAN', /can't receive EUR/],
    ['iban', 'IBAN', /This IBAN isn't valid/],
  ])('shows a refused %s at the field %s', async (field, label, words) => {
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

describe('refunding a closed business', () => {
  it('asks with the sum before it refunds', async () => {
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
