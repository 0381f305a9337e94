import type { Tip } from '@nearhand/contract/money/tips';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { otherCard, sampleCharge, sampleWallet } from '../../money/wallet/wallet.fixtures.ts';
import { sampleEngagement } from '../engagements/engagements.fixtures.ts';
import { TipForm } from './tip-form.tsx';

const engagementId = sampleEngagement().id;
const business = sampleBusiness();
const tip = (change: Partial<Tip> = {}): Tip => ({
  id: '0193aaaa-0000-7000-8000-0000000000f9',
  engagementId,
  kind: 'tip',
  amountMinor: 750,
  currency: 'EUR',
  note: '',
  status: 'paid',
  at: '2026-11-21T15:00:00Z',
  charge: null,
  ...change,
});

function open(api: Handlers = {}, availableMinor = 10_000) {
  const onDone = vi.fn();
  const rendered = renderPart(
    <TipForm
      engagementId={engagementId}
      businessId={business.id}
      currency="EUR"
      workerName="Leila Haddad"
      onDone={onDone}
    />,
    {
      session: 'business',
      api: { 'wallet.get': sampleWallet({ availableMinor }), 'pay.tip': tip(), ...api },
    },
  );
  return { ...rendered, onDone };
}
const amount = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount' });
const typeAmount = (text: string) => fireEvent.change(amount(), { target: { value: text } });
const loaded = () => screen.findByRole('radio', { name: /balance/i });

describe('a tip', () => {
  it.each([
    ['', 'Enter an amount, like 5 or 7.50.'],
    ['0', 'Enter an amount, like 5 or 7.50.'],
    ['some', 'Enter an amount, like 5 or 7.50.'],
    ['7.505', 'Enter an amount, like 5 or 7.50.'],
    ['99999', /^Enter €.* or less\.$/],
  ])('of %o is rejected', async (typed, problem) => {
    const { api } = open();
    await loaded();
    typeAmount(typed);
    await pressEnter(/^Message/);
    const note = document.getElementById(amount().getAttribute('aria-describedby') ?? '')?.textContent;
    expect(note).toMatch(problem);
    expect(api.calls('pay.tip')).toHaveLength(0);
  });

  it('is typed or picked, and sent once with its message', async () => {
    const response = later<Tip>();
    const { api, onDone } = open({ 'pay.tip': () => response.answer });
    await loaded();
    await press('€5');
    expect(amount().value).toBe('5');
    typeAmount('7,50');
    type(/^Message/, ' Thank you! ');
    await pressEnter(/^Message/);
    await pressTwice('Give €7.50');
    await response.give(tip());
    await waitFor(() => expect(onDone).toHaveBeenCalledWith('A tip of €7.50 for Leila Haddad'));
    expect(api.inputs('pay.tip')).toEqual([
      {
        engagementId,
        kind: 'tip',
        amountMinor: 750,
        note: 'Thank you!',
        funding: { from: 'balance' },
        returnTo: '/',
      },
    ]);
  });

  it('can be a bonus', async () => {
    const { api, onDone } = open({ 'pay.tip': tip({ kind: 'bonus' }) });
    await loaded();
    fireEvent.click(screen.getByRole('radio', { name: 'Bonus' }));
    typeAmount('7.50');
    await press('Give €7.50');
    await waitFor(() => expect(onDone).toHaveBeenCalledWith('A bonus of €7.50 for Leila Haddad'));
    expect(api.inputs('pay.tip')).toMatchObject([{ kind: 'bonus' }]);
  });

  it('reports a message that is too long and keeps it', async () => {
    const { api } = open();
    await loaded();
    typeAmount('7.50');
    type(/^Message/, 'x'.repeat(2_001));
    await press('Give €7.50');
    await waitFor(() => expect(problemAt(/^Message/)).toMatch(/characters or fewer\.$/));
    expect(field(/^Message/).value).toHaveLength(2_001);
    expect(api.calls('pay.tip')).toHaveLength(0);
  });

  it("isn't paid with credit for hires", async () => {
    const { api } = open({ 'wallet.get': sampleWallet({ availableMinor: 1_000, promoMinor: 300 }) });
    expect((await loaded()).closest('label')?.textContent).toContain('Balance, €7');
    typeAmount('7.50');
    await press('Give €7.50');
    await waitFor(() => expect(api.inputs('pay.tip')).toMatchObject([{ funding: { from: 'card' } }]));
  });

  it("by card isn't sent again while its payment is in progress", async () => {
    const charge = sampleCharge({ purpose: 'tip', amountMinor: 750, status: 'processing' });
    const { api, onDone } = open({ 'pay.tip': tip({ status: 'paying', charge }), 'charges.get': charge }, 0);
    await screen.findByRole('radio', { name: /0002/ });
    typeAmount('7.50');
    await press('Give €7.50');
    await waitFor(() => expect(api.calls('pay.tip')).toHaveLength(1));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Give €7.50' }).hasAttribute('disabled')).toBe(true),
    );
    await pressEnter(/^Message/);
    expect(api.calls('pay.tip')).toHaveLength(1);
    expect(onDone).not.toHaveBeenCalled();
  });

  it('can be sent with another card after one was declined', async () => {
    const failed = sampleCharge({
      purpose: 'tip',
      amountMinor: 750,
      status: 'failed',
      failure: 'card_declined',
    });
    let declined = true;
    const { api, onDone } = open(
      {
        'pay.tip': () => {
          if (!declined) return tip();
          declined = false;
          return tip({ status: 'failed', charge: failed });
        },
      },
      0,
    );
    await screen.findByRole('radio', { name: /0002/ });
    typeAmount('7.50');
    await press('Give €7.50');
    await waitFor(() => expect(api.calls('pay.tip')).toHaveLength(1));
    fireEvent.click(screen.getByRole('radio', { name: /4242/ }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Give €7.50' }).hasAttribute('disabled')).toBe(false),
    );
    await press('Give €7.50');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(api.inputs('pay.tip')[1]?.funding).toEqual({ from: 'card', cardId: otherCard.id });
  });

  it.each([
    ['the network is gone', networkError()],
    ['it is too late', refuse('payment/tip-too-late', { until: '2026-11-20T00:00:00Z' })],
  ])('keeps the text when %s', async (_, failure) => {
    const { onDone } = open({
      'pay.tip': () => {
        throw failure;
      },
    });
    await loaded();
    typeAmount('7.50');
    type(/^Message/, 'Thank you!');
    await press('Give €7.50');
    await waitFor(() => expect(document.querySelector('.banner.bad')).toBeTruthy());
    expect([amount().value, field(/^Message/).value]).toEqual(['7.50', 'Thank you!']);
    expect(onDone).not.toHaveBeenCalled();
  });
});
