import { useLingui } from '@lingui/react/macro';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoney, formatShare } from '../../lib/format.ts';
import { SumRow } from '../../ui/card.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { useReleasePreview } from './holds.api.ts';

/** For the business, before it agrees to an amount for the whole work: what of the hold goes to whom, fee included, and what comes back. */
export function ReleaseCost({ engagementId, payMinor }: { engagementId: string; payMinor: number }) {
  const { t } = useLingui();
  const preview = useReleasePreview(engagementId, payMinor);
  return (
    <QueryState
      query={preview}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We could not work out the release`}
      describe={errorText}
      asOf={formatAgo}
    >
      {(data) => {
        const money = (minor: number) => formatMoney(minor, data.currency);
        const workerFeeMinor = data.payMinor - data.workerGetsMinor;
        return (
          <div>
            <SumRow label={t`Held`} value={money(data.heldMinor)} />
            {data.alreadyPaidMinor > 0 ? (
              <SumRow label={t`Paid before, undisputed`} value={money(data.alreadyPaidMinor)} />
            ) : null}
            <SumRow label={t`To the worker`} value={`−${money(data.workerGetsMinor)}`} />
            {workerFeeMinor > 0 ? (
              <SumRow
                label={t`Fee of the worker, ${formatShare(data.workerFeeBasisPoints)}`}
                value={`−${money(workerFeeMinor)}`}
              />
            ) : null}
            <SumRow
              label={t`Nearhand fee, ${formatShare(data.merchantFeeBasisPoints)}`}
              value={`−${money(data.feeMinor)}`}
            />
            {data.missingMinor > 0 ? (
              <SumRow
                total
                label={t`Missing in the hold`}
                value={<span className="danger">{money(data.missingMinor)}</span>}
              />
            ) : (
              <SumRow
                total
                label={t`Back to your balance`}
                value={<span className="up">{money(data.backMinor)}</span>}
              />
            )}
          </div>
        );
      }}
    </QueryState>
  );
}
