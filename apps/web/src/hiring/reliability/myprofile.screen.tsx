import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { MyProfile } from '../../people/profiles/my-profile.tsx';
import { Card, SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Loading, SkeletonBar } from '../../ui/pages/skeleton.tsx';

export default function MyProfileScreen() {
  return <MyProfile below={<OwnReliability />} />;
}

function OwnReliability() {
  const { t } = useLingui();
  const query = useQuery(apiQuery.reliability.mine.queryOptions());
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
        <SkeletonBar />
      </Loading>
    );
  return (
    <Card as="section" label={t`Your reliability`} roomy>
      <h2 className="h-m">{t`Your reliability`}</h2>
      <p className="h-xl num mt2">{facts.percent === null ? t`New` : t`${facts.percent}%`}</p>
      <p className="mute">
        {facts.percent === null ? (
          <Trans>A percentage appears after three jobs or interviews.</Trans>
        ) : (
          <Trans>
            How often you kept your commitments in the last 365 days. Businesses see it when you apply.
          </Trans>
        )}
      </p>
      <div className="mt3">
        <SumRow label={t`Jobs completed`} value={facts.kept} />
        <SumRow label={t`Cancelled late`} value={facts.lateCancellations} />
        <SumRow label={t`No-shows`} value={facts.noShows} />
        <SumRow label={t`Interviews missed`} value={facts.interviewsMissed} />
        <SumRow label={t`More than 5 minutes late`} value={facts.lateArrivals} />
      </div>
      <p className="sm mute mt3">
        <Trans>
          Cancelling on time never counts. A no-show you contest doesn't count until it's decided. Late
          arrivals are shown but don't lower the percentage.
        </Trans>
      </p>
      <div className="mt3">
        <HelpLink article="reliability">{t`How reliability is measured`}</HelpLink>
      </div>
    </Card>
  );
}
