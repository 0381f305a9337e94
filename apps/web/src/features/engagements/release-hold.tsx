import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import type { ReleasePreview } from '@nearhand/contract/holds';
import { formatMinutes, formatMoney, formatShare } from '../../lib/format.ts';
import { SumRow } from '../../ui/card.tsx';
import { payBasis } from './engagement-words.ts';
import { claimOf } from './hours-compare.rules.ts';

/** What a release does with the hold, line by line, before it is confirmed (look 15). */
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
        <SumRow
          label={work.terms.kind === 'shift' ? t`Held for this shift` : t`Held for this task`}
          value={money(preview.heldMinor)}
        />
        {preview.alreadyPaidMinor > 0 ? (
          <SumRow label={t`Paid before, undisputed`} value={money(preview.alreadyPaidMinor)} />
        ) : null}
        <SumRow label={basis} value={`−${money(preview.workerGetsMinor)}`} />
        {preview.payMinor > preview.workerGetsMinor ? (
          <SumRow
            label={t`Fee of the worker, ${formatShare(preview.workerFeeBasisPoints)}`}
            value={`−${money(preview.payMinor - preview.workerGetsMinor)}`}
          />
        ) : null}
        <SumRow
          label={t`Nearhand fee, ${formatShare(preview.merchantFeeBasisPoints)}`}
          value={`−${money(preview.feeMinor)}`}
        />
        {preview.missingMinor > 0 ? (
          <SumRow
            total
            label={t`Missing in the hold`}
            value={<span className="danger">{money(preview.missingMinor)}</span>}
          />
        ) : (
          <SumRow
            total
            label={t`Back to your balance`}
            value={<span className="up">{money(preview.backMinor)}</span>}
          />
        )}
      </div>
    </section>
  );
}
