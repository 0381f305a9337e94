import { t } from '@lingui/core/macro';
import type { ShownJob } from '@nearhand/contract/hiring/nearby-card.rules';
import { formatNearness, joined, locale, minorDigits } from '../../lib/words/format.ts';
import { payText } from '../../lib/words/job.labels.ts';
import type { MapPin } from '../../people/places/places.api.ts';

const maxLetters = 7;
/** Invisible direction marks in Arabic amounts. */
const directionMarks = /[\u061c\u200e\u200f]/g;

export function pinLabel(pay: ShownJob['pay']): string {
  const { figure } = payText(pay);
  if (figure.replaceAll(directionMarks, '').length <= maxLetters) return figure;
  const minor = pay.totalMinor ?? pay.minor;
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency: pay.currency,
    currencyDisplay: 'narrowSymbol',
    notation: 'compact',
    maximumFractionDigits: 0,
    // A pin never promises more than the card pays.
    roundingMode: 'trunc',
  }).format(minor / 10 ** minorDigits(pay.currency));
}

export function toPin(job: ShownJob): MapPin {
  const { notes } = payText(job.pay);
  const label = pinLabel(job.pay);
  const near = job.distanceM === null ? job.place.label : formatNearness(job.distanceM, job.timeZone);
  return {
    id: job.id,
    lat: job.place.lat,
    lng: job.place.lng,
    label,
    name: joined(`${label} ${notes[0] ?? ''}`.trim(), job.title, near, job.place.blurred && t`approximate`),
    blurred: job.place.blurred,
  };
}

/** The map's initial radius: the nearest few jobs, between walking distance and the requested radius. */
export function reachOf(jobs: readonly ShownJob[], radiusKm: number): number {
  const distances = jobs.map((job) => job.distanceM ?? 0).sort((a, b) => a - b);
  const handful = distances[Math.min(distances.length - 1, 8)];
  const max = radiusKm * 1_000;
  return Math.min(max, Math.max(1_300, Math.ceil((handful ?? Math.min(max, 4_000)) * 1.15)));
}
