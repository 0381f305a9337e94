import { describe, expect, it, vi } from 'vitest';
import { firstFunding } from './funding-pick.tsx';
import { otherCard, sampleCardOf, sampleWallet } from './wallet.fixtures.ts';

describe('what to pay with where nobody has chosen', () => {
  it('is the balance if it covers the amount, to the cent', () => {
    expect(firstFunding(sampleWallet({ availableMinor: 11_880 }), 'EUR', 11_880)).toEqual({
      from: 'balance',
    });
  });

  it('is the default card otherwise, or in another currency', () => {
    const short = sampleWallet({ availableMinor: 11_879, cards: [otherCard, sampleCardOf()] });
    const card = { from: 'card', cardId: sampleCardOf().id };
    expect(firstFunding(short, 'EUR', 11_880)).toEqual(card);
    expect(firstFunding(sampleWallet({ availableMinor: 99_999 }), 'GBP', 100)).toEqual(card);
  });

  it('is never a card that was just declined', () => {
    const declined = sampleCardOf({ declined: true });
    expect(firstFunding(sampleWallet({ cards: [declined, otherCard] }), 'EUR', 100)).toEqual({
      from: 'card',
      cardId: otherCard.id,
    });
    expect(firstFunding(sampleWallet({ cards: [declined] }), 'EUR', 100)).toBeNull();
  });

  it('tells the phone’s app that the bank leads back into it', () => {
    vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
    expect(firstFunding(sampleWallet({ availableMinor: 0 }), 'EUR', 100)).toMatchObject({ inApp: true });
    vi.unstubAllGlobals();
  });

  it('is nothing without a card', () => {
    expect(firstFunding(sampleWallet({ cards: [] }), 'EUR', 100)).toBeNull();
  });
});
