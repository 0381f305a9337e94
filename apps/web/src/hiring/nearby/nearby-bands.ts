import { t } from '@lingui/core/macro';
import type { ShownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { formatDistance, usesMiles } from '../../lib/words/format.ts';

/** Jobs at about the same distance, nearest first (look: the list is grouped by rings). */
export type Band = { from: number; to: number; jobs: ShownJob[]; whole: boolean };

const mile = 1_609.344;

/** The outer edges of the bands in metres, round in the place's unit. */
export const bandEdges = (timeZone?: string): number[] =>
  usesMiles(timeZone)
    ? [0.5, 1, 3, 5, 10, 25, 50, 100].map((miles) => miles * mile)
    : [1, 2, 5, 10, 25, 50, 100].map((km) => km * 1_000);

/** Splits a list sorted by distance into bands. `whole`: no further page can add to it. */
export function bandsOf(jobs: readonly ShownJob[], more: boolean, timeZone?: string): Band[] {
  const edges = bandEdges(timeZone);
  const bands: Band[] = [];
  for (const job of jobs) {
    const metres = job.distanceM ?? 0;
    const index = edges.findIndex((edge) => metres <= edge);
    const to = edges[index] ?? Number.POSITIVE_INFINITY;
    const from = index < 0 ? (edges.at(-1) ?? 0) : (edges[index - 1] ?? 0);
    const last = bands.at(-1);
    if (last && last.to === to) last.jobs.push(job);
    else bands.push({ from, to, jobs: [job], whole: true });
  }
  const last = bands.at(-1);
  if (last && more) last.whole = false;
  return bands;
}

/** "Within 1 km", "1 km to 2 km", "Further than 100 km". */
export function bandTitle({ from, to }: Pick<Band, 'from' | 'to'>, timeZone?: string): string {
  if (from === 0) return t`Within ${formatDistance(to, timeZone)}`;
  if (to === Number.POSITIVE_INFINITY) return t`More than ${formatDistance(from, timeZone)}`;
  const [near, far] = [formatDistance(from, timeZone), formatDistance(to, timeZone)];
  const unit = far.replace(/^[\d.,\s]+/, '');
  return near.endsWith(unit) ? `${near.slice(0, -unit.length).trim()}–${far}` : `${near}–${far}`;
}

/** A distance in the middle of the band, for its ring. */
export const bandMiddle = ({ from, to }: Pick<Band, 'from' | 'to'>): number =>
  to === Number.POSITIVE_INFINITY ? from + 1 : (from + to) / 2;
