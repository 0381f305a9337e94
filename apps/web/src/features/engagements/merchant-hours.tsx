import { Plural, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import {
  formatDay,
  formatDistance,
  formatMinutes,
  formatMoney,
  formatTime,
  joined,
  ownTimeZone,
} from '../../lib/format.ts';
import { zoneTown } from '../../lib/zoned-time.ts';
import { Icon } from '../../ui/icon.tsx';
import './merchant.css';
import { attendanceWords, claimFlagWords } from './engagement-words.ts';
import {
  type CompareKind,
  type CompareRow,
  claimOf,
  compareHours,
  plotOf,
  proposalOf,
} from './merchant-hours.rules.ts';

/** Planned, recorded, claimed and proposed hours on one line of time, with what each comes to, and the evidence beneath (look 15). */
export function HoursCompare({ engagement }: { engagement: Engagement }) {
  const { t } = useLingui();
  const rows = compareHours(engagement);
  if (rows.length === 0) return null;
  const { timeZone, currency } = engagement.terms;
  const { bars, marks } = plotOf(rows);
  const first = rows[0]?.startsAt ?? '';
  const zoneDiffers = formatTime(first, timeZone) !== formatTime(first, ownTimeZone());
  const claim = claimOf(engagement);
  const labels: Record<CompareKind, string> = {
    planned: t`Planned`,
    recorded: t`Recorded`,
    claimed: claim?.by === 'timer' ? t`Put in by itself` : t`Claimed`,
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
    <section className="card hours-compare" aria-label={t`Hours beside each other`}>
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
          <span key={instant} style={{ insetInlineStart: `${at * 100}%` }}>
            {formatTime(instant, timeZone)}
          </span>
        ))}
      </div>
      <table className="hours-rows">
        <caption className="vh">{t`Hours beside each other`}</caption>
        <thead className="vh">
          <tr>
            <th scope="col">{t`Whose hours`}</th>
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
                  {row.endsAt ? formatTime(row.endsAt, timeZone) : t`no check-out`}
                  {row.breakMinutes > 0 ? `, ${t`${formatMinutes(row.breakMinutes)} break`}` : ''}
                </span>
              </th>
              <td className="num">{row.paidMinutes === null ? '–' : formatMinutes(row.paidMinutes)}</td>
              <td className="num">
                <b className="strong">
                  {row.amountMinor === null ? '–' : formatMoney(row.amountMinor, currency)}
                </b>
                <span className="xs mute block">{diff(row)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {zoneDiffers ? <p className="sm mute">{t`Times of ${zoneTown(timeZone)}.`}</p> : null}
      <Evidence engagement={engagement} />
    </section>
  );
}

/** What speaks for and against the hours, in words. */
function Evidence({ engagement }: { engagement: Engagement }) {
  const { t } = useLingui();
  const { attendance, terms, worker } = engagement;
  const claim = claimOf(engagement);
  const proposal = proposalOf(engagement);
  const flags = claim ? claimFlagWords(claim.flags) : [];
  return (
    <ul className="evidence">
      {attendance.length === 0 ? (
        <li>
          <Icon name="map-pin" />
          <span className="mute">{t`Nothing was recorded at the place.`}</span>
        </li>
      ) : null}
      {attendance.map((event) => {
        const words = attendanceWords(event);
        const how =
          event.how === 'code'
            ? t`with the code of the place`
            : event.distanceM === null
              ? t`without a position`
              : event.distanceM < 30
                ? t`at the door`
                : t`${formatDistance(event.distanceM)} from the door`;
        const certain =
          event.how === 'position' && event.accuracyM !== null && event.accuracyM > 50
            ? t`sure to ${formatDistance(event.accuracyM)}`
            : null;
        return (
          <li key={event.id}>
            <Icon
              name={event.how === 'code' ? 'qr-code' : event.kind.startsWith('break') ? 'coffee' : 'map-pin'}
            />
            <span>
              {joined(
                `${words.title} ${formatTime(event.at, terms.timeZone)}`,
                event.kind.startsWith('break') ? null : how,
                certain,
              )}
              {words.flags.length > 0 ? (
                <span className="sm mute block">{joined(...words.flags)}</span>
              ) : null}
            </span>
          </li>
        );
      })}
      {flags.length > 0 ? (
        <li>
          <Icon name="warning" />
          <span>{t`The claim: ${joined(...flags)}`}</span>
        </li>
      ) : null}
      {[claim, proposal].map((said) =>
        said?.note ? (
          <li key={said.id}>
            <Icon name="chats-circle" />
            <span className="pre-line break" dir="auto">
              <span className="sm mute block">
                {said.by === 'business' ? engagement.business.name : worker.name},{' '}
                {formatDay(said.at, terms.timeZone)}
                {said.by === 'business' ? (
                  <>
                    {', '}
                    <Plural value={said.round} one="round #" other="round #" />
                  </>
                ) : null}
              </span>
              {said.note}
            </span>
          </li>
        ) : null,
      )}
    </ul>
  );
}
