import { type Card, cards } from '@nearhand/contract/money/cards';
import { methodKind } from '@nearhand/contract/money/cards.rules';
import type { PaymentFailure } from '@nearhand/contract/money/charges';
import { type Insertable, type Selectable, sql } from 'kysely';
import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { findRole } from '../../people/businesses/members.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { ProviderRefusedError, type SavedCard } from '../../platform/payment-provider.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { sha256 } from '../../platform/sign.ts';
import type { Cards } from '../../platform/tables.gen.ts';
import { requireMoneyRole } from '../money-access.ts';

/**
 * Stores the card behind a token at the provider, before any transaction. The idempotency key derives from the token.
 * @throws business/not-found, business/not-allowed, payment/card-refused (`failure`), payment/provider-unavailable
 */
export async function saveCard(
  scope: Scope,
  { businessId, token }: { businessId: string; token: string },
  db: Db,
): Promise<SavedCard> {
  await requireMoneyRole(db, scope.actor.accountId, businessId);
  const key = `card/${businessId}/${sha256(token)}`;
  const ownerName = await businessName(db, businessId);
  const providerCard = await scope.provider
    .saveCard({ key, token, ownerId: businessId, ownerName })
    .catch((error: unknown) => {
      if (error instanceof ProviderRefusedError)
        throw new AppError('payment/card-refused', { failure: 'processing_error' });
      throw new AppError('payment/provider-unavailable', undefined, { cause: error });
    });
  if ('failure' in providerCard)
    throw new AppError('payment/card-refused', { failure: providerCard.failure });
  return providerCard;
}

/**
 * Opens the provider's page that saves a card, before any transaction. For owners, managers and finance.
 * @throws business/not-found, business/not-allowed, payment/no-page, payment/provider-unavailable
 */
async function askForPage(
  scope: Scope,
  { businessId, returnTo = '/merchant-transaction' }: { businessId: string; returnTo?: string },
  db: Db,
): Promise<{ url: string }> {
  const { accountId } = scope.actor;
  await requireMoneyRole(db, accountId, businessId);
  const { pages } = scope.provider;
  if (!pages) throw new AppError('payment/no-page');
  const returnUrl = `${scope.config.PUBLIC_URL}${returnTo}${returnTo.includes('?') ? '&' : '?'}savedFor=${businessId}`;
  const language = await languageOfAccount(db, accountId);
  try {
    return {
      url: await pages.openCardPage({
        ownerId: businessId,
        ownerName: await businessName(db, businessId),
        returnUrl,
        language,
      }),
    };
  } catch (error) {
    throw new AppError('payment/provider-unavailable', undefined, { cause: error });
  }
}

const businessName = async (db: Db, businessId: string): Promise<string> =>
  (await db.selectFrom('businesses').select('name').where('id', '=', businessId).executeTakeFirstOrThrow())
    .name;

/**
 * Returns the opened page. Checks the role again, since it may have changed while the provider answered. For
 * owners, managers and finance.
 */
async function openCardPage(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
  page: { url: string },
): Promise<{ url: string }> {
  await requireMoneyRole(tx, scope.actor.accountId, businessId);
  return page;
}

/** Saves a card. For owners, managers and finance. */
export async function addCard(
  tx: Tx,
  scope: Scope,
  { businessId }: { businessId: string },
  saved: SavedCard,
): Promise<Card> {
  const { accountId } = scope.actor;
  await requireMoneyRole(tx, accountId, businessId);
  await lockCards(tx, businessId);
  const now = scope.clock.now();
  const id = newId(now);
  const isNew = await insertCard(tx, {
    id,
    businessId,
    providerRef: saved.ref,
    brand: saved.brand,
    last4: saved.last4,
    fingerprint: saved.fingerprint,
    expiresMonth: saved.expiresMonth,
    expiresYear: saved.expiresYear,
    isDefault: canBeDefault(saved) && (await findDefaultCard(tx, businessId)) === undefined,
    addedBy: accountId,
    addedAt: now,
  });
  if (!isNew && methodKind(saved.brand) === 'bank') await restoreCard(tx, businessId, saved.ref);
  const card = isNew ? await findCard(tx, id) : await findCardByRef(tx, saved.ref);
  if (!card || card.removedAt || card.businessId !== businessId)
    throw new AppError('payment/card-refused', { failure: 'processing_error' });
  return toCard(card);
}

/** The default is charged with no person present. A bank method asks its owner each time, and a debit takes days. */
const canBeDefault = ({ brand }: { brand: string }): boolean => methodKind(brand) === 'card';

/**
 * Removes a card; if it was the default, the newest other card becomes the default. For owners, managers and
 * finance.
 */
async function removeCard(tx: Tx, scope: Scope, { cardId }: { cardId: string }): Promise<{ removed: true }> {
  const { businessId } = await managedCard(tx, scope, cardId);
  await lockCards(tx, businessId);
  await removeCardRow(tx, cardId, scope.clock.now());
  const next = (await listCards(tx, businessId)).find(canBeDefault);
  if (next && !next.isDefault) await setDefaultCard(tx, businessId, next.id);
  return { removed: true };
}

/** Makes a card the default. For owners, managers and finance. */
async function makeCardDefault(tx: Tx, scope: Scope, { cardId }: { cardId: string }): Promise<Card> {
  const { businessId } = await managedCard(tx, scope, cardId);
  await lockCards(tx, businessId);
  if (!canBeDefault(await requireCard(tx, businessId, cardId))) throw new AppError('payment/card-only');
  await setDefaultCard(tx, businessId, cardId);
  return toCard(await requireCard(tx, businessId, cardId));
}

/**
 * A saved card of a business.
 * @throws payment/card-not-found, including a removed card and another business's
 */
export async function requireCard(db: Db, businessId: string, cardId: string): Promise<CardRow> {
  const card = await findCard(db, cardId);
  if (card?.businessId !== businessId || card.removedAt !== null)
    throw new AppError('payment/card-not-found');
  return card;
}

/** @throws Error if there is no such card: callers hold an id of their own table */
export async function getCardRow(db: Db, cardId: string): Promise<CardRow> {
  const card = await findCard(db, cardId);
  if (!card) throw new Error(`there is no card ${cardId}`);
  return card;
}

export async function defaultCardOf(db: Db, businessId: string): Promise<CardRow | null> {
  return (await findDefaultCard(db, businessId)) ?? null;
}

export async function cardsOf(db: Db, businessId: string): Promise<Card[]> {
  return (await listCards(db, businessId)).map(toCard);
}

async function managedCard(tx: Tx, scope: Scope, cardId: string): Promise<CardRow> {
  const { accountId } = scope.actor;
  const card = await findCard(tx, cardId);
  if (!card || (await findRole(tx, card.businessId, accountId)) === null)
    throw new AppError('payment/card-not-found');
  await requireMoneyRole(tx, accountId, card.businessId);
  return card;
}

const toCard = (row: CardRow): Card => ({ ...row, addedAt: row.addedAt.toISOString() });

type CardRow = Selectable<Cards> & { declined: boolean };

const cardFailures = [
  'card_declined',
  'insufficient_funds',
  'card_expired',
  'account_closed',
  'bank_rejected',
  'limit_exceeded',
] as const satisfies readonly PaymentFailure[];

const cardRows = (db: Db) =>
  db
    .selectFrom('cards')
    .selectAll('cards')
    .select(
      sql<boolean>`coalesce((select charge.failure = any(${[...cardFailures]}) from charges charge
        where charge.card_id = cards.id and charge.status in ('succeeded', 'failed')
        order by charge.created_at desc, charge.id desc limit 1), false)`.as('declined'),
    );

const maxListed = 50;

/** Serializes changes of a business's cards, so that only one is the default. */
async function lockCards(tx: Tx, businessId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`cards/${businessId}`}, 0))`.execute(tx);
}

async function insertCard(tx: Tx, row: Insertable<Cards>): Promise<boolean> {
  const inserted = await tx
    .insertInto('cards')
    .values(row)
    .onConflict((conflict) => conflict.column('providerRef').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) emitOfBusiness(tx, 'wallet', row);
  return inserted !== undefined;
}

export const findCard = (db: Db, cardId: string): Promise<CardRow | undefined> =>
  cardRows(db).where('id', '=', cardId).executeTakeFirst();

const findCardByRef = (db: Db, ref: string): Promise<CardRow | undefined> =>
  cardRows(db).where('providerRef', '=', ref).executeTakeFirst();

const listCards = (db: Db, businessId: string): Promise<CardRow[]> =>
  cardRows(db)
    .where('businessId', '=', businessId)
    .where('removedAt', 'is', null)
    .orderBy('isDefault', 'desc')
    .orderBy('addedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute();

const findDefaultCard = (db: Db, businessId: string): Promise<CardRow | undefined> =>
  cardRows(db)
    .where('businessId', '=', businessId)
    .where('isDefault', '=', true)
    .where('removedAt', 'is', null)
    .executeTakeFirst();

async function setDefaultCard(tx: Tx, businessId: string, cardId: string): Promise<void> {
  await tx
    .updateTable('cards')
    .set({ isDefault: false })
    .where('businessId', '=', businessId)
    .where('isDefault', '=', true)
    .where('id', '<>', cardId)
    .execute();
  await tx.updateTable('cards').set({ isDefault: true }).where('id', '=', cardId).execute();
  emitOfBusiness(tx, 'wallet', { businessId });
}

async function removeCardRow(tx: Tx, cardId: string, at: Date): Promise<void> {
  const removed = await tx
    .updateTable('cards')
    .set({ removedAt: at, isDefault: false })
    .where('id', '=', cardId)
    .where('removedAt', 'is', null)
    .returning('businessId')
    .executeTakeFirst();
  emitOfBusiness(tx, 'wallet', removed);
}

/** A bank method keeps its ref for a business, even when it is added again. */
async function restoreCard(tx: Tx, businessId: string, ref: string): Promise<void> {
  const restored = await tx
    .updateTable('cards')
    .set({ removedAt: null })
    .where('providerRef', '=', ref)
    .where('businessId', '=', businessId)
    .where('removedAt', 'is not', null)
    .returning('businessId')
    .executeTakeFirst();
  emitOfBusiness(tx, 'wallet', restored);
}

export const cardsRoutes = {
  add: write(cards.add, addCard, { prepare: saveCard }),
  openPage: write(cards.openPage, openCardPage, { prepare: askForPage }),
  remove: write(cards.remove, removeCard),
  makeDefault: write(cards.makeDefault, makeCardDefault),
};
