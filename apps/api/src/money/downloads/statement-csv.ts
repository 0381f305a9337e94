import type { Currency } from '@nearhand/contract/currencies';
import type { Language } from '@nearhand/contract/languages';
import { phraseIn, say } from '../../platform/mail/mail-layout.ts';
import { decimalOf } from './print-words.ts';

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
  say('Date'),
  say('Entry'),
  say('Party'),
  say('For'),
  say('Status'),
  say('Gross'),
  say('Fee'),
  say('Amount'),
  say('Balance'),
  say('Currency'),
  say('Entry number'),
];

/** The header line. Lines end with CRLF (RFC 4180). */
export const csvHead = (language: Language): string =>
  `${names.map((name) => textCell(phraseIn(language, name))).join(',')}\r\n`;

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
