import { t } from '@lingui/core/macro';
import { dayIn } from '@nearhand/contract/durations';
import { formatMonth } from '../../lib/words/format.ts';

export type Span = { from?: string; to?: string };
export type SpanChoice = { value: string; label: string; note?: string };

const lastDay = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** The days of a month `2026-11` or a year `2026`; all for an empty text. */
export function spanOf(monthOrYear: string): Span {
  const [year = 0, number = 0] = monthOrYear.split('-').map(Number);
  if (!year) return {};
  if (!number) return { from: `${monthOrYear}-01-01`, to: `${monthOrYear}-12-31` };
  return {
    from: `${monthOrYear}-01`,
    to: `${monthOrYear}-${String(lastDay(year, number)).padStart(2, '0')}`,
  };
}

/**
 * This month and earlier ones by name, each year before its months; newest first. An older selection is at
 * the end.
 */
export function spanChoices(now: Date, chosenMonth = '', count = 24): SpanChoice[] {
  const months = Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(now.getFullYear(), now.getMonth() - back, 1)).toISOString().slice(0, 7),
  );
  const spans = months.flatMap((month, at) => {
    const year = month.slice(0, 4);
    return months[at - 1]?.startsWith(year) ? [month] : [year, month];
  });
  if (chosenMonth && !spans.includes(chosenMonth)) spans.push(chosenMonth);
  return spans.map((span) =>
    span.length === 4
      ? { value: span, label: span, note: t`The whole year` }
      : { value: span, label: formatMonth(span) },
  );
}

export function linesByMonth<Line extends { at: string }>(
  lines: readonly Line[],
  timeZone: string,
): { month: string; items: Line[] }[] {
  const groups: { month: string; items: Line[] }[] = [];
  for (const line of lines) {
    const month = dayIn(timeZone, line.at).slice(0, 7);
    const last = groups.at(-1);
    if (last?.month === month) last.items.push(line);
    else groups.push({ month, items: [line] });
  }
  return groups;
}
