import { useLingui } from '@lingui/react/macro';
import type { StatementLine } from '@nearhand/contract/statements';
import { formatDay, joined, ownTimeZone } from '../../lib/format.ts';
import { ListRow } from '../../ui/card.tsx';
import { IconSign } from '../../ui/sign.tsx';
import { kindIcon, kindText, lineStatusText, signedMoney } from './statement-words.ts';

const colourOf = ({ amountMinor, status }: StatementLine) =>
  status === 'failed' || status === 'in_dispute'
    ? ('clay' as const)
    : amountMinor > 0
      ? ('moss' as const)
      : ('sky' as const);

/** The lines as rows, for a phone. */
export function StatementList({
  lines,
  side,
  onOpen,
}: {
  lines: readonly StatementLine[];
  side: 'worker' | 'business';
  onOpen: (line: StatementLine) => void;
}) {
  const { t } = useLingui();
  return (
    <ul>
      {lines.map((line) => (
        <li key={line.id}>
          <ListRow
            lead={<IconSign icon={kindIcon(line)} colour={colourOf(line)} round />}
            title={line.party ?? line.about}
            note={joined(
              kindText(line.kind, side),
              line.party ? line.about : null,
              formatDay(line.at, ownTimeZone()),
            )}
            end={
              <span className="right num">
                <span className={`strong sm block nowrap${line.amountMinor > 0 ? ' up' : ''}`}>
                  {signedMoney(line)}
                </span>
                {line.status ? (
                  <span className="xs mute block">{lineStatusText(line.status)}</span>
                ) : (
                  <span className="vh">{t`done`}</span>
                )}
              </span>
            }
            onClick={() => onOpen(line)}
          />
        </li>
      ))}
    </ul>
  );
}
