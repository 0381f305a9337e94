import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { formatMoney } from '../../lib/words/format.ts';
import { HoldPayment } from '../../money/holds/hold-payment.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useUnpaidOffers } from './rebook.api.ts';

export function UnpaidOffers({ businessId, openId }: { businessId: string; openId: string | null }) {
  const { t } = useLingui();
  const { data = [] } = useUnpaidOffers(businessId);
  const [paying, setPaying] = useState<string | null>(openId);
  useEffect(() => setPaying(openId), [openId]);
  const open = data.find(({ id }) => id === paying);
  return (
    <>
      {data.map(({ id, terms, worker }) => (
        <div key={id} className="mt3">
          <Banner
            tone="wait"
            icon="hourglass"
            action={
              <Button kind="text" size="s" needsNetwork onClick={() => setPaying(id)}>
                {t`Pay`}
                <span className="vh">: {worker.name}</span>
              </Button>
            }
          >
            <Trans>
              Payment needed: {formatMoney(terms.holdMinor, terms.currency)} for your offer to {worker.name}.
              They won't see it until then.
            </Trans>
          </Banner>
        </div>
      ))}
      <Sheet
        open={open !== undefined}
        onClose={() => setPaying(null)}
        title={t`Pay for the offer to ${open?.worker.name ?? ''}`}
      >
        {open?.hold ? (
          <HoldPayment
            key={open.id}
            hold={open.hold}
            answerBy={open.expiresAt}
            businessId={businessId}
            workerName={open.worker.name}
            onPaid={() => {
              showToast(t`Offer sent to ${open.worker.name}`);
              setPaying(null);
            }}
          />
        ) : null}
      </Sheet>
    </>
  );
}
