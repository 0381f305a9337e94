import type { Card } from '@nearhand/contract/money/cards';
import type { Charge } from '@nearhand/contract/money/charges';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { sampleBusiness } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { queryClient } from '../../lib/api/query.ts';
import { AddCard } from '../cards/add-card.tsx';
import { moneyMoved } from '../charges/charges.api.ts';
import { RefundMoney } from '../charges/refund-money.tsx';
import { AddMoney } from './add-money.tsx';
import { ShortBalance } from './short-balance.tsx';
import { otherCard, sampleCardOf, sampleCharge, sampleWallet } from './wallet.fixtures.ts';

const now = '2026-11-21T09:00:00Z';
const business = sampleBusiness();
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const fill = () => {
  type('Card number', '4242424242424242');
  type('Expires', '1228');
  type('Security code', '123');
};

describe('a new card', () => {
  const open = (answers: object[] = [], api: Handlers = {}) => {
    const onDone = vi.fn();
    const onOuter = vi.fn();
    const sent: Record<string, unknown>[] = [];
    const { api: server } = renderPart(
      <form onSubmit={onOuter}>
        <AddCard businessId={business.id} wallet={sampleWallet()} onDone={onDone} />
      </form>,
      {
        session: 'business',
        now,
        api: {
          'POST /sandbox/tokens': async (request) => {
            sent.push((await request.json()) as Record<string, unknown>);
            const response = answers.shift() ?? { token: 'tok_test_1' };
            return json(response, 'field' in response ? 422 : 200);
          },
          'cards.add': otherCard,
          'wallet.get': sampleWallet(),
          ...api,
        },
      },
    );
    return { server, sent, onDone, onOuter };
  };
  it('is grouped while typing and sent as digits, and only its token to us', async () => {
    const { server, sent, onDone } = open();
    fill();
    expect(field('Card number').value).toBe('4242 4242 4242 4242');
    expect(field('Expires').value).toBe('12/28');
    await press('Save card');
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(otherCard));
    expect(sent).toEqual([
      { kind: 'card', number: '4242424242424242', expiresMonth: 12, expiresYear: 2028, cvc: '123' },
    ]);
    expect(server.inputs('cards.add')).toEqual([{ businessId: business.id, token: 'tok_test_1' }]);
  });

  it('is saved once by Enter without submitting the form around it', async () => {
    const response = later<Card>();
    const { server, onDone, onOuter } = open([], { 'cards.add': () => response.answer });
    fill();
    expect(fireEvent.keyDown(field('Security code'), { key: 'Enter' })).toBe(false);
    await pressTwice('Save card');
    await waitFor(() => expect(server.calls('cards.add')).toHaveLength(1));
    await response.give(otherCard);
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(server.calls('cards.add')).toHaveLength(1);
    expect(onOuter).not.toHaveBeenCalled();
  });

  it('reports what is wrong on leaving a changed field', async () => {
    open();
    fireEvent.blur(field('Card number'));
    expect(problemAt('Card number')).toBeNull();
    type('Card number', '4242 4242 4242 4241');
    expect(problemAt('Card number')).toBeNull();
    fireEvent.blur(field('Card number'));
    expect(problemAt('Card number')).toBe("This card number isn't valid. Check each digit.");
    expect(document.activeElement).not.toBe(field('Card number'));
    expect(problemAt('Expires')).toBeNull();
    type('Card number', '4242 4242 4242 4242');
    expect(problemAt('Card number')).toBeNull();
  });

  it.each([
    ['Expires', '1326', 'Enter the month and year on the card, like 09/28.'],
    ['Expires', '10/26', 'This card has expired.'],
    ['Security code', '12', 'Enter the 3 or 4 digits of the security code.'],
  ])('rejects as %s %s', async (label, typed, problem) => {
    const { sent } = open();
    fill();
    type(label, typed);
    await press('Save card');
    await waitFor(() => expect(problemAt(label)).toBe(problem));
    expect(document.activeElement).toBe(field(label));
    expect(sent).toEqual([]);
  });

  it.each([
    [
      { field: 'number', problem: 'invalid' },
      'Card number',
      "This card number isn't valid. Check each digit.",
    ],
    [{ field: 'expiresYear', problem: 'expired' }, 'Expires', 'This card has expired.'],
    [{ field: 'cvc', problem: 'invalid' }, 'Security code', 'Enter the 3 or 4 digits of the security code.'],
  ])("shows the provider's rejection at its field: %o", async (answer, label, problem) => {
    const { server } = open([answer]);
    fill();
    await press('Save card');
    await waitFor(() => expect(problemAt(label)).toBe(problem));
    expect(field('Card number').value).toBe('4242 4242 4242 4242');
    expect(server.calls('cards.add')).toHaveLength(0);
  });

  it('keeps the text when the bank rejects it', async () => {
    const { onDone } = open([], {
      'cards.add': () => {
        throw refuse('payment/card-refused', { failure: 'declined' });
      },
    });
    fill();
    await press('Save card');
    expect(await screen.findByText(/The card was refused/)).toBeTruthy();
    expect(field('Security code').value).toBe('123');
    expect(onDone).not.toHaveBeenCalled();
  });
});

describe('adding money', () => {
  const open = (api: Handlers = {}, wallet = sampleWallet(), hasTransfer = false) => {
    const onDone = vi.fn();
    const { api: server } = renderPart(
      <AddMoney
        businessId={business.id}
        wallet={wallet}
        currency="EUR"
        hasTransfer={hasTransfer}
        onDone={onDone}
      />,
      { session: 'business', now, api: { 'wallet.get': wallet, ...api } },
    );
    return { server, onDone };
  };
  const charge = sampleCharge({ purpose: 'top_up', amountMinor: 10_000 });

  it.each([true, false])('leads away to bank transfers only where nothing waits: %s', (hasTransfer) => {
    open({}, sampleWallet(), hasTransfer);
    expect(screen.queryAllByRole('link', { name: 'Add money by bank transfer' })).toHaveLength(
      hasTransfer ? 1 : 0,
    );
    expect(screen.getByText(/back to the card it came from/)).toBeTruthy();
  });

  it('saves the first card and pays with one press', async () => {
    const { server, onDone } = open(
      {
        'cards.add': otherCard,
        'wallet.topUp': { ...charge, status: 'succeeded' },
        'POST /sandbox/tokens': () => json({ token: 'tok_test_1' }),
      },
      sampleWallet({ cards: [] }),
    );
    expect(screen.queryByRole('button', { name: /^Add money/ })).toBeNull();
    type('Amount', 'a hundred');
    fireEvent.blur(field('Amount'));
    expect(problemAt('Amount')).toBe('Enter an amount, like 100 or 250.50.');
    fill();
    await press('Save card and add money');
    expect(server.calls('cards.add')).toHaveLength(0);
    type('Amount', '100');
    await press('Save card and add €100');
    await waitFor(() => expect(onDone).toHaveBeenCalledWith('€100 added to the balance'));
    expect(server.inputs('wallet.topUp')).toMatchObject([{ amountMinor: 10_000, cardId: otherCard.id }]);
  });

  it('charges the typed card after the only one was declined', async () => {
    const { server, onDone } = open(
      {
        'cards.add': otherCard,
        'wallet.topUp': { ...charge, status: 'succeeded' },
        'POST /sandbox/tokens': () => json({ token: 'tok_test_1' }),
      },
      sampleWallet({ cards: [{ ...sampleCardOf(), declined: true }] }),
    );
    type('Amount', '100');
    fill();
    expect(screen.queryByRole('button', { name: 'Add €100' })).toBeNull();
    await press('Save card and add €100');
    await waitFor(() => expect(onDone).toHaveBeenCalledWith('€100 added to the balance'));
    expect(server.inputs('wallet.topUp')).toMatchObject([{ cardId: otherCard.id }]);
  });

  it.each(['', 'a hundred', '0', '1.234', '-5'])('rejects %o', async (typed) => {
    const { server } = open();
    type('Amount', typed);
    await press(/^Add money|^Add €/);
    expect(problemAt('Amount')).toBeTruthy();
    expect(server.calls('wallet.topUp')).toHaveLength(0);
  });

  it('is paid by Enter too, from the selected card, and once during a payment', async () => {
    const { server, onDone } = open({ 'wallet.topUp': charge, 'charges.get': charge });
    type('Amount', '100');
    fireEvent.click(screen.getByRole('radio', { name: /4242/ }));
    fireEvent.keyDown(field('Amount'), { key: 'Enter' });
    await waitFor(() => expect(server.calls('wallet.topUp')).toHaveLength(1));
    fireEvent.keyDown(field('Amount'), { key: 'Enter' });
    await pressTwice('Add €100');
    expect(server.inputs('wallet.topUp')).toEqual([
      { businessId: business.id, amountMinor: 10_000, currency: 'EUR', cardId: otherCard.id, returnTo: '/' },
    ]);
    expect(onDone).not.toHaveBeenCalled();
  });

  it('shows the paid amount even when another one is typed by then', async () => {
    const response = later<Charge>();
    const { onDone } = open({ 'wallet.topUp': () => response.answer });
    type('Amount', '100');
    await press('Add €100');
    type('Amount', '999');
    await response.give({ ...charge, status: 'succeeded' });
    await waitFor(() => expect(onDone).toHaveBeenCalledWith('€100 added to the balance'));
  });

  it('can be retried with another card after one was declined', async () => {
    let cards: string[] = [];
    const { server } = open({
      'wallet.topUp': ({ cardId }) => {
        cards = [...cards, cardId];
        return { ...charge, status: 'failed', failure: 'card_declined' };
      },
    });
    type('Amount', '100');
    await press('Add €100');
    await waitFor(() => expect(server.calls('wallet.topUp')).toHaveLength(1));
    fireEvent.click(screen.getByRole('radio', { name: /4242/ }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Add €100' }).hasAttribute('disabled')).toBe(false),
    );
    await press('Add €100');
    await waitFor(() => expect(cards).toEqual([sampleCardOf().id, otherCard.id]));
  });

  it('starts with a card when there is none', () => {
    open({}, sampleWallet({ cards: [] }));
    expect(screen.getByLabelText('Card number')).toBeTruthy();
  });
});

it('shows the shortage of a refusal until as much money has arrived', async () => {
  let availableMinor = 0;
  renderPart(
    <ShortBalance
      businessId={business.id}
      currency="EUR"
      missingMinor={7_700}
      isRefusal
      action={(amount) => `Add ${amount} and publish`}
      onAdded={vi.fn()}
    />,
    { session: 'business', now, api: { 'wallet.get': () => sampleWallet({ availableMinor }) } },
  );
  expect(await screen.findByText('Your balance is €77 short')).toBeTruthy();
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  availableMinor = 7_700;
  moneyMoved();
  await waitFor(() => expect(screen.queryByText('Your balance is €77 short')).toBeNull());
});

describe('sending money back', () => {
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const { api: server } = renderPart(
      <RefundMoney
        businessId={business.id}
        balance={{ currency: 'EUR', availableMinor: 5_700, promoMinor: 700 }}
        onDone={onDone}
      />,
      {
        session: 'business',
        now,
        api: { 'charges.refund': { refundedMinor: 5_000, currency: 'EUR', cards: ['0002'] }, ...api },
      },
    );
    return { server, onDone };
  };

  it.each([
    ['', 'Enter an amount, like 20 or 20.50.'],
    ['0,00', 'Enter an amount, like 20 or 20.50.'],
    ['50.01', 'You can send back up to €50.'],
  ])('rejects %o', async (typed, problem) => {
    const { server } = open();
    type('Amount', typed);
    await pressEnter('Amount');
    expect(problemAt('Amount')).toBe(problem);
    expect(server.calls('charges.refund')).toHaveLength(0);
  });

  it('sends all of it once', async () => {
    const { server, onDone } = open();
    await press('All €50');
    await pressTwice('Send €50 back');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(server.inputs('charges.refund')).toEqual([
      { businessId: business.id, amountMinor: 5_000, currency: 'EUR' },
    ]);
  });
});
