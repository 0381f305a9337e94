import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press, setOnline, signal } from '../../../test/device.ts';
import { type Handlers, networkError, never, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { sampleBalance, sampleMethod, sampleMoney, sampleWithdrawal } from './payouts.fixtures.ts';

const noLines = {
  items: [],
  nextCursor: null,
  currency: 'EUR' as const,
  currencies: ['EUR' as const],
  timeZone: 'Europe/Amsterdam',
};

function open(api: Handlers = {}, path = '/withdraw', width = 390) {
  return renderApp(path, {
    width,
    session: 'worker',
    now: '2026-11-21T10:00:00Z',
    api: {
      'payouts.balance': sampleBalance(),
      'payouts.withdrawals': { items: [], nextCursor: null },
      'payouts.quote': ({ amountMinor, speed }) => {
        const feeMinor = speed === 'instant' ? 100 : 0;
        return {
          amountMinor,
          feeMinor,
          getsMinor: amountMinor - feeMinor,
          currency: 'EUR',
          arrivesOn: '2026-11-24',
          isReviewed: false,
        };
      },
      'statements.mine': { ...noLines, totals: totals() },
      ...api,
    },
  });
}
const totals = () => ({
  openingMinor: 0,
  closingMinor: 0,
  inMinor: 0,
  outMinor: 0,
  earnedMinor: 0,
  tipsMinor: 0,
  feesMinor: 0,
  withdrawnMinor: 0,
});
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Withdraw' });
const type = async (value: string) => fireEvent.change(await field(), { target: { value } });
const dock = (name: string | RegExp = /^Withdraw/) => screen.getByRole<HTMLButtonElement>('button', { name });
async function ask(amount: string) {
  await type(amount);
  fireEvent.click(dock());
  return within(await screen.findByRole('dialog', { name: 'Withdraw' }));
}

describe('the balance', () => {
  it('has its button in the form on a wide screen, and at the bottom of a phone', async () => {
    const phone = open();
    await field();
    expect(dock().closest('.balance-desk')).toBeNull();
    phone.unmount();
    open({}, '/withdraw', 1280);
    await field();
    expect(dock().closest('.balance-desk')).toBeTruthy();
  });

  it('shows what is available, what clears and when, and what is on its way', async () => {
    open({
      'payouts.balance': sampleBalance({
        balances: [
          sampleMoney({
            pendingMinor: 10_800,
            reservedMinor: 2_000,
            nextClearings: [
              { amountMinor: 2_000, at: '2026-11-26T10:00:00Z' },
              { amountMinor: 500, at: '2026-11-26T10:05:00Z' },
              { amountMinor: 8_300, at: '2026-11-27T10:00:00Z' },
            ],
          }),
        ],
        identity: { status: 'none', reason: null, legalName: null },
      }),
    });
    const card = await screen.findByRole('region', { name: 'Balance' });
    expect(card.textContent).toMatch(/Available€150Pending€108On its way to your bank€20Total balance€278/);
    expect(card.textContent).toMatch(/€25 clears on .*26\sNov, €83 on .*27\sNov\./);
    expect(within(card).getByRole('button', { name: 'Verify your identity' })).toBeTruthy();
  });

  it('has a skeleton, an error with a retry, and the last figures without a network', async () => {
    const { api, unmount } = open({ 'payouts.balance': never });
    expect(await screen.findByRole('status', { name: 'Loading' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Withdraw/ })).toBeNull();
    unmount();
    expect(api.calls('payouts.withdraw')).toEqual([]);
    const second = open({
      'payouts.balance': () => {
        throw refuse('request/internal');
      },
    });
    expect(await screen.findByText("We couldn't load your balance")).toBeTruthy();
    second.api.on({ 'payouts.balance': sampleBalance() });
    await press('Try again');
    await screen.findByRole('region', { name: 'Balance' });
    setOnline(second.api, false);
    await waitFor(() => expect(dock().getAttribute('aria-disabled')).toBe('true'));
    expect(screen.getByText(/You can withdraw once you're back online/)).toBeTruthy();
  });

  it('asks for an account in the currency first, and shows when it is usable', async () => {
    open({ 'payouts.balance': sampleBalance({ methods: [] }) });
    expect(await screen.findByText(/Add a bank account for EUR now.*3 days later/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Withdraw/ })).toBeNull();
  });

  it('keeps each currency apart', async () => {
    open({
      'payouts.balance': sampleBalance({
        balances: [
          sampleMoney(),
          sampleMoney({ currency: 'JPY', availableMinor: 9_000, minimumMinor: 1_500 }),
        ],
        methods: [
          sampleMethod(),
          sampleMethod({ id: sampleWithdrawal().id, currency: 'JPY', last4: '7777' }),
        ],
      }),
    });
    await type('20');
    await press('JPY');
    expect((await field()).value).toBe('');
    await type('20.5');
    expect(await screen.findByText('Whole amounts only, like 2000.')).toBeTruthy();
    await type('2000');
    await waitFor(() => expect(dock().textContent).toMatch(/2,000/));
    expect(screen.getByText(/7777/)).toBeTruthy();
  });

  it('updates when a release clears', async () => {
    const { api } = open();
    await screen.findByRole('region', { name: 'Balance' });
    api.on({ 'payouts.balance': sampleBalance({ balances: [sampleMoney({ availableMinor: 20_000 })] }) });
    signal({ kind: 'record', record: 'balance', id: sampleMethod().id });
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Balance' }).textContent).toContain('€200'),
    );
  });
});

describe('withdrawing', () => {
  it.each([
    ['', 'Enter an amount, like 20 or 20.50.'],
    ['twenty', 'Enter an amount, like 20 or 20.50.'],
    ['20.505', 'Use up to 2 decimal places, like 20.50.'],
    ['9.99', 'At least €10.'],
    ['150.01', '€150 is available.'],
  ])('of %j shows what is wrong and requests nothing', async (typed, words) => {
    const { api } = open();
    await type(typed);
    fireEvent.click(dock());
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Withdraw' })).toBeNull();
    expect(api.calls('payouts.quote')).toEqual([]);
  });

  it('shows the amount and the arrival before it is sent', async () => {
    const { api } = open({ 'payouts.withdraw': sampleWithdrawal() });
    await type('20');
    fireEvent.click(screen.getByRole('radio', { name: /^Instant/ }));
    expect(await screen.findByText('€19 arrives.')).toBeTruthy();
    fireEvent.click(dock('Withdraw €20'));
    const sheet = within(await screen.findByRole('dialog', { name: 'Withdraw' }));
    expect(sheet.getByText('−€1')).toBeTruthy();
    fireEvent.click(sheet.getByRole('button', { name: 'Withdraw €20' }));
    expect(await screen.findByText('€19 is on its way')).toBeTruthy();
    expect(api.inputs('payouts.withdraw')).toEqual([
      { methodId: sampleMethod().id, amountMinor: 2_000, speed: 'instant' },
    ]);
    expect((await field()).value).toBe('');
  });

  it('is sent once for several presses', async () => {
    const { api } = open({ 'payouts.withdraw': sampleWithdrawal() });
    const send = (await ask('20')).getByRole('button', { name: 'Withdraw €20' });
    fireEvent.click(send);
    fireEvent.click(send);
    await screen.findByText('€20 is on its way');
    expect(api.calls('payouts.withdraw')).toHaveLength(1);
  });

  it('with a lost response is resent with the same key, even from a new sheet', async () => {
    const { api } = open({
      'payouts.withdraw': () => {
        throw networkError();
      },
    });
    const sheet = await ask('20');
    fireEvent.click(sheet.getByRole('button', { name: 'Withdraw €20' }));
    expect(await sheet.findByText(/reach|connection/i)).toBeTruthy();
    fireEvent.click(sheet.getByRole('button', { name: 'Not now' }));
    api.on({ 'payouts.withdraw': sampleWithdrawal() });
    fireEvent.click(dock('Withdraw €20'));
    const again = within(await screen.findByRole('dialog', { name: 'Withdraw' }));
    fireEvent.click(again.getByRole('button', { name: 'Withdraw €20' }));
    await screen.findByText('€20 is on its way');
    fireEvent.click((await ask('20')).getByRole('button', { name: 'Withdraw €20' }));
    await waitFor(() => expect(api.calls('payouts.withdraw')).toHaveLength(3));
    const [first, second, third] = api.calls('payouts.withdraw').map(({ idempotencyKey }) => idempotencyKey);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('stays in view when the balance falls below it in the meantime', async () => {
    const { api } = open({
      'payouts.withdraw': () => {
        api.on({ 'payouts.balance': sampleBalance({ balances: [sampleMoney({ availableMinor: 0 })] }) });
        throw networkError();
      },
    });
    const sheet = await ask('150');
    fireEvent.click(sheet.getByRole('button', { name: 'Withdraw €150' }));
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Balance', hidden: true }).textContent).toContain('€0'),
    );
    expect(sheet.getByText(/reach|connection/i)).toBeTruthy();
    expect(sheet.getByRole('button', { name: 'Withdraw €150' })).toBeTruthy();
  });

  it('shows why nothing cannot be withdrawn, and has no button while nothing is available', async () => {
    open();
    await type('0');
    fireEvent.click(dock());
    expect(await screen.findByText(/At least €\d/)).toBeTruthy();
    cleanup();
    open({ 'payouts.balance': sampleBalance({ balances: [sampleMoney({ availableMinor: 0 })] }) });
    expect(await screen.findByText(/^Nothing to withdraw/)).toBeTruthy();
    expect(screen.queryByRole('textbox', { name: 'Withdraw' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Withdraw/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'Your bank accounts' })).toBeTruthy();
  });

  it('shows from when it works again', async () => {
    open({
      'payouts.withdraw': () => {
        throw refuse('payout/daily-limit', { perDay: 3, from: '2026-11-22T09:30:00Z' });
      },
    });
    const sheet = await ask('20');
    fireEvent.click(sheet.getByRole('button', { name: 'Withdraw €20' }));
    expect(await sheet.findByText(/withdrawals in 24 hours.*22 Nov/)).toBeTruthy();
  });

  it('waits for a new account and for a limit, with the reason', async () => {
    const first = open({
      'payouts.balance': sampleBalance({ methods: [sampleMethod({ usableFrom: '2026-11-23T10:00:00Z' })] }),
    });
    expect(await screen.findByText(/you can use this new account from .*23 Nov/)).toBeTruthy();
    expect(dock().disabled).toBe(true);
    first.unmount();
    open({
      'payouts.balance': sampleBalance({
        rules: {
          perDay: 3,
          leftToday: 0,
          freeFrom: '2026-11-22T08:00:00Z',
          methodHoldDays: 3,
          clearingDays: 5,
        },
      }),
    });
    expect(await screen.findByText(/3 withdrawals in 24 hours.*22 Nov/)).toBeTruthy();
    expect(dock().disabled).toBe(true);
  });

  it('continues with the previous account after a new one was added, which shows from when it works', async () => {
    const added = sampleMethod({
      id: sampleWithdrawal().id,
      last4: '9000',
      isDefault: false,
      usableFrom: '2026-11-24T10:00:00Z',
    });
    const { api } = open({
      'POST /sandbox/tokens': () => Response.json({ token: 'tok_test_1' }),
      'payouts.addMethod': () => {
        api.on({ 'payouts.balance': sampleBalance({ methods: [sampleMethod(), added] }) });
        return added;
      },
    });
    await type('20');
    await press('Change the bank account');
    await press('Add a bank account');
    fireEvent.change(screen.getByLabelText('Account holder'), { target: { value: 'Leila Haddad' } });
    fireEvent.change(screen.getByLabelText('IBAN'), { target: { value: 'NL89NRHD0000009000' } });
    await press('Add account');
    expect(await screen.findByText(/Account added. You can use it from .*24 Nov/)).toBeTruthy();
    expect((await field()).value).toBe('20');
    await waitFor(() => expect(dock('Withdraw €20').disabled).toBe(false));
    expect(screen.queryByText(/you can use this new account from/)).toBeNull();
    await press('Change the bank account');
    const sheet = within(await screen.findByRole('dialog', { name: 'Bank accounts' }));
    const [inUse, held] = sheet.getAllByRole<HTMLButtonElement>('button', { name: /Leila Haddad, EUR/ });
    expect(inUse?.getAttribute('aria-pressed')).toBe('true');
    expect(held?.textContent).toMatch(/9000.*available from .*24\sNov/);
    expect(held?.disabled).toBe(true);
  });

  it('can be cancelled until sent, then shows its progress', async () => {
    const withdrawal = sampleWithdrawal();
    const { api } = open({
      'payouts.withdrawals': { items: [withdrawal], nextCursor: null },
      'payouts.withdrawal': withdrawal,
      'payouts.cancel': () => {
        api.on({ 'payouts.withdrawal': sampleWithdrawal({ status: 'processing', version: 2, actions: [] }) });
        throw refuse('payout/wrong-state', { status: 'processing' });
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: /To your bank/ }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Withdrawal' }));
    fireEvent.click(await sheet.findByRole('button', { name: 'Cancel withdrawal' }));
    await waitFor(() => expect(sheet.queryByRole('button', { name: 'Cancel withdrawal' })).toBeNull());
    expect(sheet.getAllByText('Sending').length).toBeGreaterThan(0);
    expect(api.inputs('payouts.cancel')).toEqual([{ withdrawalId: withdrawal.id, version: 1 }]);
  });

  it('that was returned shows why, and that the money is in the balance again', async () => {
    const back = sampleWithdrawal({ status: 'returned', failure: 'account_closed', actions: [] });
    open({ 'payouts.withdrawals': { items: [back], nextCursor: null }, 'payouts.withdrawal': back });
    fireEvent.click(await screen.findByRole('button', { name: /To your bank/ }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Withdrawal' }));
    expect(sheet.getByText(/this account is closed.*The money is back in your balance/)).toBeTruthy();
    expect(sheet.queryByText('Arrives')).toBeNull();
  });
});

describe('withdrawing to close the account', () => {
  const little = { 'payouts.balance': sampleBalance({ balances: [sampleMoney({ availableMinor: 320 })] }) };

  it('has no minimum, and shows why', async () => {
    const { api } = open(
      { ...little, 'payouts.withdraw': sampleWithdrawal({ amountMinor: 320 }) },
      '/withdraw?closing=yes',
    );
    expect(await screen.findByText(/There's no minimum when you close your account/)).toBeTruthy();
    await type('1');
    fireEvent.click(dock());
    expect(await screen.findByText('At least €3.20.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'All €3.20' }));
    fireEvent.click(dock());
    const sheet = within(await screen.findByRole('dialog', { name: 'Withdraw' }));
    fireEvent.click(sheet.getByRole('button', { name: /^Withdraw/ }));
    await waitFor(() =>
      expect(api.inputs('payouts.withdraw')[0]).toMatchObject({ amountMinor: 320, closing: true }),
    );
  });

  it('keeps the minimum otherwise', async () => {
    open(little);
    expect(await screen.findByText('You can withdraw €10 or more.')).toBeTruthy();
    expect(screen.queryByText(/close your account/)).toBeNull();
  });
});

describe('a withdrawal to a bank account of another name', () => {
  const refused = 'The bank account belongs to someone else.';
  it('announces the check before it is sent, and shows it after', async () => {
    open({
      'payouts.quote': ({ amountMinor }) => ({
        amountMinor,
        feeMinor: 0,
        getsMinor: amountMinor,
        currency: 'EUR',
        arrivesOn: '2026-11-24',
        isReviewed: true,
      }),
      'payouts.withdraw': sampleWithdrawal({ status: 'in_review' }),
    });
    const sheet = await ask('20');
    await sheet.findByText(/Leila Haddad, isn't the name we verified.*You can cancel until then/);
    fireEvent.click(sheet.getByRole('button', { name: /^Withdraw/ }));
    await screen.findByText("We'll check the bank account first");
  });

  it('can be cancelled during the check, and shows the reason after a rejection', async () => {
    const inReview = sampleWithdrawal({ status: 'in_review', cancelBy: null, arrivesOn: null });
    const { api } = open({
      'payouts.withdrawals': { items: [inReview], nextCursor: null },
      'payouts.withdrawal': inReview,
      'payouts.cancel': { ...inReview, status: 'cancelled' },
    });
    fireEvent.click(await screen.findByText('Taking longer than usual', { exact: false }));
    const sheet = within(await screen.findByRole('dialog', { name: 'Withdrawal' }));
    await sheet.findByText(/isn't the name we verified/);
    const decided = sampleWithdrawal({ status: 'refused', refusedBecause: refused, actions: [] });
    api.on({ 'payouts.withdrawal': decided });
    fireEvent.click(sheet.getByRole('button', { name: 'Cancel withdrawal' }));
    await waitFor(() => expect(api.calls('payouts.cancel')).toHaveLength(1));
    await sheet.findByText(refused);
    expect(sheet.getByRole('link', { name: 'See your decisions' })).toBeTruthy();
  });
});
