import { createStripe } from '@nearhand/api/src/money/stripe/stripe.ts';
import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import type { TaskScope } from '@nearhand/api/src/platform/tasks/tasks.ts';
import {
  startStripeDouble,
  stripeCards,
  stripeIban,
  stripeSettings,
} from '@nearhand/api/test/stripe-double/stripe-double.ts';
import type { ProviderDouble } from './provider-double.ts';
import type { CardKind, Cast } from './world.model.ts';

const numbers: Record<Exclude<CardKind, 'refused'>, string> = {
  good: stripeCards.paysAtOnce,
  declined: stripeCards.declined,
  confirms: stripeCards.confirm,
  late: stripeIban,
};

const ownerId = 'the business of the run';
/** More than a run moves. */
const balanceMinor = 10 ** 12;
/** More objects than a run makes. */
const objectsMax = 1_000_000;
let runs = 0;

/**
 * Stripe's adapter with its stand-in, for one run. Cards and banks are made at their first use. Every payout
 * is a standard one, and one that failed after it was paid is `returned`, as in the model, even if we never
 * received the first state.
 */
export async function createStripeProvider(
  { db, clock, log }: Pick<TaskScope, 'db' | 'clock' | 'log'>,
  { currency }: Pick<Cast, 'currency'>,
): Promise<ProviderDouble> {
  runs += 1;
  const double = await startStripeDouble({ now: () => clock.now(), firstId: runs * objectsMax });
  const config = readConfig({ NODE_ENV: 'test', ...stripeSettings(double) });
  const stripe = createStripe({ db, clock, log, config });
  double.topUp(balanceMinor, currency.toLowerCase());
  const refs = new Map<string, string>();
  const returnedIds = new Set<string>();
  const refOnce = async (ref: string, make: () => Promise<string>): Promise<string> => {
    const created = refs.get(ref) ?? (await make());
    refs.set(ref, created);
    return created;
  };
  const madeUnder = (object: string, key: string) =>
    double.all(object).find(({ metadata }) => metadata.nearhand_key === key);
  const intentOf = (chargeId: string) => madeUnder('payment_intent', chargeId);

  const saveCard = async (cardRef: string): Promise<string> => {
    const kind = cardRef.split('/')[0] as CardKind;
    if (kind === 'refused') return 'cus_missing/pm_missing';
    const token = double.saveCard(ownerId, numbers[kind], { month: 12, year: 2040 });
    const saved = await stripe.saveCard({ key: cardRef, token, ownerId });
    if ('failure' in saved) throw new Error(`the card ${cardRef} was not saved`);
    return saved.ref;
  };
  const saveBank = async (bankRef: string): Promise<string> => {
    const worker = { legalName: 'A Worker', bornOn: '1990-05-05', country: 'NL', address: 'x' };
    await stripe.checkIdentity({ key: bankRef, ownerId: bankRef, ...worker });
    const account = double.accountOf(bankRef);
    await double.onboard(account);
    const behaviour = bankRef.startsWith('fails/') ? 'closed' : 'pays';
    return `${account}/${double.addBank(account, { behaviour, currency: currency.toLowerCase() })}`;
  };
  const findPayout: ProviderDouble['syncPayoutByKey'] = async (key) => {
    const state = await stripe.syncPayoutByKey(key);
    return state && returnedIds.has(key) ? { ...state, status: 'returned' } : state;
  };

  return {
    chargeMin: stripe.chargeMin,
    charge: async (o) =>
      stripe.charge({ ...o, cardRef: await refOnce(o.cardRef, () => saveCard(o.cardRef)) }),
    findCharge: stripe.findCharge,
    getCharge: stripe.getCharge,
    cancelCharge: stripe.cancelCharge,
    refund: stripe.refund,
    payOut: async (o) =>
      stripe.payOut({
        ...o,
        bankRef: await refOnce(o.bankRef, () => saveBank(o.bankRef)),
        speed: 'standard',
      }),
    syncPayoutByKey: findPayout,
    syncPayout: async (ref) => {
      const id = ref.split('/')[1] ?? '';
      const key = id.startsWith('po_') ? double.object(id).metadata.nearhand_key : null;
      return key ? findPayout(key) : stripe.syncPayout(ref);
    },
    settle: (chargeId, becomes) => {
      const intent = intentOf(chargeId);
      if (intent?.status === 'processing') double.finishDebit(intent.id, becomes === 'succeeded');
      else double.decide(intent?.id, becomes === 'succeeded');
    },
    chargeBack: (chargeId, amount) => void double.dispute(intentOf(chargeId)?.id, { amount }),
    decide: (chargeId, won) => {
      const intent = intentOf(chargeId)?.id;
      for (const dispute of double.all('dispute'))
        if (dispute.payment_intent === intent && dispute.status === 'needs_response')
          double.closeDispute(dispute.id, won ? 'won' : 'lost');
    },
    becomes: (withdrawalId, status) => {
      const payout = madeUnder('payout', withdrawalId);
      if (!payout) throw new Error(`the withdrawal ${withdrawalId} has no payout`);
      if (status === 'paid') return double.movePayout(payout.id, 'paid');
      if (status === 'returned') returnedIds.add(withdrawalId);
      double.movePayout(payout.id, 'failed');
    },
    close: double.close,
  };
}
