import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { BusinessReliability } from '@nearhand/contract/hiring/reliability';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { useFirstLoading } from '../../lib/pages/use-first-loading.ts';
import { ProgressRing } from '../../ui/art/rings.tsx';
import { Card } from '../../ui/card.tsx';
import { Loading, SkeletonBar } from '../../ui/pages/skeleton.tsx';

/** A business's reliability, from a year of facts (ADR 45). Empty while unknown: the page does not depend on it. */
export function BusinessReliabilityPart({ businessId, name }: { businessId: string; name: string }) {
  const { t } = useLingui();
  const query = useQuery(apiQuery.reliability.ofBusiness.queryOptions({ input: { businessId } }));
  const { data } = query;
  const loading = useFirstLoading(query);
  if (loading) return <FactsSkeleton />;
  return data ? <Facts reliability={data} name={name} label={t`Reliability of ${name}`} /> : null;
}

const FactsSkeleton = () => (
  <Loading>
    <div className="card sk-lines">
      <SkeletonBar width={40} tall />
      <SkeletonBar width={60} />
      <SkeletonBar width={50} />
      <SkeletonBar width={80} />
      <SkeletonBar width={70} />
    </div>
  </Loading>
);

function Facts({
  reliability,
  name,
  label,
}: {
  reliability: BusinessReliability;
  name: string;
  label: string;
}) {
  const { kept, lateCancellations, interviewsMissed, disputes, answeredPercent, approvalHours } = reliability;
  const isEmpty = kept + lateCancellations + interviewsMissed + disputes === 0;
  return (
    <Card as="section" label={label}>
      <div className="row top">
        {reliability.percent === null ? null : <ProgressRing done={reliability.percent / 100} />}
        <div className="grow">
          <h2 className="h-s">
            {reliability.percent === null ? (
              <Trans>New here</Trans>
            ) : (
              <Trans>{reliability.percent}% reliable</Trans>
            )}
          </h2>
          <ul className="plain-list sm mute mt2">
            {isEmpty ? (
              <li>
                <Trans>{name} hasn't completed enough jobs here yet to show its reliability.</Trans>
              </li>
            ) : (
              <>
                <li>
                  <Plural value={kept} one="# job completed" other="# jobs completed" />
                </li>
                <li>
                  <Plural
                    value={lateCancellations}
                    _0="No late cancellations"
                    one="# late cancellation"
                    other="# late cancellations"
                  />
                </li>
                {interviewsMissed > 0 ? (
                  <li>
                    <Plural value={interviewsMissed} one="# missed interview" other="# missed interviews" />
                  </li>
                ) : null}
                {disputes > 0 ? (
                  <li>
                    <Plural value={disputes} one="# pay dispute" other="# pay disputes" />
                  </li>
                ) : null}
              </>
            )}
            {answeredPercent === null ? null : (
              <li>
                <Trans>Replied to {answeredPercent}% of applications on time</Trans>
              </li>
            )}
            {approvalHours === null ? null : (
              <li>
                <Plural
                  value={approvalHours}
                  one="Approves hours within # hour"
                  other="Approves hours within # hours"
                />
              </li>
            )}
          </ul>
          <p className="xs mute mt2">
            <Trans>Based on the last 12 months. The reliability percentage appears after three jobs.</Trans>
          </p>
        </div>
      </div>
    </Card>
  );
}
