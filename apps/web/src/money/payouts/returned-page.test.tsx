import { cardText } from '@nearhand/contract/money/account-mask';
import type { PayoutAccount } from '@nearhand/contract/money/payouts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { renderPart } from '../../../test/render-part.tsx';
import { AddCard, methodNote } from '../cards/add-card.tsx';
import { sampleCardOf } from '../wallet/wallet.fixtures.ts';
import { sampleBalance } from './payouts.fixtures.ts';
import ReturnedPage from './returned-page.tsx';

const businessId = '0193aaaa-0000-7000-8000-0000000000b1';
/** An address at the provider that only changes the hash, since leaving the page would end the test. */
const page = { url: `${location.origin}/#at-the-provider` };
const toProvider = 'Continue to the payment provider';
const none = { status: 'none', reason: null, legalName: null } as const;
const verified = { status: 'verified', reason: null, legalName: 'Leila Haddad' } as const;
const pending = { status: 'pending', reason: null, legalName: 'Leila Haddad' } as const;
const checked = { status: 'in_progress', needs: [], dueBy: null, since: null } satisfies PayoutAccount;
beforeEach(() => location.replace('#'));

function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

const back = (path: string, api: Handlers) =>
  renderPart(
    <>
      <ReturnedPage />
      <Address />
    </>,
    { path, session: 'business', api },
  );

describe("coming back from the provider's page", () => {
  it('stores the card once and stays on the step', async () => {
    const { api } = back(`/create-job?job=7&savedFor=${businessId}&saved=cs_test_0001`, {
      'cards.add': sampleCardOf(),
    });
    expect(await screen.findByText('Card saved')).toBeTruthy();
    expect(screen.getByText('/create-job?job=7')).toBeTruthy();
    expect(api.inputs('cards.add')).toEqual([{ businessId, token: 'cs_test_0001' }]);
  });

  it('stores nothing when the user turned back', async () => {
    const { api } = back(`/create-job?job=7&savedFor=${businessId}`, {});
    await waitFor(() => expect(screen.getByText('/create-job?job=7')).toBeTruthy());
    expect(api.inputs('cards.add')).toEqual([]);
  });

  it('shows the outcome to a worker', async () => {
    const { api } = back('/withdraw?payee=1', {
      'payouts.refresh': { identity: pending, account: checked, added: 0 },
    });
    expect(await screen.findByText(/Saved. We tell you once/)).toBeTruthy();
    expect(screen.getByText('/withdraw')).toBeTruthy();
    expect(api.inputs('payouts.refresh')).toEqual([{}]);
  });

  it('shows remaining steps to a worker who stopped half-way', async () => {
    const account = { ...checked, needs: ['bank_account' as const] };
    back('/withdraw?payee=1', { 'payouts.refresh': { identity: pending, account, added: 0 } });
    expect(await screen.findByText('Not finished yet. You can continue at any time.')).toBeTruthy();
  });

  it("shows why a card couldn't be saved", async () => {
    back(`/wallet?savedFor=${businessId}&saved=cs_test_0001`, {
      'cards.add': () => {
        throw refuse('payment/card-refused', { failure: 'processing_error' });
      },
    });
    await waitFor(() => expect(screen.getByText('/wallet')).toBeTruthy());
    expect(screen.queryByText('Card saved')).toBeNull();
  });
});

describe('a provider with its own pages', () => {
  const wallet = { tokenUrl: null, bankMethods: [], test: false };

  it('saves a card there, with the way back to this step', async () => {
    const { api } = renderPart(<AddCard businessId={businessId} wallet={wallet} onDone={() => {}} />, {
      path: '/create-job?job=7',
      session: 'business',
      api: { 'cards.openPage': page },
    });
    expect(screen.queryByLabelText('Card number')).toBeNull();
    await press(toProvider);
    await waitFor(() => expect(location.hash).toBe('#at-the-provider'));
    expect(api.inputs('cards.openPage')).toEqual([{ businessId, returnTo: '/create-job?job=7' }]);
  });

  it("opens it in the phone's browser from the app, which passes the way back to the app", async () => {
    const open = vi.fn().mockResolvedValue(undefined);
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true, Plugins: { Browser: { open } } });
    const { api } = renderPart(<AddCard businessId={businessId} wallet={wallet} onDone={() => {}} />, {
      path: '/create-job?job=7',
      session: 'business',
      api: { 'cards.openPage': page },
    });
    await press(toProvider);
    await waitFor(() => expect(open).toHaveBeenCalledWith({ url: page.url }));
    expect(location.hash).toBe('');
    expect(api.inputs('cards.openPage')).toEqual([
      { businessId, returnTo: '/loading?back=%2Fcreate-job%3Fjob%3D7' },
    ]);
    vi.unstubAllGlobals();
  });

  it('saves a bank method by its name', async () => {
    const onDone = vi.fn();
    const card = { ...sampleCardOf(), brand: 'iDEAL', last4: '' };
    const { api } = renderPart(
      <AddCard businessId={businessId} wallet={{ ...wallet, bankMethods: ['ideal'] }} onDone={onDone} />,
      { session: 'business', api: { 'cards.add': card } },
    );
    await press('Add iDEAL');
    await waitFor(() => expect(onDone).toHaveBeenCalledWith(card));
    expect(api.inputs('cards.add')).toEqual([{ businessId, token: 'method/ideal' }]);
    renderPart(
      <AddCard
        businessId={businessId}
        wallet={{ ...wallet, bankMethods: ['ideal', 'bancontact'], cards: [card] }}
        onDone={onDone}
      />,
      { api: {} },
    );
    expect(screen.getByRole('button', { name: 'Add Bancontact' })).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Add iDEAL' })).toHaveLength(1);
    expect([cardText(card), methodNote(card)]).toEqual(['iDEAL', 'You approve each payment at your bank']);
  });

  const withdraw = (account: PayoutAccount, api: Handlers = {}) =>
    renderApp('/withdraw', {
      session: 'worker',
      now: '2026-11-21T10:00:00Z',
      api: {
        'payouts.balance': sampleBalance({
          methods: [],
          tokenUrl: null,
          identity: account.status === 'none' ? none : account.status === 'active' ? verified : pending,
          account,
        }),
        'payouts.withdrawals': { items: [], nextCursor: null },
        'statements.mine': {
          items: [],
          nextCursor: null,
          currency: 'EUR',
          currencies: ['EUR'],
          timeZone: 'Europe/Amsterdam',
          totals: {
            openingMinor: 0,
            closingMinor: 0,
            inMinor: 0,
            outMinor: 0,
            earnedMinor: 0,
            tipsMinor: 0,
            feesMinor: 0,
            withdrawnMinor: 0,
          },
        },
        ...api,
      },
    });

  it("checks a new worker's identity before a bank account", async () => {
    withdraw({ ...checked, status: 'none' });
    expect(await screen.findByText('Set up once, then withdraw')).toBeTruthy();
    await press('Set up payouts');
    expect(await screen.findByLabelText('Legal name')).toBeTruthy();
  });

  it.each([
    [{ ...checked, needs: ['identity_document', 'bank_account'] }, "You're part of the way", 'Add your ID'],
    [
      { ...checked, status: 'more_needed', needs: ['address_proof'], dueBy: '2026-11-30T10:00:00Z' },
      /^Proof of address by Mon\s30\sNov$/,
      'Add proof of address',
    ],
    [
      { ...checked, status: 'restricted', needs: ['details'], since: '2026-11-20T10:00:00Z' },
      'Payouts are paused',
      'Add your details',
    ],
  ] satisfies [PayoutAccount, string | RegExp, string][])(
    'sends a worker with missing details to its page (%j)',
    async (account, title, act) => {
      const { api } = withdraw(account, { 'payouts.openPage': page });
      expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
      await press(act);
      await waitFor(() => expect(location.hash).toBe('#at-the-provider'));
      expect(api.inputs('payouts.openPage')).toEqual([{ returnTo: '/withdraw' }]);
    },
  );

  it('counts completed steps, and shows the days until payouts stop and of the last reminder', async () => {
    withdraw({ ...checked, needs: ['bank_account'] });
    expect(await screen.findByText('2 of 3')).toBeTruthy();
    cleanup();
    const soon = { ...checked, status: 'more_needed' as const, needs: ['address_proof' as const] };
    withdraw({ ...soon, dueBy: '2026-11-30T10:00:00Z' });
    expect(await screen.findByText('9 d')).toBeTruthy();
    expect(screen.getByText(/We'll remind you on Fri\s27\sNov\./)).toBeTruthy();
    cleanup();
    withdraw({ ...soon, dueBy: '2026-11-23T10:00:00Z' });
    expect(await screen.findByText('2 d')).toBeTruthy();
    expect(screen.queryByText(/We'll remind you/)).toBeNull();
  });

  it.each([
    [checked, 'Your details are being checked'],
    [{ ...checked, status: 'closed' }, 'Your payout account is closed'],
  ] satisfies [PayoutAccount, string][])(
    'asks for nothing without missing details (%j)',
    async (account, title) => {
      withdraw(account);
      expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
      expect(screen.queryByRole('button', { name: /^Add|bank account/ })).toBeNull();
    },
  );

  it('asks an active worker only for a bank account', async () => {
    withdraw({ ...checked, status: 'active' });
    await press('Add a bank account');
    expect(screen.queryByLabelText('IBAN')).toBeNull();
    expect(within(await screen.findByRole('dialog')).getByRole('button', { name: toProvider })).toBeTruthy();
  });
});
