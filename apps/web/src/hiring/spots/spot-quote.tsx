import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { BalanceTooLow, ShortBalance } from '../../money/wallet/short-balance.tsx';
import { SumRow } from '../../ui/card.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';

export function SpotQuote({
  jobId,
  version,
  businessId,
  isRefused,
}: {
  jobId: string;
  version: number;
  businessId: string;
  /** The page shows the shortage that refused publishing. */
  isRefused: boolean;
}) {
  const { t } = useLingui();
  const query = useSpotQuote(jobId, version);
  return (
    <section aria-label={t`Set aside when you publish`}>
      <h2 className="h-m">{t`Set aside when you publish`}</h2>
      <div className="mt3">
        <QueryState
          query={query}
          loading={<RowsSkeleton count={2} />}
          errorTitle={t`We couldn't calculate the amount`}
        >
          {({ spots, eachMinor, totalMinor, balanceMinor, missingMinor, currency }) =>
            eachMinor === null || totalMinor === null ? (
              <p className="mute">
                <Trans>Fill in the hours and pay to see the amount.</Trans>
              </p>
            ) : (
              <>
                {spots > 1 ? (
                  <SumRow label={t`Per spot, including the fee`} value={formatMoney(eachMinor, currency)} />
                ) : null}
                <SumRow
                  label={
                    spots > 1 ? (
                      <Plural value={spots} one="# spot" other="# spots" />
                    ) : (
                      t`Per spot, including the fee`
                    )
                  }
                  value={formatMoney(totalMinor, currency)}
                />
                {balanceMinor === null ? null : (
                  <SumRow label={t`Your balance`} value={formatMoney(balanceMinor, currency)} />
                )}
                {missingMinor === null ? (
                  <BalanceTooLow />
                ) : missingMinor > 0 ? (
                  <>
                    <SumRow
                      total
                      label={t`Needed`}
                      value={<span className="danger">{formatMoney(missingMinor, currency)}</span>}
                    />
                    {isRefused ? null : (
                      <div className="mt3">
                        <ShortBalance
                          businessId={businessId}
                          currency={currency}
                          missingMinor={missingMinor}
                          onAdded={() => void query.refetch()}
                        />
                      </div>
                    )}
                  </>
                ) : balanceMinor === null ? null : (
                  <SumRow
                    total
                    label={t`Left in your balance`}
                    value={formatMoney(Math.max(0, balanceMinor - totalMinor), currency)}
                  />
                )}
              </>
            )
          }
        </QueryState>
      </div>
    </section>
  );
}

/** The reservation of an instant hire when published; refetched for every `version` of the draft. */
function useSpotQuote(jobId: string, version: number) {
  const { queryKey, ...options } = apiQuery.spots.quote.queryOptions({
    input: { jobId },
    staleTime: 0,
    ...neverPersist,
  });
  return useQuery({ ...options, queryKey: [...queryKey, version] as unknown as typeof queryKey });
}
