import { useLingui } from '@lingui/react/macro';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { savesFiles } from '../../lib/device/platform.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatMinutes, formatMoney } from '../../lib/words/format.ts';
import { Fact } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { PhotoGrid } from '../../ui/photo-grid.tsx';
import { ownWhen, payBasis, termsFee, workWhen } from './engagement.words.ts';

/** The agreed terms in full. */
export function WorkTerms({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { terms, business, jobId } = work;
  const when = workWhen(terms);
  const own = ownWhen(terms);
  return (
    <section>
      <h2 className="h-m">{t`Agreed terms`}</h2>
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
                  : t`${formatMinutes(terms.breakMinutes)} unpaid break`
                : undefined)
            }
            end={
              terms.startsAt && !work.cancelled && savesFiles() ? (
                <a className="btn text s" href={calendarFile(work)} download="work.ics">
                  {t`Add to calendar`}
                </a>
              ) : undefined
            }
          />
        ) : null}
        {work.cancelled ? null : (
          <Fact
            icon="coins"
            title={t`${formatMoney(terms.workerGetsMinor, terms.currency)} to you`}
            note={`${payBasis(terms)}. ${termsFee(terms, business.name)}`}
          />
        )}
      </div>
      {work.photoIds.length > 0 ? (
        <div className="mt3">
          <PhotoGrid urls={work.photoIds.map((fileId) => fileUrl(fileContentPath(fileId)))} />
        </div>
      ) : null}
      <ButtonLink kind="text" size="s" className="mt2" to={`/job-desc/${jobId}`}>
        {t`See job`}
      </ButtonLink>
    </section>
  );
}

const stampOf = (instant: string): string => `${new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')}`;
const plain = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** A calendar file made on the device, so it works offline. */
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
