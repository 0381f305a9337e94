import type { Currency } from '@nearhand/contract/currencies';
import type { Card } from '@nearhand/contract/money/cards';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { addCard, findCard, saveCard } from '../cards/cards.ts';
import { applyChargeIn } from '../charges/charge-outcomes.ts';
import { askKey, startCharge } from '../charges/charges.ts';
import { cardToken, testCards } from '../sandbox/sandbox.fixtures.ts';

/**
 * Saves a card through the provider as `scope.actor`, who manages the business's money. `number` as in
 * `testCards`.
 */
export async function makeCard(
  db: Db,
  scope: Scope,
  businessId: string,
  number: string = testCards.pays,
): Promise<Card> {
  const token = await cardToken(scope.provider, number);
  const saved = await saveCard(scope, { businessId, token }, db);
  return inTransaction(db, (tx) => addCard(tx, scope, { businessId }, saved));
}

/** Creates a business with a saved card and a finished top-up. Minor units; a million by default. */
export async function fundBusiness(
  db: Db,
  scope: Scope,
  businessId: string,
  options: { amountMinor?: number; currency?: Currency; card?: Card } = {},
): Promise<Card> {
  const { amountMinor = 100_000_000, currency = 'EUR' } = options;
  const card = options.card ?? (await makeCard(db, scope, businessId));
  await inTransaction(db, async (tx) => {
    const description = 'Nearhand balance';
    const { chargeId } = await startCharge(tx, scope, {
      businessId,
      amountMinor,
      currency,
      description,
      cardId: card.id,
      purpose: 'top_up',
      subjectId: null,
      returnPath: '/merchant-transaction',
    });
    await cancelTask(tx, askKey(chargeId));
    const state = await scope.provider.charge({
      key: chargeId,
      amountMinor,
      currency,
      description,
      cardRef: (await findCard(tx, card.id))?.providerRef ?? '',
      returnUrl: `${scope.config.PUBLIC_URL}/merchant-transaction`,
    });
    await applyChargeIn(tx, scope as unknown as TaskScope, chargeId, state);
  });
  return card;
}
