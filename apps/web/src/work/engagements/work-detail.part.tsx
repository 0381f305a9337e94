import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useEffect, useState } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { locateDevice } from '../../people/places/places.api.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { useAsRecorded } from '../attendance/clock.part.tsx';
import { DisputePart } from '../disputes/dispute.part.tsx';
import { Deliveries } from '../timesheets/deliveries.part.tsx';
import { HoursCompare } from '../timesheets/hours-compare.part.tsx';
import { Releases } from '../timesheets/releases.part.tsx';
import { headline, nextWords, workWhen, workWords } from './engagement.words.ts';
import { type MyPosition, SiteStrip } from './site-strip.tsx';
import { WorkActs } from './work-acts.tsx';
import { WorkExits } from './work-exits.tsx';
import { WorkFacts } from './work-facts.tsx';
import { WorkSteps } from './work-steps.part.tsx';
import { WorkTerms } from './work-terms.tsx';
import './engagements.css';

/** A booked job as its worker sees it: place and time, the next step, then the record. */
export function WorkDetail({ work, level: Heading = 'h1' }: { work: Engagement; level?: 'h1' | 'h2' }) {
  const { t } = useLingui();
  const now = useNow(15_000);
  const [position, setPosition] = useState<MyPosition | null>(null);
  const { terms, business, cancelled } = work;
  const ahead = work.status === 'booked' || work.status === 'confirmed';
  const onTheWay = ahead || work.status === 'checked_in';
  useKnownPosition(onTheWay && terms.kind === 'shift', setPosition);
  const recorded = useAsRecorded(work);
  const words = workWords(recorded, now);
  const next = nextWords(work, now);
  return (
    <div className="work-page">
      <div className="work-top">
        <div className="row top">
          <div className="grow">
            <Heading className="h-l">{headline(recorded, now)}</Heading>
            <p className="lead mute mt1">{terms.title}</p>
            <p className="lead mute">{workWhen(terms, now)}</p>
            <p className="row wrap g2 mt2">
              <Badge tone={words.tone}>{words.badge}</Badge>
              {work.lateMinutes ? <Badge tone="wait">{t`${work.lateMinutes} min late`}</Badge> : null}
            </p>
          </div>
          <BusinessMark src={fileUrl(business.logoPath)} category={terms.category} size="l" />
        </div>
        <div className="work-parts mt5">
          {onTheWay && terms.kind === 'shift' ? <SiteStrip terms={terms} position={position} /> : null}
          {cancelled ? (
            <Banner icon="info" tone={cancelled.late ? 'wait' : 'here'}>
              <p className="strong">{words.title}</p>
              {cancelled.reason ? (
                <p dir="auto" className="pre-line">
                  {cancelled.reason}
                </p>
              ) : null}
              {cancelled.compensationMinor > 0 ? (
                <p>
                  <Trans>
                    It was a late cancellation, so you get{' '}
                    {formatMoney(cancelled.compensationMinor, terms.currency)}.
                  </Trans>
                </p>
              ) : null}
            </Banner>
          ) : null}
          {work.status === 'changes_requested' && work.deliveries.at(-1)?.changesAsked ? (
            <Banner tone="wait" icon="note-pencil">
              <p className="strong">{t`${business.name} asked for changes`}</p>
              <p dir="auto" className="pre-line">
                {work.deliveries.at(-1)?.changesAsked?.note}
              </p>
            </Banner>
          ) : null}
          <WorkActs work={work} now={now} onPosition={setPosition} />
          {next ? (
            <section>
              <h2 className="h-s">{t`What happens next`}</h2>
              <p className="mt1">{next}</p>
            </section>
          ) : null}
          <DisputePart engagement={work} />
          <HoursCompare engagement={work} />
          <Deliveries work={work} />
          <Releases work={work} />
        </div>
      </div>
      <div className="work-parts work-rest">
        {cancelled ? null : <WorkFacts work={work} />}
        <WorkTerms work={work} />
        <WorkSteps work={work} />
        <WorkExits work={work} />
        <div>
          <ButtonLink kind="text" size="s" to={`/tabs/menu/my-work/${work.applicationId}`}>
            {t`See application`}
          </ButtonLink>
        </div>
      </div>
    </div>
  );
}

/** Shows the worker on the map if location access was granted before; never prompts. */
function useKnownPosition(wanted: boolean, onPosition: (position: MyPosition) => void): void {
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    const look = async () => {
      const allowed = await navigator.permissions?.query({ name: 'geolocation' });
      if (allowed?.state !== 'granted') return;
      const { lat, lng, accuracyM } = await locateDevice({ precise: true });
      if (!gone) onPosition({ lat, lng, accuracyM });
    };
    look().catch(() => {});
    return () => {
      gone = true;
    };
  }, [wanted, onPosition]);
}
