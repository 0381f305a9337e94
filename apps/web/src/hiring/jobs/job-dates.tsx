import { useLingui } from '@lingui/react/macro';
import { jobPath } from '@nearhand/contract/app-paths';
import type { Job, SeriesDate } from '@nearhand/contract/hiring/jobs';
import { datesToApply } from '@nearhand/contract/hiring/jobs.rules';
import { useNow } from '../../lib/pages/use-now.ts';
import { allDates, shiftCount } from '../../lib/words/counts.ts';
import { formatDateSpan, spanIn, withZone } from '../../lib/words/format.ts';
import { payText, spotsText } from '../../lib/words/job.labels.ts';
import { Link } from '../../ui/controls/link.tsx';

/** The shifts of a series, each with its own page. Those of a block come apart from the others. */
export function JobDates({ job }: { job: Job }) {
  if (job.dates.length < 2) return null;
  const ownDates = datesToApply(job);
  const otherDates = job.dates.filter((date) => !ownDates.includes(date));
  return [ownDates, otherDates].map((dates) =>
    dates[0] ? <DateList key={String(dates[0].asBlock)} job={job} dates={dates} /> : null,
  );
}

function DateList({ job, dates }: { job: Job; dates: readonly SeriesDate[] }) {
  const { t } = useLingui();
  const noteOf = useDateNote();
  const now = useNow();
  const isBlock = dates[0]?.asBlock === true && dates.length > 1;
  const heading = isBlock ? allDates(dates.length) : shiftCount(dates.length);
  return (
    <section className="mt6">
      <h2 className="h-m">{withZone(heading, dates[0]?.startsAt ?? now, job.timeZone)}</h2>
      {isBlock ? (
        <p className="mute mt1">
          {job.member
            ? t`Each person applies for all dates and is hired for all of them or none.`
            : t`You apply for all dates together and are hired for all of them or none.`}
        </p>
      ) : null}
      <ul className="mt2">
        {dates.map((date) => (
          <li key={date.jobId} className="li job-date">
            <div className="grow">
              <p className="t num">
                <Link
                  to={jobPath(date.jobId)}
                  replace
                  aria-current={date.jobId === job.id ? 'page' : undefined}
                  className={date.jobId === job.id ? 'strong' : 'link'}
                >
                  {spanIn(date.startsAt, date.endsAt, job.timeZone, now)}
                </Link>
              </p>
              <p className="xs mute">{noteOf(date, job.timeZone)}</p>
            </div>
            <span className="num">{payText(date.pay).figure}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** True for a shift that the viewer can apply for with others of its series. */
export const isFree = ({ myApplication, booked, spotsLeft }: SeriesDate): boolean =>
  myApplication === null && booked === null && spotsLeft > 0;

/** The reason why someone can't apply for a date, otherwise its number of spots. */
export function useDateNote() {
  const { t } = useLingui();
  const now = useNow();
  return ({ myApplication, booked, spotsLeft }: SeriesDate, timeZone: string): string => {
    if (myApplication?.workEnding === 'cancelled') return t`Booking cancelled`;
    if (myApplication?.status === 'hired') return t`You're hired`;
    if (myApplication?.status === 'offered') return t`You have an offer`;
    if (myApplication) return t`You've applied`;
    if (booked)
      return t`You work then: ${booked.title}, ${formatDateSpan(booked.startsAt, booked.endsAt, timeZone, now)}`;
    return spotsText(spotsLeft);
  };
}
