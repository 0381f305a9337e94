import { useLingui } from '@lingui/react/macro';
import type { ReleasePreview } from '@nearhand/contract/work/pay';
import type { ReactNode } from 'react';
import { formatMoney, formatShare } from '../../lib/words/format.ts';
import { SumRow } from '../../ui/card.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useReleasePreview } from './pay.api.ts';

type PreviewStateProps = {
  preview: ReturnType<typeof useReleasePreview>;
  children: (data: ReleasePreview) => ReactNode;
};

export function ReleasePreviewState({ preview, children }: PreviewStateProps) {
  const { t } = useLingui();
  return (
    <QueryState
      query={preview}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't calculate the release`}
    >
      {children}
    </QueryState>
  );
}

type ReleaseSumsProps = { preview: ReleasePreview; heldLabel: string; workerLabel: string };

/** The effect of a release on the hold, line by line, before it is confirmed. */
export function ReleaseSums({ preview, heldLabel, workerLabel }: ReleaseSumsProps) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, preview.currency);
  const workerFeeMinor = preview.payMinor - preview.workerGetsMinor;
  return (
    <div>
      <SumRow label={heldLabel} value={money(preview.heldMinor)} />
      {preview.alreadyPaidMinor > 0 ? (
        <SumRow label={t`Already paid, undisputed`} value={money(preview.alreadyPaidMinor)} />
      ) : null}
      <SumRow label={workerLabel} value={money(-preview.workerGetsMinor)} />
      {workerFeeMinor > 0 ? (
        <SumRow
          label={t`Worker fee, ${formatShare(preview.workerFeeBasisPoints)}`}
          value={money(-workerFeeMinor)}
        />
      ) : null}
      <SumRow
        label={t`Nearhand fee, ${formatShare(preview.businessFeeBasisPoints)}`}
        value={money(-preview.feeMinor)}
      />
      {preview.missingMinor > 0 ? (
        <SumRow
          total
          label={t`Missing from the hold`}
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
  );
}

/** The split of the hold for an amount, fee included, and the refund. */
export function ReleaseCost({ engagementId, payMinor }: { engagementId: string; payMinor: number }) {
  const { t } = useLingui();
  return (
    <ReleasePreviewState preview={useReleasePreview(engagementId, payMinor)}>
      {(data) => <ReleaseSums preview={data} heldLabel={t`Held`} workerLabel={t`To the worker`} />}
    </ReleasePreviewState>
  );
}
