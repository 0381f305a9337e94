import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement, HoursClaim } from '@nearhand/contract/engagements';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatBytes, formatMinutes, formatMoney, formatSpan, joined } from '../../lib/format.ts';
import { saveStoredFile } from '../../lib/stored-file.ts';
import { Badge } from '../../ui/badge.tsx';
import {
  attendanceWords,
  claimBy,
  claimFlagWords,
  closeDistance,
  stamp,
  workerShare,
} from './engagement-words.ts';

/** What was recorded at the place, with what is remarkable about it. */
export function AttendanceRecord({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { attendance, terms } = work;
  if (attendance.length === 0) return null;
  return (
    <section>
      <h2 className="h-m">{t`What was recorded`}</h2>
      <ul className="mt2">
        {attendance.map((event) => {
          const { title, flags } = attendanceWords(event);
          const how =
            event.how === 'code'
              ? t`with the code of the place`
              : event.how === 'position' && event.distanceM !== null
                ? t`${closeDistance(event.distanceM)} from the place, sure to ${closeDistance(event.accuracyM ?? 0)}`
                : null;
          return (
            <li key={event.id} className="said-by">
              <p className="row base wrap g2">
                <span className="mid grow">{title}</span>
                <span className="num">{stamp(event.at, terms.timeZone)}</span>
              </p>
              {how || flags.length > 0 ? <p className="sm mute">{joined(how, ...flags)}</p> : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** One side's hours in a box, with what they pay. */
export function HoursBox({
  title,
  hours,
  work,
  on = false,
}: {
  title: string;
  hours: Pick<HoursClaim, 'startsAt' | 'endsAt' | 'breakMinutes' | 'paidMinutes' | 'amountMinor'> | null;
  work: Pick<Engagement, 'terms'>;
  on?: boolean;
}) {
  const { t } = useLingui();
  const { terms } = work;
  return (
    <div className={on ? 'hours-box on' : 'hours-box'}>
      <p className="label">{title}</p>
      {hours ? (
        <>
          <p className="h-s num mt1">{formatMoney(workerShare(hours.amountMinor, terms), terms.currency)}</p>
          <p className="sm num">{formatMinutes(hours.paidMinutes)}</p>
          <p className="sm mute">
            {formatSpan(hours.startsAt, hours.endsAt, terms.timeZone)}
            {hours.breakMinutes > 0 ? `, ${t`${formatMinutes(hours.breakMinutes)} break`}` : ''}
          </p>
        </>
      ) : (
        <p className="sm mute mt1">
          <Trans>Nothing was recorded.</Trans>
        </p>
      )}
    </div>
  );
}

/** Every claim of hours so far, newest first. */
export function Claims({ work }: { work: Engagement }) {
  const { t } = useLingui();
  if (work.claims.length === 0) return null;
  return (
    <section>
      <h2 className="h-m">{t`Hours so far`}</h2>
      <ul className="mt2">
        {[...work.claims].reverse().map((claim) => (
          <li key={claim.id} className="said-by">
            <p className="row base wrap g2">
              <span className="mid grow">
                {claimBy(claim, work.business.name)} <Badge>{t`Round ${claim.round}`}</Badge>
              </span>
              <span className="num strong">
                {formatMoney(workerShare(claim.amountMinor, work.terms), work.terms.currency)}
              </span>
            </p>
            <p className="sm mute num">
              {joined(
                formatSpan(claim.startsAt, claim.endsAt, work.terms.timeZone),
                formatMinutes(claim.paidMinutes),
                ...claimFlagWords(claim.flags),
              )}
            </p>
            {claim.note ? (
              <p className="sm pre-line mt1" dir="auto">
                {claim.note}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What was delivered, and what was asked to be changed. */
export function Deliveries({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const [failed, setFailed] = useState<string | null>(null);
  if (work.deliveries.length === 0) return null;
  return (
    <section>
      <h2 className="h-m">{t`What you delivered`}</h2>
      <ul className="mt2">
        {[...work.deliveries].reverse().map((one) => (
          <li key={one.id} className="said-by">
            <p className="row base wrap g2">
              <span className="mid grow">{t`Delivery ${one.round}`}</span>
              <span className="sm mute">{stamp(one.at, work.terms.timeZone)}</span>
            </p>
            {one.note ? (
              <p className="pre-line mt1" dir="auto">
                {one.note}
              </p>
            ) : null}
            {one.files.map((file) => (
              <p key={file.id} className="mt1">
                <button
                  type="button"
                  className="link"
                  dir="auto"
                  onClick={() => {
                    setFailed(null);
                    saveStoredFile(file).catch((failure) => setFailed(errorText(failure)));
                  }}
                >
                  {file.name}
                </button>{' '}
                <span className="sm mute">{formatBytes(file.bytes)}</span>
              </p>
            ))}
            {one.changesAsked ? (
              <div className="hours-box mt2">
                <p className="label">{t`${work.business.name} asked for changes`}</p>
                <p className="pre-line mt1" dir="auto">
                  {one.changesAsked.note}
                </p>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      {failed ? (
        <p className="help err" role="alert">
          {failed}
        </p>
      ) : null}
    </section>
  );
}
