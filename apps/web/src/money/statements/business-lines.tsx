import { useLingui } from '@lingui/react/macro';
import type { StatementLine } from '@nearhand/contract/money/statements';
import { formatDay, formatMoney, joined } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table } from '../../ui/pages/table.tsx';
import { kindText, lineStatusText, lineStatusTone, signedMoney } from './statement.labels.ts';

export function BusinessLines({
  lines,
  timeZone,
  openId,
  onOpen,
}: {
  lines: readonly StatementLine[];
  timeZone: string;
  openId: string | null;
  onOpen: (line: StatementLine) => void;
}) {
  const { t } = useLingui();
  return (
    <Table
      caption={t`Statement entries`}
      density="tight"
      rows={lines}
      rowKey={({ id }) => id}
      selected={({ id }) => id === openId}
      columns={[
        {
          key: 'date',
          head: t`Date`,
          cell: ({ at }) => <span className="mute nowrap">{formatDay(at, timeZone)}</span>,
        },
        {
          key: 'entry',
          head: t`Entry`,
          cell: (line) => (
            <button
              type="button"
              className="link hit"
              aria-expanded={line.id === openId}
              onClick={() => onOpen(line)}
            >
              {kindText(line.kind, 'business')}
            </button>
          ),
        },
        { key: 'for', head: t`For`, cell: ({ party, about }) => joined(party, about) },
        {
          key: 'status',
          head: t`Status`,
          cell: ({ status, kind }) =>
            status ? <Badge tone={lineStatusTone(status)}>{lineStatusText(status, kind)}</Badge> : null,
        },
        {
          key: 'amount',
          head: t`Amount`,
          number: true,
          cell: (line) => (
            <span
              className={`nowrap ${line.amountMinor > 0 ? 'up strong' : line.amountMinor < 0 ? 'strong' : 'mute'}`}
            >
              <bdi dir="ltr">{signedMoney(line)}</bdi>
            </span>
          ),
        },
        {
          key: 'balance',
          head: t`Balance`,
          number: true,
          cell: ({ balanceMinor, currency }) => (
            <span className="mute nowrap">{formatMoney(balanceMinor, currency)}</span>
          ),
        },
      ]}
    />
  );
}
