import type { Currency } from '@nearhand/contract/currencies';
import { decimalOf } from './print-words.rules.ts';

/**
 * A cell of user-written text. A leading apostrophe keeps a spreadsheet from running it as a formula. Delimiters of other locales are
 * handled too: `Bar;=1+1` could otherwise start a second cell.
 */
export const textCell = (text: string): string =>
  quoted(text.replace(/(^|[;|\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/gu, "$1'$2").replace(/^(?=[\t\r\n])/u, "'"));

const quoted = (text: string): string => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The byte order mark tells spreadsheets that the file is UTF-8. */
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

/** The header line. Lines end with CRLF (RFC 4180). */
export const csvHead = `${names.join(',')}\r\n`;

/** A statement line as a CSV line; amounts are decimals with a dot, next to their currency. */
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
