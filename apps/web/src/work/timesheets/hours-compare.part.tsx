import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { CSSProperties } from 'react';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMinutes, formatMoney, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { zoneTown } from '../../lib/words/zoned-time.ts';
import './hours-compare.css';
import {
  type CompareKind,
  type CompareRow,
  claimOf,
  compareHours,
  noBreakLogged,
  plotOf,
} from './hours-compare.rules.ts';
import { HoursEvidence } from './hours-evidence.tsx';

/** The hours of a shift as each side sees them, with evidence (look 15). Nothing before the shift or for a task. */
export function HoursCompare({ engagement }: { engagement: Engagement }) {
  const { t } = useLingui();
  const { status, terms } = engagement;
  if (terms.startsAt === null || status === 'booked' || status === 'confirmed') return null;
  return (
    <section className="card hours-compare" aria-label={t`Hours compared`}>
      <HoursBars engagement={engagement} />
      <HoursEvidence engagement={engagement} />
    </section>
  );
}

/** Planned, recorded, submitted and proposed hours on one timeline with the pay of each; all kinds unless `kinds` is given. */
export function HoursBars({ engagement, kinds }: { engagement: Engagement; kinds?: readonly CompareKind[] }) {
  const { t } = useLingui();
  const now = useNow();
  const rows = compareHours(engagement).filter(({ kind }) => kinds === undefined || kinds.includes(kind));
  if (rows.length === 0) return null;
  const { timeZone, currency } = engagement.terms;
  const atWork = engagement.status === 'checked_in';
  // While someone is on shift the end isn't missing, just not there yet.
  const unknown = atWork ? null : '–';
  const { bars, marks } = plotOf(rows, atWork ? now : null);
  const first = rows[0]?.startsAt ?? '';
  const zoneDiffers = formatTime(first, timeZone) !== formatTime(first, ownTimeZone());
  const claim = claimOf(engagement);
  const labels: Record<CompareKind, string> = {
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
  const diff = (row: CompareRow) => {
    if (row.kind === 'planned' || row.overMinutes === null || row.overMinor === null) return null;
    if (row.overMinutes === 0) return t`as planned`;
    const sign = row.overMinutes > 0 ? '+' : '−';
    const length = formatMinutes(Math.abs(row.overMinutes));
    return `${sign}${length}, ${sign}${formatMoney(Math.abs(row.overMinor), currency)}`;
  };
  return (
    <div className="hours-bars">
      <svg viewBox={`0 0 100 ${bars.length * 9 + 8}`} preserveAspectRatio="none" aria-hidden="true">
        {marks.map(({ at, instant }) => (
          <line key={instant} className="mark" x1={at * 100} x2={at * 100} y1="0" y2={bars.length * 9 + 8} />
        ))}
        {bars.map(({ kind, from, to }, index) => (
          <rect
            key={kind}
            className={kind}
            x={from * 100}
            width={Math.max(1, (to - from) * 100)}
            y={index * 9 + 2}
            height="7"
            rx="1.2"
          />
        ))}
      </svg>
      <div className="plot-marks xs mute num" aria-hidden="true">
        {marks.map(({ at, instant }) => (
          <span key={instant} style={{ '--at': at } as CSSProperties}>
            {formatTime(instant, timeZone)}
          </span>
        ))}
      </div>
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
                  {formatTime(row.startsAt, timeZone)}–
                  {row.endsAt ? formatTime(row.endsAt, timeZone) : atWork ? t`now` : t`no check-out`}
                  {row.breakMinutes > 0
                    ? `, ${t`${formatMinutes(row.breakMinutes)} break`}`
                    : row.kind === 'recorded' && noBreakLogged(engagement)
                      ? `, ${t`no break logged`}`
                      : ''}
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
      {zoneDiffers ? <p className="sm mute">{t`Times are in ${zoneTown(timeZone)} time.`}</p> : null}
    </div>
  );
}
