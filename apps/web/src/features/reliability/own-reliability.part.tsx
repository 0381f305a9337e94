import { Trans, useLingui } from '@lingui/react/macro';
import type { WorkerReliability } from '@nearhand/contract/reliability';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Card, SumRow } from '../../ui/card.tsx';
import { Bar, Loading } from '../../ui/skeleton.tsx';

/** `reliability.mine`. */
function useMyReliability() {
  const query = useQuery(apiQuery.reliability.mine.queryOptions());
  return { ...query, data: query.data as WorkerReliability | undefined };
}

/** The own reliability as businesses see it, with what it is made of and how it is counted. */
export function OwnReliability() {
  const { t } = useLingui();
  const query = useMyReliability();
  const facts = query.data;
  if (!facts)
    return query.error ? (
      <p className="mute">
        {errorText(query.error)}{' '}
        <Button kind="text" size="s" onClick={() => void query.refetch()}>
          {t`Try again`}
        </Button>
      </p>
    ) : (
      <Loading>
        <Bar />
      </Loading>
    );
  return (
    <Card as="section" label={t`Your reliability`} roomy>
      <h2 className="h-m">{t`Your reliability`}</h2>
      <p className="h-xl num mt2">{facts.percent === null ? t`New` : t`${facts.percent}%`}</p>
      <p className="mute">
        {facts.percent === null ? (
          <Trans>A figure shows once three pieces of work or interviews counted.</Trans>
        ) : (
          <Trans>
            What you kept of all you agreed to in the last 365 days. Businesses see it when you apply.
          </Trans>
        )}
      </p>
      <div className="mt3">
        <SumRow label={t`Worked to the end`} value={facts.kept} />
        <SumRow label={t`Called off late`} value={facts.lateCancellations} />
        <SumRow label={t`Did not come`} value={facts.noShows} />
        <SumRow label={t`Interviews missed`} value={facts.interviewsMissed} />
        <SumRow label={t`Came more than 5 minutes late`} value={facts.lateArrivals} />
      </div>
      <p className="sm mute mt3">
        <Trans>
          Calling off in time never counts, nor does a no-show that you contest, until it is decided. Coming
          late is shown beside the figure and does not lower it.
        </Trans>
      </p>
    </Card>
  );
}
