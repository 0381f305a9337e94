import { Trans, useLingui } from '@lingui/react/macro';
import type { StatementDetail as Detail } from '@nearhand/contract/money/statements';
import type { ReactNode } from 'react';
import {
  formatDate,
  formatDateSpan,
  formatMinutes,
  formatMoney,
  formatTime,
  joined,
} from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { SumRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import {
  entryKindText,
  lineStatusText,
  lineStatusTone,
  netLabel,
  partText,
  sumParts,
  workerSums,
} from './statement.labels.ts';

export function StatementDetail({
  line,
  side,
  timeZone,
  end,
}: {
  line: Detail;
  side: 'worker' | 'business';
  /** The statement's zone; evidence is shown in the work's zone. */
  timeZone: string;
  end?: ReactNode;
}) {
  const { t } = useLingui();
  const figureMinor = line.amountMinor === 0 ? Math.abs(line.grossMinor) : Math.abs(line.amountMinor);
  const work =
    line.engagementId === null
      ? null
      : side === 'worker'
        ? `/tabs/menu/my-work/engagement/${line.engagementId}`
        : `/tabs/menu/jobs/engagement/${line.engagementId}`;
  return (
    <div className="col g4">
      <div>
        <p className="sm mute">{joined(entryKindText(line.kind, side), formatDate(line.at, timeZone))}</p>
        <p className="statement-figure">{formatMoney(figureMinor, line.currency)}</p>
        <p className="mt1">
          {line.party ? (
            side === 'worker' ? (
              <Trans>
                From {line.party} for {line.about}
              </Trans>
            ) : (
              <Trans>{joined(line.party, line.about)}</Trans>
            )
          ) : (
            line.about
          )}
        </p>
        {line.status ? (
          <p className="mt2">
            <Badge tone={lineStatusTone(line.status)}>{lineStatusText(line.status, line.kind)}</Badge>
          </p>
        ) : null}
      </div>
      <div>{side === 'worker' ? <WorkerSums line={line} /> : <BusinessParts line={line} />}</div>
      <Evidence line={line} timeZone={timeZone} />
      <div className="row wrap g2">
        {work ? (
          <ButtonLink kind="quiet" size="s" to={work}>
            {t`Open booking`}
          </ButtonLink>
        ) : null}
        {line.withdrawalId ? (
          <ButtonLink kind="quiet" size="s" to="/withdraw">
            {t`Open balance`}
          </ButtonLink>
        ) : null}
        {end}
      </div>
    </div>
  );
}

function WorkerSums({ line }: { line: Detail }) {
  const { t } = useLingui();
  const { grossMinor, feeMinor, netMinor } = workerSums(line);
  const label = line.kind === 'withdrawal' ? t`Instant withdrawal fee` : t`Worker fee`;
  return (
    <>
      {feeMinor === 0 ? null : (
        <>
          <SumRow label={entryKindText(line.kind, 'worker')} value={formatMoney(grossMinor, line.currency)} />
          <SumRow label={label} value={formatMoney(-feeMinor, line.currency)} />
        </>
      )}
      <SumRow total label={netLabel(line.kind)} value={formatMoney(netMinor, line.currency)} />
    </>
  );
}

function BusinessParts({ line }: { line: Detail }) {
  return sumParts(line.parts).map((part) => (
    <SumRow
      key={part.kind}
      label={partText(part.kind)}
      value={formatMoney(part.amountMinor, line.currency)}
    />
  ));
}

function Evidence({ line: { evidence, branch }, timeZone }: { line: Detail; timeZone: string }) {
  const { t } = useLingui();
  const { startsAt, endsAt, checkedInAt, checkedOutAt, paidMinutes, approvedAt, approvedBy } = evidence;
  const zone = evidence.timeZone ?? timeZone;
  const lines: { icon: 'storefront' | 'calendar-blank' | 'map-pin' | 'timer' | 'check'; text: string }[] = [];
  if (branch) lines.push({ icon: 'storefront', text: branch });
  if (startsAt && endsAt)
    lines.push({ icon: 'calendar-blank', text: t`Planned ${formatDateSpan(startsAt, endsAt, zone)}` });
  if (checkedInAt)
    lines.push({
      icon: 'map-pin',
      text: checkedOutAt
        ? t`In ${formatTime(checkedInAt, zone)}, out ${formatTime(checkedOutAt, zone)}`
        : t`In ${formatTime(checkedInAt, zone)}`,
    });
  if (paidMinutes !== null) lines.push({ icon: 'timer', text: t`${formatMinutes(paidMinutes)} paid` });
  if (approvedAt)
    lines.push({
      icon: 'check',
      text: approvedBy
        ? t`Approved by ${approvedBy}, ${formatDate(approvedAt, zone)}`
        : t`Approved automatically, ${formatDate(approvedAt, zone)}`,
    });
  if (lines.length === 0) return null;
  return (
    <section>
      <h3 className="label">{t`Evidence`}</h3>
      <ul className="col g3 mt2">
        {lines.map(({ icon, text }) => (
          <li key={text} className="row g3">
            <Icon name={icon} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
