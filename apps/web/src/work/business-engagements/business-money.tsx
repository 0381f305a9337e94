import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { tipUntil } from '@nearhand/contract/work/pay.rules';
import { useState } from 'react';
import { useSettings } from '../../lib/settings.ts';
import { formatMoney } from '../../lib/words/format.ts';
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
