import type { Currency } from '@nearhand/contract/money';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { Chargebacks } from '../../platform/tables.gen.ts';
import { balanceOf, postEntry, reverseEntry } from '../ledger/ledger.ts';
import { chargeHooks } from './charge-hooks.ts';
import { notifyOfChargeback } from './charge-notices.ts';
import { type ChargebackStatus, chargebackSummary } from './charges.rules.ts';
import type { OutcomeScope } from './charges.ts';
import { type ChargeRow, countOpenChargebacks, findCharge, lockCharge, updateCharge } from './charges.ts';

type ChargebackRow = Omit<Selectable<Chargebacks>, 'status'> & { status: ChargebackStatus };

/** A chargeback by the provider's ref. */
export async function findChargeback(db: Db, ref: string): Promise<ChargebackRow | undefined> {
  const { rows } = await sql<ChargebackRow>`select * from chargebacks where ref = ${ref}`.execute(db);
  return rows[0];
}

/**
 * The owner of a card disputes a charge: the provider withholds the money until the bank decides (ADR 71). The rest of its hold is frozen, what is no
 * longer held is taken from the balance of the business as far as it goes, and the platform bears the remainder.
 * @param chargeback the provider's ref of it, and its amount in minor units of the charge's currency
 */
export async function openChargeback(
  tx: Tx,
  scope: OutcomeScope,
  { ref, chargeId, amountMinor }: { ref: string; chargeId: string; amountMinor: number },
): Promise<void> {
  const holdId = holdOf(await requireCharge(tx, chargeId));
  if (holdId !== null) await chargeHooks.on.holdFrozen(tx, scope, holdId, true);
  const charge = await lockedCharge(tx, chargeId);
  if (amountMinor > charge.amountMinor) throw new Error(`chargeback ${ref} is of more than its charge`);
  const currency = charge.currency as Currency;
  const heldMinor = holdId === null ? 0 : await balanceOf(tx, { kind: 'hold', ownerId: holdId }, currency);
  const borneMinor = await affordable(tx, charge, amountMinor - Math.min(heldMinor, amountMinor));
  const { entryId } = await postEntry(tx, scope, {
    key: `chargeback/${ref}`,
    kind: 'chargeback',
    currency,
    about: chargeId,
    lines: [
      { account: { kind: 'provider_clearing' as const }, amountMinor },
      { account: balanceAccount(charge), amountMinor: -borneMinor },
      { account: { kind: 'platform_losses' as const }, amountMinor: borneMinor - amountMinor },
    ].filter((line) => line.amountMinor !== 0),
  });
  const now = scope.clock.now();
  await tx
    .insertInto('chargebacks')
    .values({
      ref,
      chargeId,
      status: 'open',
      amountMinor,
      borneMinor,
      entryId,
      openedAt: now,
      updatedAt: now,
    })
    .execute();
  await summarize(tx, scope, chargeId);
  await notifyOfChargeback(tx, scope, charge, 'open', { ref, amountMinor });
}

/**
 * The bank decided one chargeback. Won: everything is reversed and the hold continues. Lost: the platform recovers what it bore from the hold, then from the balance;
 * the remainder is its loss.
 */
export async function closeChargeback(
  tx: Tx,
  scope: OutcomeScope,
  ref: string,
  decision: 'won' | 'lost',
): Promise<void> {
  const chargeback = await findChargeback(tx, ref);
  if (!chargeback) throw new Error(`chargeback ${ref} was never opened`);
  const { chargeId, amountMinor, entryId } = chargeback;
  const disputed = await requireCharge(tx, chargeId);
  const holdId = holdOf(disputed);
  let borneMinor = chargeback.borneMinor;
  if (decision === 'won') {
    // Money first: pay that was waiting may need the balance too.
    await reverseEntry(tx, scope, { key: `chargeback-won/${ref}`, entryId, kind: 'chargeback_won' });
    borneMinor = 0;
  } else {
    const currency = disputed.currency as Currency;
    if (holdId !== null)
      borneMinor += await chargeHooks.on.holdChargedBack(tx, scope, holdId, {
        ref,
        chargeId,
        currency,
        amountMinor: amountMinor - borneMinor,
      });
    const charge = await lockedCharge(tx, chargeId);
    const more = await affordable(tx, charge, amountMinor - borneMinor);
    if (more > 0)
      await postEntry(tx, scope, {
        key: `chargeback-lost/${ref}`,
        kind: 'chargeback',
        currency,
        about: chargeId,
        lines: [
          { account: balanceAccount(charge), amountMinor: -more },
          { account: { kind: 'platform_losses' }, amountMinor: more },
        ],
      });
    borneMinor += more;
  }
  await tx
    .updateTable('chargebacks')
    .set({ status: decision, borneMinor, updatedAt: scope.clock.now() })
    .where('ref', '=', ref)
    .execute();
  await summarize(tx, scope, chargeId);
  // Another chargeback of the same hold may still be open.
  if (holdId !== null)
    await chargeHooks.on.holdFrozen(tx, scope, holdId, (await countOpenChargebacks(tx, holdId)) > 0);
  await notifyOfChargeback(tx, scope, disputed, decision, { ref, amountMinor });
}

/** Stores on a charge whether any of its chargebacks is open or lost. */
async function summarize(tx: Tx, scope: OutcomeScope, chargeId: string): Promise<void> {
  const { rows } = await sql<{ status: ChargebackStatus }>`
    select status from chargebacks where charge_id = ${chargeId}`.execute(tx);
  const chargeback = chargebackSummary(rows.map(({ status }) => status));
  await updateCharge(tx, chargeId, { chargeback, updatedAt: scope.clock.now() });
}

/** The hold that a charge's money went into. */
const holdOf = (charge: ChargeRow): string | null =>
  charge.landed === 'subject' && (charge.purpose === 'hold' || charge.purpose === 'cover')
    ? charge.subjectId
    : null;

const balanceAccount = (charge: ChargeRow) => ({
  kind: 'business_balance' as const,
  ownerId: charge.businessId,
});

/** The part of an amount that the balance covers now. If it is spent concurrently, the ledger refuses and the task retries. */
const affordable = async (tx: Tx, charge: ChargeRow, amountMinor: number): Promise<number> =>
  Math.min(amountMinor, await balanceOf(tx, balanceAccount(charge), charge.currency as Currency));

async function requireCharge(tx: Tx, chargeId: string): Promise<ChargeRow> {
  const charge = await findCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  return charge;
}

/** Locked after the hold and before the ledger, like everywhere; a concurrent refund waits here. */
async function lockedCharge(tx: Tx, chargeId: string): Promise<ChargeRow> {
  const charge = await lockCharge(tx, chargeId);
  if (!charge) throw new Error(`there is no charge ${chargeId}`);
  return charge;
}
