import { Trans, useLingui } from '@lingui/react/macro';
import { minuteMs } from '@nearhand/contract/durations';
import type { Hold } from '@nearhand/contract/money/holds';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { shareLeft } from '../../lib/forms/share-left.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { ClockRing } from '../../ui/art/ring-figures.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ChargeProgress } from '../charges/charge-progress.tsx';
import { chargePollMs, isChargeOver, moneyMoved } from '../charges/charges.api.ts';
import { FundingPick } from '../wallet/funding-pick.tsx';

/** An unpaid hold: its payment in progress, the bank's confirmation, or the refusal and another way to pay. */
export function HoldPayment({
  hold: first,
  answerBy,
  businessId,
  workerName,
  onPaid,
}: {
  hold: Hold;
  answerBy: string;
  businessId: string;
  workerName: string;
  onPaid: () => void;
}) {
  const { t } = useLingui();
  const now = useNow(1_000);
  const { checkoutMinutes } = useSettings();
  const hold = useHold(first.id).data ?? first;
  const pay = usePayHold();
  const action = useAction(errorText);
  const [funding, setFunding] = useState<FundingSource | null>(null);
  const [choosesAgain, setChoosesAgain] = useState(false);
  const payBy = payUntil(hold.payBy, answerBy);
  const step = holdStep({ ...hold, payBy }, now);
  const hasNotified = useRef(false);
  useEffect(() => {
    if (step !== 'paid' || hasNotified.current) return;
    hasNotified.current = true;
    moneyMoved();
    onPaid();
  }, [step, onPaid]);
  const amount = formatMoney(hold.payMinor + hold.feeMinor, hold.currency);
  if (step === 'paid')
    return (
      <Banner tone="good" icon="check-circle" live>
        <Trans>{amount} is set aside. Your offer is sent.</Trans>
      </Banner>
    );
  if (step === 'over')
    return (
      <Banner tone="bad" icon="hourglass" live>
        <Trans>
          Time to pay ran out. The offer wasn't sent and you weren't charged. Make the offer again when you're
          ready.
        </Trans>
      </Banner>
    );
  const isChoosing = step === 'choose' || choosesAgain;
  return (
    <section className="col g4" aria-label={t`Pay for the offer`}>
      {hold.payBy && payBy && step !== 'taking' ? (
        <PayBy
          payBy={payBy}
          startedAt={Date.parse(hold.payBy) - checkoutMinutes * minuteMs}
          now={now}
          workerName={workerName}
        />
      ) : null}
      {hold.charge ? <ChargeProgress key={hold.charge.id} charge={hold.charge} /> : null}
      {isChoosing ? (
        <>
          <FundingPick
            key={`from ${hold.charge?.id}`}
            businessId={businessId}
            currency={hold.currency}
            amountMinor={hold.payMinor + hold.feeMinor}
            legend={t`Pay ${amount} with`}
            value={funding}
            onChange={setFunding}
          />
          <Refused text={action.refusal} />
          <Button
            kind="go"
            full
            busy={action.busy}
            disabled={funding === null}
            onClick={() =>
              void action
                .run(() => (funding ? pay.pay({ holdId: hold.id, funding }) : Promise.resolve()))
                .then((succeeded) => succeeded && setChoosesAgain(false))
            }
          >
            {t`Pay ${amount}`}
          </Button>
        </>
      ) : step === 'confirm' ? (
        <Button kind="text" size="s" onClick={() => setChoosesAgain(true)}>
          {t`Pay a different way`}
        </Button>
      ) : null}
    </section>
  );
}

function PayBy({
  payBy,
  startedAt,
  now,
  workerName,
}: {
  payBy: string;
  startedAt: number;
  now: Date;
  workerName: string;
}) {
  const { t } = useLingui();
  const leftMs = Math.max(0, Date.parse(payBy) - now.getTime());
  const minutesLeft = Math.ceil(leftMs / minuteMs);
  return (
    <div className="row g3">
      <ClockRing left={shareLeft(startedAt, payBy, now)}>{t`${minutesLeft} min`}</ClockRing>
      <p className="grow">
        <span className="strong block">
          {minutesLeft === 1 ? t`1 minute left to pay` : t`${minutesLeft} minutes left to pay`}
        </span>
        <span className="sm mute">
          <Trans>Your offer is sent once its money is set aside. {workerName} won't see it until then.</Trans>
        </span>
      </p>
    </div>
  );
}

/**
 * The deadline for paying: the earlier of the payment's and the offer's, which must be answered in time too.
 */
export const payUntil = (payBy: string | null, answerBy: string): string | null =>
  payBy !== null && Date.parse(answerBy) < Date.parse(payBy) ? answerBy : payBy;

/** The next step of an open hold: `confirm` needs the cardholder's bank, `over` was not paid in time. */
type HoldStep = 'taking' | 'confirm' | 'choose' | 'paid' | 'over';

export function holdStep(
  { status, charge, payBy }: Pick<Hold, 'status' | 'charge' | 'payBy'>,
  now: Date,
): HoldStep {
  if (status === 'expired') return 'over';
  if (status !== 'created' && status !== 'authorising') return 'paid';
  if (charge?.status === 'created' || charge?.status === 'processing') return 'taking';
  // The card was charged; the hold follows in a moment.
  if (charge?.status === 'succeeded') return 'taking';
  if (payBy !== null && Date.parse(payBy) <= now.getTime()) return 'over';
  return charge?.status === 'requires_action' ? 'confirm' : 'choose';
}

/** Polls rarely while another card must be chosen, since a colleague may do so too. A planned hold changes in days. */
function askHoldEvery(hold: Hold | undefined): number | false {
  if (hold && hold.status !== 'created' && hold.status !== 'authorising') return false;
  if (hold?.status === 'created' && hold.fundAt !== null) return false;
  const isUnderWay = !hold || (hold.charge !== null && !isChargeOver(hold.charge));
  return isUnderWay ? chargePollMs : 5_000;
}

/** A hold, polled while its money is pending. Null disables it. */
export function useHold(holdId: string | null) {
  return useQuery(
    apiQuery.holds.get.queryOptions({
      input: { holdId: holdId ?? '' },
      enabled: holdId !== null,
      staleTime: 0,
      gcTime: 60_000,
      refetchInterval: ({ state }) => askHoldEvery(state.data),
      ...neverPersist,
    }),
  );
}

/** Pays an unpaid hold with another card or the balance (`holds.pay`), or the planned one of booked work early. */
export function usePayHold(operation: 'pay' | 'payBooked' = 'pay') {
  const change = useMutation(
    apiQuery.holds[operation].mutationOptions({
      onSuccess: (paid) =>
        queryClient.setQueryData(apiQuery.holds.get.queryKey({ input: { holdId: paid.id } }), paid),
      onSettled: moneyMoved,
    }),
  );
  return {
    ...change,
    pay: async (input: Parameters<typeof change.mutateAsync>[0]) => await change.mutateAsync(input),
  };
}
