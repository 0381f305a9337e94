import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { beforeEach, describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { renderPart } from '../../../test/render-part.tsx';
import { AddCard } from '../cards/add-card.tsx';
import { sampleCardOf } from '../wallet/wallet.fixtures.ts';
import { sampleBalance } from './payouts.fixtures.ts';
import ReturnedPage from './returned-page.tsx';

const businessId = '0193aaaa-0000-7000-8000-0000000000b1';
/** Of this page, so that the test stays on it. */
const page = { url: `${location.origin}/#at-the-provider` };
const toProvider = 'Continue to the payment provider';
const none = { status: 'none', reason: null, legalName: null } as const;
const pending = { status: 'pending', reason: null, legalName: 'Leila Haddad' } as const;
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
    { path, session: 'merchant', api },
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

  it('stores nothing when the person turned back', async () => {
    const { api } = back(`/create-job?job=7&savedFor=${businessId}`, {});
    await waitFor(() => expect(screen.getByText('/create-job?job=7')).toBeTruthy());
    expect(api.inputs('cards.add')).toEqual([]);
  });

  it('says what came of it for a worker', async () => {
    const { api } = back('/withdraw?payee=1', { 'payouts.refresh': { identity: pending, added: 0 } });
    expect(await screen.findByText(/Saved. We tell you once/)).toBeTruthy();
    expect(screen.getByText('/withdraw')).toBeTruthy();
    expect(api.inputs('payouts.refresh')).toEqual([{}]);
  });

  it('says why a card could not be saved', async () => {
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
  it('takes a card there, with the way back to this step', async () => {
    const { api } = renderPart(
      <AddCard businessId={businessId} wallet={{ tokenUrl: null, test: false }} onDone={() => {}} />,
      { path: '/create-job?job=7', session: 'merchant', api: { 'cards.openPage': page } },
    );
    expect(screen.queryByLabelText('Card number')).toBeNull();
    await press(toProvider);
    await waitFor(() => expect(location.hash).toBe('#at-the-provider'));
    expect(api.inputs('cards.openPage')).toEqual([{ businessId, returnTo: '/create-job?job=7' }]);
  });

  const withdraw = (identity: typeof none | typeof pending, api: Handlers = {}) =>
    renderApp('/withdraw', {
      session: 'worker',
      now: '2026-11-21T10:00:00Z',
      api: {
        'payouts.balance': sampleBalance({ methods: [], tokenUrl: null, identity }),
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

  it('asks a new worker who they are before it takes a bank account', async () => {
    withdraw(none);
    await press('Add a bank account');
    expect(await screen.findByLabelText('Legal name')).toBeTruthy();
  });

  it('leads a worker whose check has begun to its page', async () => {
    const { api } = withdraw(pending, { 'payouts.openPage': page });
    expect(await screen.findByText(/may need more from you/)).toBeTruthy();
    await press('Add a bank account');
    expect(screen.queryByLabelText('IBAN')).toBeNull();
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: toProvider }));
    await waitFor(() => expect(location.hash).toBe('#at-the-provider'));
    expect(api.inputs('payouts.openPage')).toEqual([{ returnTo: '/withdraw' }]);
  });
});
