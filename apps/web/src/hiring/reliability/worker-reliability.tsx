import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Loading, SkeletonBar } from '../../ui/pages/skeleton.tsx';

export function WorkerReliability({ workerId }: { workerId: string }) {
  const { t } = useLingui();
  const query = useWorkerReliability(workerId);
  const facts = query.data;
  const any =
    facts !== undefined &&
    facts.kept + facts.lateCancellations + facts.noShows + facts.lateArrivals + facts.interviewsMissed > 0;
  return (
    <section>
      <h3 className="h-s">{t`Reliability`}</h3>
      {!facts && !query.error ? (
        <Loading>
          <SkeletonBar />
        </Loading>
      ) : null}
      {!facts && query.error ? (
        <p className="mute mt2">
          {errorText(query.error)}{' '}
          <Button kind="text" size="s" onClick={() => void query.refetch()}>
            {t`Try again`}
          </Button>
        </p>
      ) : null}
      {facts ? (
        <>
          <p className="h-l mt2">
            {facts.percent === null ? (
              any ? (
                t`Fewer than 3 jobs`
              ) : (
                t`New here`
              )
            ) : (
              <span className="num">{t`${facts.percent}%`}</span>
            )}
          </p>
          <p className="sm mute">
            {facts.percent === null ? (
              <Trans>A percentage appears after three jobs or interviews.</Trans>
            ) : (
              <Trans>Agreed jobs completed in the past year.</Trans>
            )}
          </p>
          <dl className="points mt2">
            {(
              [
                [t`Completed`, facts.kept],
                [t`Cancelled late`, facts.lateCancellations],
                [t`Didn't show up`, facts.noShows],
                [t`More than 5 minutes late`, facts.lateArrivals],
                [t`Missed interviews`, facts.interviewsMissed],
              ] as const
            ).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="num">{value}</dd>
              </div>
            ))}
          </dl>
        </>
      ) : null}
    </section>
  );
}

const useWorkerReliability = (workerId: string) =>
  useQuery(apiQuery.reliability.ofWorker.queryOptions({ input: { workerId }, ...neverPersist }));
