import type { Currency } from '@nearhand/contract/currencies';
import type { Card } from '@nearhand/contract/payments';
import { type Db, inTransaction } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelTask, type TaskScope } from '../../platform/tasks.ts';
import { cardToken, testCards } from '../sandbox/sandbox.fixtures.ts';
import { addCard, saveCard } from './cards.service.ts';
import { findCard } from './cards.sql.ts';
import { applyChargeIn } from './charge-outcomes.service.ts';
import { startCharge } from './charges.service.ts';
import { askKey } from './payments.queue.ts';

/** A saved card of a business, through the provider, in the name of `scope.actor`, who manages its money. `number` as in `testCards`. */
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

/**
 * A business with a saved card and money on its balance: a top-up through the provider, settled at once, so that its books and ours agree. Minor units; a million of
 * the currency unless wished otherwise.
 */
export async function fundBusiness(
  db: Db,
  scope: Scope,
  businessId: string,
  wishes: { amountMinor?: number; currency?: Currency; card?: Card } = {},
): Promise<Card> {
  const { amountMinor = 100_000_000, currency = 'EUR' } = wishes;
  const card = wishes.card ?? (await makeCard(db, scope, businessId));
  await inTransaction(db, async (tx) => {
    const description = 'Nearhand balance';
    const { chargeId } = await startCharge(tx, scope, {
      ...{ businessId, amountMinor, currency, description },
      cardId: card.id,
      purpose: 'top_up',
      subjectId: null,
      returnPath: '/merchant-transaction',
    });
    // Asked for here and not by the task, so that the money is there at once.
    await cancelTask(tx, askKey(chargeId));
    const state = await scope.provider.charge({
      ...{ key: chargeId, amountMinor, currency, description },
      cardRef: (await findCard(tx, card.id))?.provider_ref ?? '',
      returnUrl: `${scope.config.PUBLIC_URL}/merchant-transaction`,
    });
    await applyChargeIn(tx, scope as unknown as TaskScope, chargeId, state);
  });
  return card;
}
