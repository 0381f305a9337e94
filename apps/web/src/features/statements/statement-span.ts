import { locale } from '../../lib/format.ts';

export type Span = { from?: string; to?: string };
export type SpanChoice = { value: string; label: string };

const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The days of a month `2026-11`; of an empty text all of them. */
export function spanOf(month: string): Span {
  const [year = 0, number = 0] = month.split('-').map(Number);
  if (!year || !number) return {};
  return { from: `${month}-01`, to: `${month}-${String(lastDay(year, number)).padStart(2, '0')}` };
}

/** This month and those before it, by name; the newest first. */
export function monthChoices(now: Date, count = 24): SpanChoice[] {
  const name = new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return Array.from({ length: count }, (_, back) => {
    const first = new Date(Date.UTC(now.getFullYear(), now.getMonth() - back, 1));
    return { value: first.toISOString().slice(0, 7), label: name.format(first) };
  });
}
