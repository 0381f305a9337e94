import { useLingui } from '@lingui/react/macro';
import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { CSSProperties } from 'react';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMinutes, formatMoney, formatTime, joined, ownTimeZone } from '../../lib/words/format.ts';
import { zoneTown } from '../../lib/words/zoned-time.ts';
import './hours-compare.css';
import {
  agreedKindOf,
  type CompareKind,
  type CompareRow,
  compareHours,
  noBreakLogged,
  plotOf,
  workerClaimOf,
} from './hours-compare.rules.ts';
import { HoursEvidence } from './hours-evidence.tsx';

/** The hours of a shift as each side sees them. Empty before the shift and for a task. */
export function HoursCompare({ engagement }: { engagement: Engagement }) {
  const { t } = useLingui();
  const { status, terms, cancelled, attendance, claims } = engagement;
  if (terms.startsAt === null || isUpcoming(status) || cancelled) return null;
  if (attendance.length === 0 && claims.length === 0) return null;
  return (
    <section className="card hours-compare" aria-label={t`Hours compared`}>
      <HoursBars engagement={engagement} />
      <HoursEvidence engagement={engagement} />
    </section>
  );
}

export function HoursBars({ engagement, kinds }: { engagement: Engagement; kinds?: readonly CompareKind[] }) {
  const { t } = useLingui();
  const now = useNow();
  const labels = useCompareLabels(engagement);
  const rows = compareHours(engagement).filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  if (rows.length === 0) return null;
  const { timeZone } = engagement.terms;
  const isAtWork = engagement.status === 'checked_in';
  const { bars, marks } = plotOf(rows, isAtWork ? now : null, engagement.attendance);
  const first = rows[0]?.startsAt ?? '';
  const zoneDiffers = formatTime(first, timeZone) !== formatTime(first, ownTimeZone());
  return (
    <div className="hours-bars">
      <div className="hours-plot" aria-hidden="true">
        {bars.map(({ kind, pieces }) => (
          <div key={kind} className="hours-bar">
            <span className="xs">{labels[kind]}</span>
            <div className="hours-track">
              {marks.map(({ at, instant }) => (
                <i key={instant} className="mark" style={{ '--at': at } as CSSProperties} />
              ))}
              {pieces.map(({ from, to }) => (
                <i
                  key={from}
                  className={`piece ${kind}`}
                  style={{ '--from': from, '--long': to - from } as CSSProperties}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
      <div className="plot-marks xs mute num" aria-hidden="true">
        {marks.map(({ at, instant }) => (
          <span key={instant} style={{ '--at': at } as CSSProperties}>
            {formatTime(instant, timeZone)}
          </span>
        ))}
      </div>
      <HoursTable engagement={engagement} rows={rows} labels={labels} />
      {zoneDiffers ? <p className="sm mute">{t`Times are in ${zoneTown(timeZone)} time.`}</p> : null}
    </div>
  );
}

type CompareLabels = Record<CompareKind, string>;

function useCompareLabels(engagement: Engagement): CompareLabels {
  const { t } = useLingui();
  const claim = workerClaimOf(engagement);
  const agreedKind = agreedKindOf(engagement);
  const labels: CompareLabels = {
    planned: t`Planned`,
    recorded: t`Recorded`,
    claimed:
      claim?.by === 'timer'
        ? t`Submitted automatically`
        : engagement.side === 'worker'
          ? t`You submitted`
          : t`Submitted`,
    proposed: engagement.side === 'business' ? t`You proposed` : t`Proposed`,
  };
  if (agreedKind) labels[agreedKind] = t`Agreed`;
  return labels;
}

function HoursTable({
  engagement,
  rows,
  labels,
}: {
  engagement: Engagement;
  rows: readonly CompareRow[];
  labels: CompareLabels;
}) {
  const { t } = useLingui();
  const { timeZone, currency } = engagement.terms;
  const isAtWork = engagement.status === 'checked_in';
  // While someone is on shift, the end isn't missing but still ahead.
  const unknown = isAtWork ? null : '–';
  const diff = (row: CompareRow) => {
    if (row.kind === 'planned' || row.overMinutes === null || row.overMinor === null) return null;
    if (row.overMinutes === 0) return t`as planned`;
    const length = formatMinutes(Math.abs(row.overMinutes));
    const money = formatMoney(Math.abs(row.overMinor), currency);
    return row.overMinutes > 0
      ? t`${length} more than planned, ${money} more`
      : t`${length} less than planned, ${money} less`;
  };
  return (
    <table className="hours-rows">
      <caption className="vh">{t`Hours compared`}</caption>
      <thead className="vh">
        <tr>
          <th scope="col">{t`Hours`}</th>
          <th scope="col">{t`Paid time`}</th>
          <th scope="col">{t`Pay`}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.kind}>
            <th scope="row">
              <span className="row g2 mid">
                <i className={`swatch ${row.kind}`} aria-hidden="true" />
                {labels[row.kind]}
              </span>
              <span className="sm mute num">
                {joined(
                  `${formatTime(row.startsAt, timeZone)}–${row.endsAt ? formatTime(row.endsAt, timeZone) : isAtWork ? t`now` : t`no check-out`}`,
                  row.paidFrom && t`paid from ${formatTime(row.paidFrom, timeZone)}`,
                  row.kind === 'recorded' && noBreakLogged(engagement)
                    ? row.breakMinutes > 0
                      ? t`planned break of ${formatMinutes(row.breakMinutes)}, none recorded`
                      : t`no break logged`
                    : row.breakMinutes > 0 && t`${formatMinutes(row.breakMinutes)} break`,
                )}
              </span>
            </th>
            <td className="num">{row.paidMinutes === null ? unknown : formatMinutes(row.paidMinutes)}</td>
            <td className="num">
              <b className="strong">
                {row.amountMinor === null ? unknown : formatMoney(row.amountMinor, currency)}
              </b>
              <span className="xs mute block">{diff(row)}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
