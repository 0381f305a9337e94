import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import type { ReleasePreview } from '@nearhand/contract/holds';
import { formatMinutes, formatMoney } from '../../lib/format.ts';
import { ReleaseSums } from '../holds/release-cost.part.tsx';
import { payBasis } from './engagement-words.ts';
import { claimOf } from './hours-compare.rules.ts';

/** What approving this work does with its hold. */
export function ReleaseHold({ work, preview }: { work: Engagement; preview: ReleasePreview }) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, preview.currency);
  const name = work.worker.name || t`The worker`;
  const claim = claimOf(work);
  const basis =
    claim && work.terms.kind === 'shift'
      ? t`${name}, ${formatMinutes(claim.paidMinutes)} at ${money(work.terms.payMinor)}`
      : t`${name}, ${payBasis(work.terms)}`;
  return (
    <section>
      <h2 className="h-l">{t`From the hold`}</h2>
      <div className="mt3">
        <ReleaseSums
          preview={preview}
          heldLabel={work.terms.kind === 'shift' ? t`Held for this shift` : t`Held for this task`}
          workerLabel={basis}
        />
      </div>
    </section>
  );
}
