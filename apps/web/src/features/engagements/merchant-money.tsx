import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { useState } from 'react';
import { formatMoney } from '../../lib/format.ts';
import { useSettings } from '../../lib/settings.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Cover } from '../holds/cover.part.tsx';
import { useReleasePreview } from '../holds/holds.api.ts';
import { TipForm } from '../holds/tip-form.part.tsx';
import { owedOf, tipUntil } from './merchant-money.rules.ts';

/** What the business can still do with its money once work is agreed on: pay what is owed, or give a tip. */
export function MerchantMoney({ work }: { work: Engagement }) {
  return (
    <>
      <OwedPay work={work} />
      <GiveTip work={work} />
    </>
  );
}

/** Pay that was agreed and that its hold did not cover, with the way to add it. Nothing while none is owed. */
export function OwedPay({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const owed = owedOf(work);
  const preview = useReleasePreview(owed > 0 ? work.id : undefined).data;
  if (owed === 0) return null;
  if (work.funding === 'frozen')
    return (
      <Banner tone="wait" icon="lock-key">
        <Trans>
          {formatMoney(owed, work.terms.currency)} waits: the bank of your card asks the money back. It is
          paid once that is decided for you.
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
      onDone={() => showToast(t`${name} is paid`)}
    />
  );
}

function GiveTip({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { tipDays } = useSettings();
  const [open, setOpen] = useState(false);
  const until = tipUntil(work, tipDays);
  if (until === null || until.getTime() < Date.now()) return null;
  const name = work.worker.name || t`the worker`;
  const title = t`A tip for ${name}`;
  return (
    <>
      <Button kind="out" full icon="hand-coins" onClick={() => setOpen(true)}>
        {t`Give a tip or a bonus`}
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
