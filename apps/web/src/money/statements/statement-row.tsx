import { useLingui } from '@lingui/react/macro';
import type { StatementLine } from '@nearhand/contract/money/statements';
import { formatCalendarDay, formatDay, joined } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { ListRow } from '../../ui/card.tsx';
import { entryKindText, kindIcon, lineStatusText, signedFee, signedMoney } from './statement.labels.ts';

const colourOf = ({ amountMinor, status }: StatementLine) => {
  if (status === 'failed' || status === 'in_dispute') return 'clay' as const;
  return amountMinor > 0 ? ('moss' as const) : ('sky' as const);
};

export function StatementRow({
  line,
  side,
  timeZone,
  isFees = false,
  to,
  onOpen,
}: {
  line: StatementLine;
  side: 'worker' | 'business';
  timeZone: string;
  /** Shows the fee of the entry instead of its amount. */
  isFees?: boolean;
  to?: string;
  onOpen?: (line: StatementLine) => void;
}) {
  const { t } = useLingui();
  const day = formatDay(line.at, timeZone);
  const what =
    side === 'business' && line.kind === 'release' && !isFees
      ? t`Release from the hold, fee included`
      : entryKindText(line.kind, side);
  const workDay = line.workOn && formatCalendarDay(line.workOn);
  const details = joined(line.about, workDay === day ? null : workDay);
  return (
    <ListRow
      lead={<IconSign icon={kindIcon(line)} colour={colourOf(line)} round />}
      title={line.party ?? (details || what)}
      note={[joined(line.party || details ? what : null, line.party ? details : null), day]
        .filter(Boolean)
        // The dot stays at the end of the preceding text.
        .join('\u00a0· ')}
      end={
        <span className="right num">
          <span className={`strong sm block nowrap${line.amountMinor > 0 ? ' up' : ''}`}>
            {isFees ? signedFee(line) : signedMoney(line)}
          </span>
          {line.status && !(side === 'worker' && line.status === 'paid') ? (
            <span className="xs mute block">{lineStatusText(line.status, line.kind)}</span>
          ) : (
            <span className="vh">{t`Done`}</span>
          )}
        </span>
      }
      to={to || undefined}
      onClick={onOpen ? () => onOpen(line) : undefined}
    />
  );
}
