import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { tipUntil } from '@nearhand/contract/work/pay.rules';
import { useState } from 'react';
import { useSettings } from '../../lib/settings.ts';
import { formatDate, formatMoney } from '../../lib/words/format.ts';
import { ChargeProgress } from '../../money/charges/charge-progress.tsx';
import { moneyMoved } from '../../money/charges/charges.api.ts';
import { useHold, usePayHold } from '../../money/holds/hold-payment.tsx';
import { PaymentForm } from '../../money/wallet/funding-pick.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Cover } from '../pay/cover.tsx';
import { useReleasePreview } from '../pay/pay.api.ts';
import { TipForm } from '../pay/tip-form.tsx';

export function BusinessMoney({ work }: { work: Engagement }) {
  return (
    <>
      <OwedPay work={work} />
      <GiveTip work={work} />
    </>
  );
}

/** The day the pay of a shift of a series is set aside, and the form to do it early (ADR 399). */
export function PlannedPay({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { plannedHoldId, terms, funding } = work;
  const planned = terms.plannedFunding;
  const hold = useHold(funding === 'planned' ? plannedHoldId : null).data;
  if (plannedHoldId === null || funding !== 'planned' || !planned) return null;
  const amount = formatMoney(terms.holdMinor, terms.currency);
  const isDue = Date.parse(planned.at) <= Date.now();
  const charge = hold?.status === 'authorising' ? hold.charge : null;
  return (
    <>
      {charge ? (
        <div className="col g2">
          <ChargeProgress key={charge.id} charge={charge} onDone={moneyMoved} />
          <p className="sm mute">
            {t`If the money hasn’t arrived by ${formatDate(planned.by, terms.timeZone)}, the booking ends.`}
          </p>
        </div>
      ) : null}
      <Banner tone={isDue ? 'wait' : 'here'} icon="calendar-check">
        <p className="strong">
          {isDue
            ? t`${amount} isn’t set aside yet`
            : t`${amount} will be set aside on ${formatDate(planned.at, terms.timeZone)}`}
        </p>
        <p>
          {isDue
            ? t`We try your balance and your default card again. If neither covers it by ${formatDate(planned.by, terms.timeZone)}, the booking ends.`
            : t`From your balance, or your default card. If neither covers it by ${formatDate(planned.by, terms.timeZone)}, the booking ends.`}
        </p>
        <Button kind="out" size="s" className="mt2" needsNetwork onClick={() => setOpen(true)}>
          {t`Set aside now`}
        </Button>
      </Banner>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Set ${amount} aside`}>
        {open ? (
          <EarlyPayment
            holdId={plannedHoldId}
            work={work}
            onDone={() => {
              setOpen(false);
              showToast(t`${amount} is set aside.`);
            }}
          />
        ) : null}
      </Sheet>
    </>
  );
}

function EarlyPayment({ holdId, work, onDone }: { holdId: string; work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const { pay } = usePayHold('payBooked');
  const { terms, business } = work;
  return (
    <div className="col g4">
      <PaymentForm
        businessId={business.id}
        currency={terms.currency}
        amountMinor={terms.holdMinor}
        kind="go"
        label={t`Pay ${formatMoney(terms.holdMinor, terms.currency)}`}
        pay={async (funding) => {
          const { status, charge } = await pay({ holdId, funding });
          return { charge, isPaid: status !== 'created' && status !== 'authorising' };
        }}
        onDone={onDone}
      />
    </div>
  );
}

export function OwedPay({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const owed = owedOf(work);
  const preview = useReleasePreview(owed > 0 ? work.id : undefined).data;
  if (owed === 0) return null;
  if (work.funding === 'frozen')
    return (
      <Banner tone="wait" icon="lock-key">
        <Trans>
          {formatMoney(owed, work.terms.currency)} is on hold because your card's bank is reclaiming the
          payment. It's paid if the bank decides in your favor.
        </Trans>
      </Banner>
    );
  if (!preview || preview.missingMinor === 0) return null;
  const name = work.worker.name || t`The worker`;
  return (
    <Cover
      engagementId={work.id}
      businessId={work.business.id}
      currency={preview.currency}
      missingMinor={preview.missingMinor}
      owed
      onDone={() => showToast(t`${name} got paid`)}
    />
  );
}

function GiveTip({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { tipDays } = useSettings();
  const [open, setOpen] = useState(false);
  const until = tipDeadline(work, tipDays);
  if (until === null || until.getTime() < Date.now()) return null;
  const name = work.worker.name || t`the worker`;
  const title = t`Tip for ${name}`;
  return (
    <>
      <Button kind="out" full icon="hand-coins" needsNetwork onClick={() => setOpen(true)}>
        {t`Add a tip or bonus`}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={title}>
        {open ? (
          <TipForm
            engagementId={work.id}
            businessId={work.business.id}
            currency={work.terms.currency}
            workerName={name}
            onDone={(text) => {
              setOpen(false);
              showToast(text);
            }}
          />
        ) : null}
      </Sheet>
    </>
  );
}

/** Agreed pay that is still unpaid, in minor units, without the fee. */
const owedOf = ({ releases }: Pick<Engagement, 'releases'>): number =>
  releases.reduce((sum, { state, amountMinor }) => (state === 'not_funded' ? sum + amountMinor : sum), 0);

/** The deadline for a tip after approval; null unless the work is completed. */
function tipDeadline({ status, steps }: Pick<Engagement, 'status' | 'steps'>, tipDays: number): Date | null {
  if (status !== 'completed') return null;
  const approved = steps.find((step) => step.status === 'approved') ?? steps.at(-1);
  return approved ? tipUntil(new Date(approved.at), tipDays) : null;
}
