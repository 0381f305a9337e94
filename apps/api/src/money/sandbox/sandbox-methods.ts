import type { Currency } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import type { Failure, SavedBank, SavedCard } from '../../platform/payment-provider.ts';
import { cleanText, isPlain, newRef, once, type SandboxParts } from './sandbox.parts.ts';
import { tokenLifeMs } from './sandbox.rules.ts';
import {
  deleteTokens,
  findBank,
  findCard,
  insertBank,
  insertCard,
  insertToken,
  useToken,
} from './sandbox.sql.ts';
import type { TokenDetails } from './sandbox-tokens.ts';

type Save = { key: string; token: string; ownerId: string };

/** Stores a form's data without the number for half an hour; the token goes to the browser and from there to us. */
export async function makeToken(parts: SandboxParts, made: TokenDetails): Promise<string> {
  const token = newRef(parts, 'tok');
  await insertToken(parts.db, {
    token,
    kind: made.kind,
    details: JSON.stringify(made.details),
    expiresAt: new Date(parts.clock.now().getTime() + tokenLifeMs),
  });
  return token;
}

/** Exchanges a token for a card that can be charged. */
export async function saveCard(parts: SandboxParts, o: Save): Promise<SavedCard | { failure: Failure }> {
  const ref = newRef(parts, 'card');
  const content = [o.token, o.ownerId];
  const done = await once(parts, { key: o.key, operation: 'save card', content, ref }, async (tx) => {
    const now = parts.clock.now();
    const used = isPlain(o.token) ? await useToken(tx, o.token, 'card', now) : undefined;
    if (!used) return 'processing_error';
    const { brand, last4, expiresMonth, expiresYear, behaviour, fingerprint } = used.details as Extract<
      TokenDetails,
      { kind: 'card' }
    >['details'];
    await insertCard(tx, {
      ref,
      ownerId: cleanText(o.ownerId, 255),
      brand,
      last4,
      behaviour,
      createdAt: now,
      expiresMonth,
      expiresYear,
      fingerprint,
    });
    return undefined;
  });
  if ('failure' in done) return { failure: done.failure as Failure };
  const card = await findCard(parts.db, done.ref);
  if (!card) throw new Error(`the card ${done.ref} is missing`);
  return {
    ref: card.ref,
    brand: card.brand,
    last4: card.last4,
    expiresMonth: card.expiresMonth,
    expiresYear: card.expiresYear,
    fingerprint: card.fingerprint,
  };
}

/** Exchanges a token for a bank account that can be paid. */
export async function saveBank(parts: SandboxParts, o: Save): Promise<SavedBank | { failure: Failure }> {
  const ref = newRef(parts, 'bank');
  const content = [o.token, o.ownerId];
  const done = await once(parts, { key: o.key, operation: 'save bank', content, ref }, async (tx) => {
    const now = parts.clock.now();
    const used = isPlain(o.token) ? await useToken(tx, o.token, 'bank', now) : undefined;
    if (!used) return 'processing_error';
    const { bankName, last4, holderName, country, currency, instant, behaviour, fingerprint } =
      used.details as Extract<TokenDetails, { kind: 'bank' }>['details'];
    await insertBank(tx, {
      ref,
      ownerId: cleanText(o.ownerId, 255),
      bankName,
      last4,
      holderName,
      country,
      currency,
      instant,
      behaviour,
      createdAt: now,
      fingerprint,
    });
    return undefined;
  });
  if ('failure' in done) return { failure: done.failure as Failure };
  const bank = await findBank(parts.db, done.ref);
  if (!bank) throw new Error(`the bank account ${done.ref} is missing`);
  return {
    ref: bank.ref,
    bankName: bank.bankName,
    last4: bank.last4,
    holderName: bank.holderName,
    country: bank.country,
    currency: bank.currency as Currency,
    instant: bank.instant,
    fingerprint: bank.fingerprint,
  };
}

/** Deletes tokens a day after they expire. */
export const forgetOldTokens = (parts: SandboxParts): Promise<void> =>
  deleteTokens(parts.db, new Date(parts.clock.now().getTime() - dayMs));
