import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { formatMinutes, formatMoney } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Fact, ListRow, SumRow } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { ownWhen, payBasis, stamp, termsFee, workTimeline, workWhen } from './engagement-words.ts';

/** Where to go, what it pays, whom to ask for: what one needs on the way (look 09). */
export function WorkFacts({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { terms, business, contact, funding } = work;
  const { lat, lng, address, area } = terms.place;
  const pay = formatMoney(terms.workerGetsMinor, terms.currency);
  return (
    <Card flush as="section" label={t`Place, pay and contact`}>
      <ListRow
        lead={<Icon name="map-pin" />}
        title={[business.name, address].filter(Boolean).join(', ')}
        note={area}
        end={
          <a
            className="link sm"
            href={`https://www.openstreetmap.org/directions?to=${lat}%2C${lng}`}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t`Route`}
          </a>
        }
      />
      <ListRow
        lead={<Icon name="shield-check" />}
        title={funding === 'funded' ? t`${pay} is set aside for you` : t`${pay} for you`}
        note={
          funding === 'funded'
            ? payBasis(terms)
            : t`${payBasis(terms)}. Nothing is set aside yet: payments are not open.`
        }
        end={
          <Badge tone={funding === 'funded' ? 'good' : 'wait'}>
            {funding === 'funded' ? t`Funded` : t`Not funded yet`}
          </Badge>
        }
      />
      {contact ? (
        <ListRow
          lead={<Avatar name={contact.name} />}
          title={t`Ask for ${contact.name}`}
          end={
            contact.phone ? (
              <a className="ib" href={`tel:${contact.phone}`} aria-label={t`Call ${contact.name}`}>
                <Icon name="phone" />
              </a>
            ) : undefined
          }
        />
      ) : null}
    </Card>
  );
}

/** The frozen terms, in full. */
export function WorkTerms({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { terms, business, jobId } = work;
  const when = workWhen(terms);
  const own = ownWhen(terms);
  return (
    <section>
      <h2 className="h-m">{t`What was agreed`}</h2>
      <div className="facts mt3">
        {when ? (
          <Fact
            icon="calendar-blank"
            title={when}
            note={
              own ??
              (terms.breakMinutes > 0
                ? terms.breakPaid
                  ? t`${formatMinutes(terms.breakMinutes)} paid break`
                  : t`${formatMinutes(terms.breakMinutes)} break, not paid`
                : undefined)
            }
            end={
              terms.startsAt ? (
                <a className="btn text s" href={calendarFile(work)} download="work.ics">
                  {t`To my calendar`}
                </a>
              ) : undefined
            }
          />
        ) : null}
        <Fact
          icon="coins"
          title={t`${formatMoney(terms.workerGetsMinor, terms.currency)} to you`}
          note={`${payBasis(terms)}. ${termsFee(terms, business.name)}`}
        />
      </div>
      <ButtonLink kind="text" size="s" className="mt2" to={`/job-desc/${jobId}`}>
        {t`See the job`}
      </ButtonLink>
    </section>
  );
}

const stampOf = (instant: string): string => `${new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')}`;
const plain = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** A calendar file of this work, made on the device: it is the same without a network. */
function calendarFile({ id, terms, business, steps }: Engagement): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Nearhand//Work//EN',
    'BEGIN:VEVENT',
    `UID:engagement-${id}@nearhand`,
    `DTSTAMP:${stampOf(steps.at(-1)?.at ?? terms.startsAt ?? '')}`,
    `DTSTART:${stampOf(terms.startsAt ?? '')}`,
    `DTEND:${stampOf(terms.endsAt ?? terms.startsAt ?? '')}`,
    `SUMMARY:${plain(`${terms.title}, ${business.name}`)}`,
    `LOCATION:${plain(`${terms.place.address}, ${terms.place.area}`)}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ];
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(lines.join('\r\n'))}`;
}

/** What was asked of the payments service, as it is: nothing set aside, nothing paid. */
export function Releases({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { releases, terms } = work;
  if (releases.length === 0) return null;
  const kinds = {
    undisputed: t`The undisputed part`,
    rest: t`The rest`,
    compensation: t`Compensation for the late cancellation`,
  };
  return (
    <section>
      <h2 className="h-m">{t`Pay`}</h2>
      <div className="mt3">
        {releases.map((one) => (
          <SumRow
            key={`${one.kind}-${one.at}`}
            label={
              <>
                {kinds[one.kind]}, {stamp(one.at, terms.timeZone)}{' '}
                <Badge tone={one.state === 'released' ? 'good' : 'wait'}>
                  {one.state === 'released' ? t`Paid into your balance` : t`Not funded`}
                </Badge>
              </>
            }
            value={formatMoney(one.amountMinor, one.currency)}
          />
        ))}
      </div>
      {releases.some(({ state }) => state === 'not_funded') ? (
        <p className="sm mute mt2">
          <Trans>
            Not funded means: this is owed to you, but nothing was set aside for it, because payments are not
            open yet.
          </Trans>
        </p>
      ) : null}
    </section>
  );
}

export function WorkSteps({ work }: { work: Engagement }) {
  const { t } = useLingui();
  return (
    <section>
      <h2 className="h-m">{t`What happened so far`}</h2>
      <div className="mt4">
        <Timeline items={workTimeline(work)} />
      </div>
    </section>
  );
}
