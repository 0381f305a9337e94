import type { PayoutIdentity, PayoutMethod, Withdrawal } from '@nearhand/contract/money/payouts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type AnswerOf, type Handlers, networkError, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, later, pressEnter, pressTwice, problemAt, type } from '../../../test/typing.ts';
import { ConfirmIdentityHost } from '../../people/passkeys/confirm-identity.tsx';
import { BankForm } from './bank-form.tsx';
import { IdentityForm } from './identity-form.tsx';
import type { Balance } from './payouts.api.ts';
import WithdrawScreen from './withdraw.screen.tsx';

const now = '2026-11-21T09:00:00Z';
const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const method = (change: Partial<PayoutMethod> = {}): PayoutMethod => ({
  id: id('d1'),
  bankName: 'Sandbox Bank NL',
  last4: '9000',
  holderName: 'Leila Haddad',
  country: 'NL',
  currency: 'EUR',
  instant: true,
  isDefault: true,
  usableFrom: '2026-11-20T09:00:00Z',
  addedAt: '2026-11-17T09:00:00Z',
  ...change,
});
const identity = (status: PayoutIdentity['status']): PayoutIdentity => ({
  status,
  legalName: 'Leila Haddad',
  reason: null,
});
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

function provider(...answers: (object | 'down')[]) {
  const sent: Record<string, unknown>[] = [];
  const handler = async (request: Request) => {
    sent.push((await request.json()) as Record<string, unknown>);
    const response = answers.shift() ?? { token: 'tok_test_1' };
    if (response === 'down') return json({}, 503);
    return json(response, 'field' in response ? 422 : 200);
  };
  return { sent, handlers: { 'POST /sandbox/tokens': handler } satisfies Handlers };
}

describe('a new bank account', () => {
  const open = (bank = provider(), api: Handlers = {}, currency: 'EUR' | 'USD' = 'EUR', holderName = '') => {
    const onDone = vi.fn();
    const { api: server } = renderPart(
      <>
        <BankForm
          tokenUrl="http://localhost/sandbox/tokens"
          test={false}
          currency={currency}
          holderName={holderName}
          holdDays={3}
          onDone={onDone}
        />
        <ConfirmIdentityHost />
      </>,
      { session: 'worker', api: { ...bank.handlers, 'payouts.addMethod': method(), ...api } },
    );
    return { server, onDone, sent: bank.sent };
  };
  const fill = () => {
    type('Account holder', ' Leila Haddad ');
    type('IBAN', 'nl89nrhd0000009000');
  };

  it('goes to the provider, and only its token to us, once', async () => {
    const response = later<PayoutMethod>();
    const { server, onDone, sent } = open(provider(), { 'payouts.addMethod': () => response.answer });
    fill();
    expect(field('IBAN').value).toBe('NL89 NRHD 0000 0090 00');
    await pressEnter('IBAN');
    await pressTwice('Add account');
    await waitFor(() => expect(server.calls('payouts.addMethod')).toHaveLength(1));
    await response.give(method());
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(sent).toEqual([
      {
        kind: 'bank',
        holderName: 'Leila Haddad',
        country: 'NL',
        currency: 'EUR',
        iban: 'NL89NRHD0000009000',
      },
    ]);
    expect(server.inputs('payouts.addMethod')).toEqual([{ token: 'tok_test_1' }]);
  });

  it("requires its currency's fields, and keeps values when the currency changes", async () => {
    const { sent } = open();
    await press('Add account');
    await waitFor(() => expect(problemAt('Account holder')).toBe("Enter the account holder's name."));
    expect(problemAt('IBAN')).toBe('Enter the IBAN.');
    expect(document.activeElement).toBe(field('Account holder'));
    // A swapped digit is found together with what is missing.
    type('IBAN', 'nl89nrhd0000000900');
    await press('Add account');
    expect(problemAt('IBAN')).toBe("This IBAN isn't valid. Check each character.");
    expect(problemAt('Account holder')).toBe("Enter the account holder's name.");
    fill();
    type('Currency', 'USD');
    expect(screen.queryByLabelText('IBAN')).toBeNull();
    await press('Add account');
    await waitFor(() => expect(problemAt('Routing number')).toBe('Enter the routing number.'));
    type('Currency', 'EUR');
    expect(field('IBAN').value).toBe('NL89 NRHD 0000 0090 00');
    expect(field('Account holder').value).toBe(' Leila Haddad ');
    expect(sent).toEqual([]);
  });

  it('of the United States is sent as digits', async () => {
    const { sent } = open(provider(), {}, 'USD');
    type('Account holder', 'Leila Haddad');
    type('Routing number', '021 000 021');
    type('Account number', '000-123 456');
    await press('Add account');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ country: 'US', routing: '021000021', account: '000123456' });
  });

  it.each([
    [{ field: 'iban', problem: 'invalid' }, 'IBAN'],
    [{ field: 'country', problem: 'other_country' }, 'IBAN'],
    [{ field: 'currency', problem: 'unsupported' }, 'Currency'],
    [{ field: 'holderName', problem: 'invalid' }, 'Account holder'],
  ])("shows the provider's rejection at its field: %o", async (problem, label) => {
    const { server, onDone } = open(provider(problem));
    fill();
    await press('Add account');
    await waitFor(() => expect(problemAt(label)).toBeTruthy());
    expect(document.activeElement).toBe(field(label));
    expect(field('IBAN').value).toBe('NL89 NRHD 0000 0090 00');
    expect(server.calls('payouts.addMethod')).toHaveLength(0);
    await press('Add account');
    await waitFor(() => expect(onDone).toHaveBeenCalled());
  });

  it('reauthenticates on request, keeps the text, and then adds the same account', async () => {
    let proved = false;
    const { server, onDone, sent } = open(provider(), {
      'payouts.addMethod': () => {
        if (!proved) throw refuse('session/password-required');
        return method();
      },
      'POST /api/auth/verify-password': () => {
        proved = true;
        return new Response('{}', { headers: { 'content-type': 'application/json' } });
      },
      'signIn.secondStep': { on: false, hasPassword: true },
      'passkeys.list': [],
    });
    fill();
    await press('Add account');
    await screen.findByRole('dialog', { name: "Confirm that it's you" });
    await press('Close');
    expect(await screen.findByText("You didn't confirm that it's you, so nothing changed.")).toBeTruthy();
    expect(field('IBAN').value).toBe('NL89 NRHD 0000 0090 00');
    await press('Add account');
    await waitFor(() => expect(document.activeElement).toBe(field('Password')));
    type('Password', 'secret-1');
    await press('Continue');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
    expect(sent).toHaveLength(2);
    expect(server.inputs('payouts.addMethod')).toEqual(Array(3).fill({ token: 'tok_test_1' }));
  });

  it('keeps the text when provider or server fail', async () => {
    let refusals = 1;
    const { onDone } = open(provider('down'), {
      'payouts.addMethod': () => {
        if (refusals-- > 0) throw refuse('payout/method-refused', { failure: 'other' });
        return method();
      },
    });
    fill();
    await press('Add account');
    await screen.findByText(/went wrong|try again/i);
    await press('Add account');
    await screen.findByText(/The bank account was refused/);
    expect(field('Account holder').value).toBe(' Leila Haddad ');
    await press('Add account');
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  });
});

describe('the identity for payouts', () => {
  const open = (api: Handlers = {}) => {
    const onDone = vi.fn();
    const { api: server } = renderPart(<IdentityForm test={false} homeCountry="NL" onDone={onDone} />, {
      session: 'worker',
      api: {
        'payouts.verifyIdentity': identity('pending'),
        ...api,
      },
    });
    return { server, onDone };
  };

  it('requires every field, ignores blanks, and focuses the first gap', async () => {
    const { server } = open();
    type('Legal name', '   ');
    type('Country', '');
    await press('Send for verification');
    await waitFor(() => expect(problemAt('Legal name')).toBe('Enter your legal name.'));
    expect(problemAt('Date of birth')).toBe('Enter your date of birth.');
    expect(problemAt('Country')).toBe('Pick the country you live in.');
    expect(problemAt('Address')).toBe('Enter your address.');
    expect(document.activeElement).toBe(field('Legal name'));
    type('Address', 'Westerstraat 1');
    expect(problemAt('Address')).toBeNull();
    expect(server.calls('payouts.verifyIdentity')).toHaveLength(0);
  });

  it('rejects a birthday in the future or under 18, along with the other gaps', async () => {
    const { server } = open();
    const year = new Date().getFullYear();
    type('Date of birth', `${year + 3}-01-01`);
    await press('Send for verification');
    await waitFor(() =>
      expect(problemAt('Date of birth')).toBe("Check the year: this can't be your date of birth."),
    );
    expect(problemAt('Address')).toBe('Enter your address.');
    type('Date of birth', `${year - 11}-01-01`);
    await press('Send for verification');
    await waitFor(() =>
      expect(problemAt('Date of birth')).toBe('You have to be at least 18 to be verified.'),
    );
    expect(server.calls('payouts.verifyIdentity')).toHaveLength(0);
  });

  it('starts from the home country and is sent once by Enter', async () => {
    const response = later<PayoutIdentity>();
    const { server, onDone } = open({ 'payouts.verifyIdentity': () => response.answer });
    type('Legal name', 'Leila Haddad');
    type('Date of birth', '1996-02-29');
    type('Address', 'Westerstraat 1');
    await pressEnter('Address');
    await pressEnter('Address');
    await response.give(identity('pending'));
    await waitFor(() => expect(onDone).toHaveBeenCalledWith('pending'));
    expect(server.inputs('payouts.verifyIdentity')).toEqual([
      { legalName: 'Leila Haddad', bornOn: '1996-02-29', countryCode: 'NL', address: 'Westerstraat 1' },
    ]);
  });

  it("keeps the text when it couldn't be sent", async () => {
    const { onDone } = open({
      'payouts.verifyIdentity': () => {
        throw networkError();
      },
    });
    type('Legal name', 'Leila Haddad');
    type('Date of birth', '1996-02-29');
    type('Address', 'Westerstraat 1');
    await press('Send for verification');
    await screen.findByText(/connection|reach|network/i);
    expect(field('Legal name').value).toBe('Leila Haddad');
    expect(onDone).not.toHaveBeenCalled();
  });
});

const balance = (change: Partial<Balance> = {}): Balance => ({
  balances: [
    {
      currency: 'EUR',
      availableMinor: 12_050,
      pendingMinor: 0,
      reservedMinor: 0,
      nextClearings: [],
      minimumMinor: 1_000,
      instantFeeMinor: 150,
    },
  ],
  identity: identity('verified'),
  account: null,
  homeCountry: 'NL',
  methods: [method()],
  rules: { perDay: 3, leftToday: 3, freeFrom: null, methodHoldDays: 3, clearingDays: 5 },
  tokenUrl: 'http://localhost/sandbox/tokens',
  test: false,
  ...change,
});
const withdrawal: Withdrawal = {
  id: id('d7'),
  version: 1,
  status: 'requested',
  amountMinor: 2_050,
  feeMinor: 0,
  getsMinor: 2_050,
  currency: 'EUR',
  speed: 'standard',
  method: method(),
  requestedAt: now,
  cancelBy: null,
  arrivesOn: '2026-11-23',
  waiting: false,
  reviewBy: null,
  failure: null,
  refusedBecause: null,
  steps: [],
  actions: [],
};

const zero = { openingMinor: 0, inMinor: 0, outMinor: 0, closingMinor: 0 };
const noLines: AnswerOf<'statements.mine'> = {
  items: [],
  nextCursor: null,
  currency: 'EUR',
  currencies: ['EUR'],
  timeZone: 'Europe/Amsterdam',
  totals: { ...zero, earnedMinor: 0, tipsMinor: 0, feesMinor: 0, withdrawnMinor: 0 },
};

describe('a withdrawal', () => {
  const open = (data: Balance = balance(), api: Handlers = {}) =>
    renderPart(<WithdrawScreen />, {
      path: '/withdraw',
      session: 'worker',
      now,
      api: {
        'payouts.balance': data,
        'payouts.withdrawals': { items: [], nextCursor: null },
        'statements.mine': noLines,
        'payouts.quote': ({ amountMinor, speed }) => {
          const feeMinor = speed === 'instant' ? 150 : 0;
          return {
            amountMinor,
            feeMinor,
            getsMinor: amountMinor - feeMinor,
            currency: 'EUR',
            arrivesOn: '2026-11-23',
            isReviewed: false,
          };
        },
        'payouts.withdraw': withdrawal,
        ...api,
      },
    });
  const amount = () => field(/^Withdraw/);

  it.each([
    ['', 'Enter an amount, like 20 or 20.50.'],
    ['twenty', 'Enter an amount, like 20 or 20.50.'],
    ['20.505', 'Use up to 2 decimal places, like 20.50.'],
    ['120.51', '€120.50 is available.'],
    ['9.99', 'At least €10.'],
    ['-20', 'Enter an amount, like 20 or 20.50.'],
  ])('of %o is rejected', async (typed, problem) => {
    const { api } = open();
    await screen.findByLabelText(/^Withdraw/);
    fireEvent.change(amount(), { target: { value: typed } });
    await pressEnter(/^Withdraw/);
    expect(problemAt(/^Withdraw/)).toBe(problem);
    expect(screen.queryByText('From your balance')).toBeNull();
    expect(api.calls('payouts.withdraw')).toHaveLength(0);
  });

  it('reports too little only on blur or submit', async () => {
    open();
    await screen.findByLabelText(/^Withdraw/);
    fireEvent.change(amount(), { target: { value: '2' } });
    expect(problemAt(/^Withdraw/)).toBeNull();
    fireEvent.blur(amount());
    expect(problemAt(/^Withdraw/)).toBe('At least €10.');
    fireEvent.change(amount(), { target: { value: '20' } });
    expect(problemAt(/^Withdraw/)).toBeNull();
  });

  it('shows a full summary first, and is sent once', async () => {
    const response = later<Withdrawal>();
    const { api } = open(balance(), { 'payouts.withdraw': () => response.answer });
    await screen.findByLabelText(/^Withdraw/);
    fireEvent.change(amount(), { target: { value: '20,50' } });
    fireEvent.click(screen.getByRole('radio', { name: /^Instant/ }));
    await pressEnter(/^Withdraw/);
    expect(await screen.findByText('From your balance')).toBeTruthy();
    expect(await screen.findByText('€19')).toBeTruthy();
    const dialog = screen.getByRole('dialog');
    const button = [...dialog.querySelectorAll('button')].find(
      (button) => button.textContent === 'Withdraw €20.50',
    );
    fireEvent.click(button as HTMLElement);
    fireEvent.click(button as HTMLElement);
    await response.give(withdrawal);
    await waitFor(() => expect(amount().value).toBe(''));
    expect(api.inputs('payouts.withdraw')).toEqual([
      { methodId: method().id, amountMinor: 2_050, speed: 'instant' },
    ]);
  });

  it('keeps the amount when it is rejected, and shows why', async () => {
    open(balance(), {
      'payouts.withdraw': () => {
        throw refuse('payout/balance-short');
      },
    });
    await screen.findByLabelText(/^Withdraw/);
    fireEvent.click(screen.getByRole('button', { name: /^All/ }));
    expect(amount().value).toBe('120.50');
    await pressEnter(/^Withdraw/);
    const dialog = await screen.findByRole('dialog');
    const confirm = [...dialog.querySelectorAll('button')].find((button) =>
      /^Withdraw/.test(button.textContent),
    );
    fireEvent.click(confirm as HTMLElement);
    await waitFor(() => expect(dialog.querySelector('[role="alert"], .banner.bad')).toBeTruthy());
    await press('Not now');
    expect(amount().value).toBe('120.50');
  });

  it.each([
    ['an account that is too new', balance({ methods: [method({ usableFrom: '2026-11-23T09:00:00Z' })] })],
    ['no withdrawals left today', balance({ rules: { ...balance().rules, leftToday: 0, freeFrom: null } })],
  ])('is off with %s', async (_, data) => {
    const { api } = open(data);
    await screen.findByLabelText(/^Withdraw/);
    fireEvent.change(amount(), { target: { value: '20' } });
    await pressEnter(/^Withdraw/);
    expect(screen.queryByText('From your balance')).toBeNull();
    expect(api.calls('payouts.quote')).toHaveLength(0);
  });
});
