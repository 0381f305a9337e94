import type { Hold } from '@nearhand/contract/money/holds';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { otherCard, sampleCardOf, sampleCharge, sampleWallet } from '../wallet/wallet.fixtures.ts';
import { HoldPayment } from './hold-payment.tsx';
import { sampleHold } from './holds.fixtures.ts';

function show(hold: Hold, paid = hold) {
  let now = hold;
  const onPaid = vi.fn();
  const { api } = renderPart(
    <HoldPayment
      hold={hold}
      answerBy="2100-01-01T00:00:00Z"
      businessId="0193aaaa-0000-7000-8000-0000000000b1"
      workerName="Leila Haddad"
      onPaid={onPaid}
    />,
    {
      session: 'business',
      api: {
        'wallet.get': sampleWallet(),
        'holds.get': () => now,
        'holds.pay': () => {
          now = paid;
          return now;
        },
        'charges.get': () => now.charge ?? sampleCharge(),
      },
    },
  );
  return { api, onPaid };
}

describe('an unpaid hold', () => {
  it('shows why a card was declined, and pays with another', async () => {
    const { api, onPaid } = show(
      sampleHold({ charge: sampleCharge({ status: 'failed', failure: 'card_declined' }) }),
      sampleHold({ status: 'held', source: 'card', charge: sampleCharge({ status: 'succeeded' }) }),
    );
    expect(await screen.findByText(/The bank declined this card/)).toBeTruthy();
    expect(screen.getByText('14 minutes left to pay')).toBeTruthy();
    fireEvent.click(await screen.findByRole('radio', { name: /4242/ }));
    await press('Pay €118.80');
    await vi.waitFor(() => expect(onPaid).toHaveBeenCalledOnce(), 10_000);
    expect(api.inputs('holds.pay')).toMatchObject([{ funding: { from: 'card', cardId: otherCard.id } }]);
    expect(screen.getByText(/Your offer is sent/)).toBeTruthy();
  });

  it("doesn't suggest the declined card again, but accepts it", async () => {
    const declined = sampleCharge({ status: 'failed', failure: 'card_declined' });
    const { api } = show(sampleHold({ charge: declined }));
    api.on({ 'wallet.get': sampleWallet({ cards: [sampleCardOf({ declined: true }), otherCard] }) });
    const bad = await screen.findByRole('radio', { name: /0002/ });
    const good = screen.getByRole('radio', { name: /4242/ });
    await vi.waitFor(() => expect((good as HTMLInputElement).checked).toBe(true));
    expect((bad as HTMLInputElement).checked).toBe(false);
    expect(screen.getByText('Declined last time')).toBeTruthy();
    fireEvent.click(bad);
    await press('Pay €118.80');
    await vi.waitFor(() =>
      expect(api.inputs('holds.pay')).toMatchObject([{ funding: { cardId: sampleCardOf().id } }]),
    );
  });

  it('links to the bank, and offers another way to pay', async () => {
    const actionUrl = 'http://localhost/sandbox/confirm/1';
    show(sampleHold({ charge: sampleCharge({ status: 'requires_action', actionUrl }) }));
    const link = await screen.findByRole('link', { name: 'Confirm with your bank' });
    expect(link.getAttribute('href')).toBe(actionUrl);
    expect(screen.queryByRole('button', { name: /^Pay €/ })).toBeNull();
    await press('Pay a different way');
    expect(await screen.findByRole('button', { name: 'Pay €118.80' })).toBeTruthy();
  });

  it('asks for nothing while a card is being charged, and shows when the time is over', async () => {
    show(sampleHold({ charge: sampleCharge() }));
    expect(await screen.findByText(/Charging €118.80 to the card ending in 0002/)).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
    cleanup();
    const { onPaid } = show(sampleHold({ status: 'expired', charge: sampleCharge({ status: 'failed' }) }));
    expect(await screen.findByText(/Time to pay ran out/)).toBeTruthy();
    expect(onPaid).not.toHaveBeenCalled();
  });
});
