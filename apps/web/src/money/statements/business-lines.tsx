import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { BusinessStatementLine } from '@nearhand/contract/money/statements';
import { formatCalendarDay, formatDay, formatMinutes, formatMoney, joined } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Column, Table } from '../../ui/pages/table.tsx';
import { entryKindText, lineStatusText, lineStatusTone, signedFee, signedMoney } from './statement.labels.ts';

type MaybeColumn = Column<BusinessStatementLine> | false;

export function BusinessLines({
  lines,
  timeZone,
  openId,
  isFees = false,
  onOpen,
}: {
  lines: readonly BusinessStatementLine[];
  timeZone: string;
  openId: string | null;
  /** Shows the fee of each entry instead of its amount. */
  isFees?: boolean;
  onOpen: (line: BusinessStatementLine) => void;
}) {
  const { t } = useLingui();
  const columns: MaybeColumn[] = [
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
          {entryKindText(line.kind, 'business')}
        </button>
      ),
    },
    {
      key: 'for',
      head: t`For`,
      cell: ({ party, about, workOn }) => joined(party, about, workOn && formatCalendarDay(workOn)),
    },
    // An open entry shows these itself, and leaves too little width for them.
    ...(openId === null ? bookingColumns(lines) : []),
    {
      key: 'status',
      head: t`Status`,
      cell: ({ status, kind }) =>
        status ? <Badge tone={lineStatusTone(status)}>{lineStatusText(status, kind)}</Badge> : null,
    },
    ...(isFees ? feeColumns() : amountColumns()),
  ];
  return (
    <Table
      caption={t`Statement entries`}
      density="tight"
      rows={lines}
      rowKey={({ id }) => id}
      selected={({ id }) => id === openId}
      columns={columns.filter((column) => column !== false)}
    />
  );
}

/** The branch and the hours of the work, and its invoice. A column that no line fills is left out. */
const bookingColumns = (lines: readonly BusinessStatementLine[]): MaybeColumn[] => [
  lines.some(({ branch }) => branch) && {
    key: 'branch',
    head: t`Branch`,
    cell: ({ branch }) => <span className="mute">{branch}</span>,
  },
  lines.some(({ paidMinutes }) => paidMinutes) && {
    key: 'hours',
    head: t`Hours`,
    number: true,
    cell: ({ paidMinutes }) =>
      paidMinutes ? (
        <span className="nowrap">
          {paidMinutes < 0 ? '−' : null}
          {formatMinutes(Math.abs(paidMinutes))}
        </span>
      ) : null,
  },
  lines.some(({ invoiceNumber }) => invoiceNumber) && {
    key: 'invoice',
    head: t`Invoice`,
    cell: ({ invoiceNumber }) => (
      <bdi dir="ltr" className="mute nowrap">
        {invoiceNumber}
      </bdi>
    ),
  },
];

const feeColumns = (): MaybeColumn[] => [
  {
    key: 'fee',
    head: t`Fee`,
    number: true,
    cell: (line) => <span className="nowrap strong">{signedFee(line)}</span>,
  },
];

const amountColumns = (): MaybeColumn[] => [
  {
    key: 'amount',
    head: t`Amount`,
    number: true,
    cell: (line) => (
      <span
        className={`nowrap ${line.amountMinor > 0 ? 'up strong' : line.amountMinor < 0 ? 'strong' : 'mute'}`}
      >
        {signedMoney(line)}
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
];
