import { type Currency, currencyDigits } from '../currencies.ts';

/** Units per euro, in ten-thousandths (last reviewed 2026-11-28). Never for converting money (ADR 203). */
export const unitsPerEuro: Readonly<Record<Currency, number>> = {
  EUR: 10_000,
  USD: 11_600,
  GBP: 8_800,
  CHF: 9_300,
  DKK: 74_700,
  SEK: 110_000,
  NOK: 117_000,
  PLN: 42_500,
  CZK: 243_000,
  CAD: 16_200,
  AUD: 17_700,
  NZD: 20_300,
  SGD: 15_100,
  JPY: 1_780_000,
};

const scaleOf = (currency: Currency): bigint => 10n ** BigInt(currencyDigits[currency]);

/** An amount in euro cents by the reference rates, rounded up. */
export function referenceMinor(amountMinor: number, currency: Currency): number {
  const rate = BigInt(unitsPerEuro[currency]) * scaleOf(currency);
  return Number((BigInt(amountMinor) * 100n * BigInt(unitsPerEuro.EUR) + rate - 1n) / rate);
}

/** Euro cents in minor units of another currency by the reference rates, rounded down. */
export function fromReferenceMinor(euroMinor: number, currency: Currency): number {
  const rate = BigInt(unitsPerEuro[currency]) * scaleOf(currency);
  return Number((BigInt(euroMinor) * rate) / (100n * BigInt(unitsPerEuro.EUR)));
}
