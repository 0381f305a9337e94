import { createHash } from 'node:crypto';
import type { Card } from '@nearhand/contract/payments';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { ProviderRefused, type SavedCard } from '../../platform/payment-provider.ts';
import { roleIn } from '../businesses/members.service.ts';
import {
  type CardRow,
  findCard,
  findCardByRef,
  findDefaultCard,
  insertCard,
  listCards,
  lockCards,
  removeCardRow,
  setDefaultCard,
} from './cards.sql.ts';
import { demandTreasurer } from './payers.service.ts';

/**
 * Has the provider keep the card behind a token, before any transaction. The key follows from the token, so a repeat gets the same card; for the wrong business the
 * token is worth nothing. Nothing of it counts until `addCard` has written it down.
 * @throws business/not-found, business/not-allowed, payment/card-refused with the provider's `failure`, payment/provider-unavailable
 */
export async function saveCard(
  scope: Scope,
  { businessId, token }: { businessId: string; token: string },
  db: Db,
): Promise<SavedCard> {
  await demandTreasurer(db, scope.actor.accountId, businessId);
  const key = `card/${businessId}/${createHash('sha256').update(token).digest('base64url')}`;
  const saved = await scope.provider.saveCard({ key, token, ownerId: businessId }).catch((error: unknown) => {
    if (error instanceof ProviderRefused)
      throw new AppError('payment/card-refused', { failure: 'processing_error' });
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  });
  if ('failure' in saved) throw new AppError('payment/card-refused', { failure: saved.failure });
  return saved;
}

/**
 * Saves a card for a business; owners, managers and finance may. The first one is the default. The same token again is the same card.
 * @throws business/not-found, business/not-allowed, payment/card-refused
 */
export async function addCard(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
  saved: SavedCard,
): Promise<Card> {
  const { accountId } = scope.actor;
  await demandTreasurer(tx, accountId, businessId);
  await lockCards(tx, businessId);
  const now = scope.clock.now();
  const id = newId(now);
  const isNew = await insertCard(tx, {
    id,
    business_id: businessId,
    provider_ref: saved.ref,
    brand: saved.brand,
    last4: saved.last4,
    expires_month: saved.expiresMonth,
    expires_year: saved.expiresYear,
    is_default: (await findDefaultCard(tx, businessId)) === undefined,
    added_by: accountId,
    added_at: now,
  });
  const card = isNew ? await findCard(tx, id) : await findCardByRef(tx, saved.ref);
  // A token used before its card was removed does not bring it back: the number is typed again.
  if (!card || card.removed_at || card.business_id !== businessId)
    throw new AppError('payment/card-refused', { failure: 'processing_error' });
  return toCard(card);
}

/**
 * Forgets a card; owners, managers and finance may. Charges of it that are under way go on. Another card becomes the default, the newest.
 * @throws payment/card-not-found, business/not-allowed
 */
export async function removeCard(
  tx: Tx,
  scope: Scope,
  { cardId }: { cardId: string },
): Promise<{ removed: true }> {
  const { business_id: businessId } = await managedCard(tx, scope, cardId);
  await lockCards(tx, businessId);
  await removeCardRow(tx, cardId, scope.clock.now());
  const [next] = await listCards(tx, businessId);
  if (next && !next.is_default) await setDefaultCard(tx, businessId, next.id);
  return { removed: true };
}

/** Uses this card where none is chosen; owners, managers and finance may. @throws payment/card-not-found, business/not-allowed */
export async function makeCardDefault(tx: Tx, scope: Scope, { cardId }: { cardId: string }): Promise<Card> {
  const { business_id: businessId } = await managedCard(tx, scope, cardId);
  await lockCards(tx, businessId);
  await demandCard(tx, businessId, cardId);
  await setDefaultCard(tx, businessId, cardId);
  return toCard(await demandCard(tx, businessId, cardId));
}

/** A saved card of a business, to be charged. @throws payment/card-not-found for another's, and for one that was removed */
export async function demandCard(db: Db, businessId: string, cardId: string): Promise<CardRow> {
  const card = await findCard(db, cardId);
  if (card?.business_id !== businessId || card.removed_at !== null)
    throw new AppError('payment/card-not-found');
  return card;
}

/** The card that is used where none is chosen, or null. */
export async function defaultCardOf(db: Db, businessId: string): Promise<CardRow | null> {
  return (await findDefaultCard(db, businessId)) ?? null;
}

/** The saved cards of a business, the default first. */
export async function cardsOf(db: Db, businessId: string): Promise<Card[]> {
  return (await listCards(db, businessId)).map(toCard);
}

/** A card that the caller may manage, removed or not. A stranger learns nothing of it. */
async function managedCard(tx: Tx, scope: Scope, cardId: string): Promise<CardRow> {
  const { accountId } = scope.actor;
  const card = await findCard(tx, cardId);
  if (!card || (await roleIn(tx, card.business_id, accountId)) === null)
    throw new AppError('payment/card-not-found');
  await demandTreasurer(tx, accountId, card.business_id);
  return card;
}

const toCard = (row: CardRow): Card => ({
  id: row.id,
  brand: row.brand,
  last4: row.last4,
  expiresMonth: row.expires_month,
  expiresYear: row.expires_year,
  isDefault: row.is_default,
  addedAt: row.added_at.toISOString(),
});
