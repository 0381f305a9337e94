import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { BusinessReliability } from '@nearhand/contract/reliability';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { Card } from '../../ui/card.tsx';
import { ProgressRing } from '../../ui/rings.tsx';

/** How a business treats the people it hires, from facts of a year (ADR 0045). Shows nothing while nothing is known: the page does not depend on it. */
export function BusinessReliabilityPart({ businessId, name }: { businessId: string; name: string }) {
  const { t } = useLingui();
  const { data } = useQuery(apiQuery.reliability.ofBusiness.queryOptions({ input: { businessId } }));
  return data ? (
    <Facts of={data as BusinessReliability} name={name} label={t`Reliability of ${name}`} />
  ) : null;
}

function Facts({ of, name, label }: { of: BusinessReliability; name: string; label: string }) {
  const { kept, lateCancellations, interviewsMissed, disputes, answeredPercent, approvalHours } = of;
  const nothing = kept + lateCancellations + interviewsMissed + disputes === 0;
  return (
    <Card as="section" label={label}>
      <div className="row top">
        {of.percent === null ? null : <ProgressRing done={of.percent / 100} />}
        <div className="grow">
          <h2 className="h-s">
            {of.percent === null ? <Trans>New here</Trans> : <Trans>{of.percent}% reliable</Trans>}
          </h2>
          <ul className="plain-list sm mute mt2">
            {nothing ? (
              <li>
                <Trans>{name} has not hired enough people here yet to say how it keeps its word.</Trans>
              </li>
            ) : (
              <>
                <li>
                  <Plural value={kept} one="# piece of work kept" other="# pieces of work kept" />
                </li>
                <li>
                  <Plural
                    value={lateCancellations}
                    _0="Nothing cancelled late"
                    one="# cancelled late"
                    other="# cancelled late"
                  />
                </li>
                {interviewsMissed > 0 ? (
                  <li>
                    <Plural value={interviewsMissed} one="# interview missed" other="# interviews missed" />
                  </li>
                ) : null}
                {disputes > 0 ? (
                  <li>
                    <Plural value={disputes} one="# dispute about pay" other="# disputes about pay" />
                  </li>
                ) : null}
              </>
            )}
            {answeredPercent === null ? null : (
              <li>
                <Trans>Answered {answeredPercent}% of applications in time</Trans>
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
            <Trans>From facts of the last 12 months. A share shows once three count.</Trans>
          </p>
        </div>
      </div>
    </Card>
  );
}
