import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { sampleWallet } from '../../money/wallet/wallet.samples.ts';
import { sampleWork } from '../../work/engagements/engagements.samples.ts';
import { MakeOffer } from './make-offer.part.tsx';

configure({ asyncUtilTimeout: 10_000 });

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('sends an offer once, however fast it is pressed', async () => {
  const { terms } = sampleWork();
  let made = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/wallet'))
      return json({
        ...sampleWallet(),
        balances: [{ ...sampleWallet().balances[0], availableMinor: 9_000_000 }],
      });
    if (request.method === 'POST') {
      made += 1;
      return json({ id: 'o', jobId: 'j', status: 'sent' });
    }
    if (pathname.includes('preview'))
      return json({ terms, seatsFree: 1, expiresAt: '2100-01-01T00:00:00Z', workerBooked: false });
    if (pathname.includes('/jobs/')) return json({ id: 'j', business: { id: 'b' } });
    return json({ items: [], nextCursor: null });
  });
  const onDone = vi.fn();
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <MakeOffer
            applicationId="a"
            jobId="j"
            workerName="Leila Haddad"
            onDone={onDone}
            onMade={vi.fn()}
            onClose={vi.fn()}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );
  fireEvent.click(await screen.findByRole('radio', { name: /balance/i }));
  const offer = screen.getByRole('button', { name: /^Offer / });
  fireEvent.click(offer);
  fireEvent.click(offer);
  await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(made).toBe(1);
});
