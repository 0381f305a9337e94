import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { Hold } from '@nearhand/contract/money/holds';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { otherCard, sampleCharge, sampleWallet } from '../wallet/wallet.samples.ts';
import { HoldPayment } from './hold-payment.part.tsx';
import { sampleHold } from './holds.samples.ts';

configure({ asyncUtilTimeout: 10_000 });

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** What the server has now; a payment changes it. */
let hold: Hold;
let wallet = sampleWallet();
let paidWith: unknown[] = [];
let onPay: (funding: unknown) => Hold;

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => {
  wallet = sampleWallet();
  paidWith = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/wallet')) return json(wallet);
    if (pathname.endsWith('/pay')) {
      const { funding } = (await request.clone().json()) as { funding: unknown };
      paidWith.push(funding);
      hold = onPay(funding);
      return json(hold);
    }
    if (pathname.includes('/charges/')) return json(hold.charge);
    return json(hold);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(onPaid = vi.fn()) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <HoldPayment
            hold={hold}
            answerBy="2100-01-01T00:00:00Z"
            businessId="b"
            workerName="Leila Haddad"
            onPaid={onPaid}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );
  return onPaid;
}

describe('a hold that waits for its money', () => {
  it('says why a card was refused, and pays with another', async () => {
    hold = sampleHold({ charge: sampleCharge({ status: 'failed', failure: 'card_declined' }) });
    onPay = () =>
      sampleHold({ status: 'held', source: 'card', charge: sampleCharge({ status: 'succeeded' }) });
    const onPaid = show();
    expect(await screen.findByText(/The bank declined this card/)).toBeTruthy();
    expect(screen.getByText('14 minutes left to pay')).toBeTruthy();
    fireEvent.click(await screen.findByRole('radio', { name: /4242/ }));
    fireEvent.click(screen.getByRole('button', { name: 'Pay €118.80' }));
    await vi.waitFor(() => expect(onPaid).toHaveBeenCalledOnce(), 10_000);
    expect(paidWith).toEqual([{ from: 'card', cardId: otherCard.id }]);
    expect(screen.getByText(/Your offer is sent/)).toBeTruthy();
  });

  it('leads to the bank, and lets them pay another way instead', async () => {
    hold = sampleHold({
      charge: sampleCharge({ status: 'requires_action', actionUrl: 'http://localhost/sandbox/confirm/1' }),
    });
    show();
    const link = await screen.findByRole('link', { name: 'Confirm with your bank' });
    expect(link.getAttribute('href')).toBe('http://localhost/sandbox/confirm/1');
    expect(screen.queryByRole('button', { name: /^Pay €/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Pay a different way' }));
    expect(await screen.findByRole('button', { name: 'Pay €118.80' })).toBeTruthy();
  });

  it('asks for nothing while a card is asked, and says when the time is over', async () => {
    hold = sampleHold({ charge: sampleCharge() });
    show();
    expect(await screen.findByText(/Charging €118.80 to the card ending in 0002/)).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
    cleanup();
    hold = sampleHold({ status: 'expired', charge: sampleCharge({ status: 'failed' }) });
    const onPaid = show();
    expect(await screen.findByText(/Time to pay ran out/)).toBeTruthy();
    expect(onPaid).not.toHaveBeenCalled();
  });
});
