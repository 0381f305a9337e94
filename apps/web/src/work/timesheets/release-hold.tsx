import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { ReleasePreview } from '@nearhand/contract/work/pay';
import { formatMinutes, formatMoney } from '../../lib/words/format.ts';
import { payBasis } from '../engagements/engagement.labels.ts';
import { ReleaseSums } from '../pay/release-cost.tsx';
import { workerClaimOf } from './hours-compare.rules.ts';

export function ReleaseHold({ work, preview }: { work: Engagement; preview: ReleasePreview }) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, preview.currency);
  const name = work.worker.name || t`The worker`;
  const claim = workerClaimOf(work);
  const basis =
    claim && work.terms.kind === 'shift'
      ? t`${name}, ${formatMinutes(claim.paidMinutes)} at ${money(work.terms.payMinor)}`
      : t`${name}, ${payBasis(work.terms)}`;
  return (
    <section>
      <h2 className="h-m">{t`From the hold`}</h2>
      <div className="mt3">
        <ReleaseSums
          preview={preview}
          heldLabel={work.terms.kind === 'shift' ? t`Set aside for this shift` : t`Set aside for this task`}
          workerLabel={basis}
        />
      </div>
    </section>
  );
}
