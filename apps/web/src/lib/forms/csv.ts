import { i18n } from '@lingui/core';
import { clockIn } from '../words/zoned-time.ts';

export type CsvCell = string | number | null;

function cellText(cell: CsvCell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  // A spreadsheet runs what begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

/**
 * A CSV file as spreadsheets open it in the reader's language: where the comma is the decimal sign, a semicolon
 * separates the cells, as in a statement. Without the byte order mark, Excel reads UTF-8 as its own code page.
 */
export function csvOf(rows: readonly (readonly CsvCell[])[]): Blob {
  const separator = ['en', 'ar'].includes(i18n.locale) ? ',' : ';';
  const text = rows.map((row) => `${row.map(cellText).join(separator)}\r\n`).join('');
  return new Blob([`\uFEFF${text}`], { type: 'text/csv;charset=utf-8' });
}

/** A day and time by the clock of a place, in a form that spreadsheets read as a date. */
export function csvTime(instant: string | null, timeZone: string): string | null {
  if (instant === null) return null;
  const { day, time } = clockIn(instant, timeZone);
  return `${day} ${time.slice(0, 5)}`;
}
