import { Trans, useLingui } from '@lingui/react/macro';
import { share } from '@nearhand/contract/arithmetic';
import type { Engagement } from '@nearhand/contract/engagements';
import { formatMoney, formatShare } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';

/** What is owed for an amount of pay: what the worker gets, the fee, the whole; and that nothing is set aside. */
export function Owed({ work, payMinor }: { work: Engagement; payMinor: number }) {
  const { t } = useLingui();
  const { terms, worker, releases, funding } = work;
  const money = (minor: number) => formatMoney(minor, terms.currency);
  const fee = share(payMinor, terms.merchantFeeBasisPoints);
  const workerFee = share(payMinor, terms.workerFeeBasisPoints);
  const before = releases.reduce(
    (sum, { kind, amountMinor }) => (kind === 'compensation' ? sum : sum + amountMinor),
    0,
  );
  const name = worker.name || t`the worker`;
  return (
    <div>
      <SumRow label={t`To ${name}`} value={money(payMinor - workerFee)} />
      {workerFee > 0 ? <SumRow label={t`Fee of the worker`} value={money(workerFee)} /> : null}
      <SumRow label={t`Nearhand fee, ${formatShare(terms.merchantFeeBasisPoints)}`} value={money(fee)} />
      <SumRow total label={t`You owe`} value={money(payMinor + fee)} />
      {before > 0 ? (
        <p className="sm mute mt2">
          <Trans>{money(before)} of the pay was agreed before and is part of it.</Trans>
        </p>
      ) : null}
      {funding === 'not_funded' ? (
        <div className="mt3">
          <Banner tone="wait" icon="lock-key">
            <p className="strong">{t`Not funded yet`}</p>
            <p>
              <Trans>
                Payments open later. What you approve is recorded as owed; no money moves, and both of you see
                it so.
              </Trans>
            </p>
          </Banner>
        </div>
      ) : null}
    </div>
  );
}
