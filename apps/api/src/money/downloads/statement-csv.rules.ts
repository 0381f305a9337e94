import type { Currency } from '@nearhand/contract/currencies';
import { decimalOf } from './print-words.rules.ts';

/**
 * A cell of text that people wrote. A spreadsheet reads some beginnings as a formula and runs it; an apostrophe before them makes it text. So too after a sign that
 * another locale takes for the end of a cell, quotes or not: there `Bar;=1+1` would begin a second one.
 */
export const textCell = (text: string): string =>
  quoted(text.replace(/(^|[;|\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/gu, "$1'$2").replace(/^(?=[\t\r\n])/u, "'"));

const quoted = (text: string): string => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** By this mark spreadsheets know that a file is UTF-8. */
export const csvMark = '\uFEFF';

const names = [
  'Date',
  'Entry',
  'Party',
  'For',
  'Status',
  'Gross',
  'Fee',
  'Amount',
  'Balance',
  'Currency',
  'Entry number',
];

/** The first line: the names of the columns. Lines end as RFC 4180 has it. */
export const csvHead = `${names.join(',')}\r\n`;

/** A line of a statement as a line of a CSV file; amounts are decimals with a dot, with their currency beside them. */
export function csvRow(line: {
  id: string;
  at: string;
  kind: string;
  party: string | null;
  about: string;
  status: string;
  grossMinor: number;
  feeMinor: number;
  amountMinor: number;
  balanceMinor: number;
  currency: Currency;
}): string {
  const amounts = [line.grossMinor, line.feeMinor, line.amountMinor, line.balanceMinor];
  const cells = [
    line.at,
    line.kind,
    textCell(line.party ?? ''),
    textCell(line.about),
    line.status,
    ...amounts.map((amount) => decimalOf(amount, line.currency)),
    line.currency,
    line.id,
  ];
  return `${cells.join(',')}\r\n`;
}
