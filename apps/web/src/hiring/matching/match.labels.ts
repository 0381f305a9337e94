import { plural, t } from '@lingui/core/macro';
import type { MatchKind, MatchReason } from '@nearhand/contract/hiring/matching';
import { matchLimits, ratingScore } from '@nearhand/contract/hiring/matching.rules';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { ratingLimits } from '@nearhand/contract/people/rating.rules';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import {
  eitherOf,
  formatDay,
  formatDistance,
  formatNumber,
  formatShare,
  formatTenths,
  joined,
} from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { skillText } from '../../lib/words/taxonomy.labels.ts';

const numberOf = (reason: MatchReason, key: string): number | null => {
  const value = reason.data[key];
  return typeof value === 'number' ? value : null;
};
const listOf = (reason: MatchReason, key: string): string[] => {
  const value = reason.data[key];
  return Array.isArray(value) ? value : [];
};
const eitherText = (ids: string[]): string => eitherOf(ids.map((id) => skillText(id as SkillId)));
const skillsText = (ids: string[]): string => joined(...ids.map((id) => skillText(id as SkillId)));

export function matchText(reason: MatchReason, timeZone?: string): string | null {
  switch (reason.kind) {
    case 'skills':
      return skillReasonText(reason);
    case 'distance': {
      const metres = numberOf(reason, 'metres');
      return metres === null ? null : t`About ${formatDistance(Math.max(500, metres), timeZone)} away`;
    }
    case 'availability': {
      const free = numberOf(reason, 'free');
      const needed = numberOf(reason, 'needed');
      if (free === null || needed === null) return null;
      if (free === needed) return t`Usually free at that time`;
      return free === 0 ? t`Usually busy at that time` : t`Usually free for part of that time`;
    }
    case 'reliability':
      return reliabilityText(reason);
    case 'history': {
      const times = numberOf(reason, 'times') ?? 0;
      if (times === 0) return null;
      return t`${plural(times, { one: 'Worked for you once', other: 'Worked for you # times' })}`;
    }
    case 'rating': {
      const average = { count: numberOf(reason, 'count') ?? 0, averageTenths: numberOf(reason, 'tenths') };
      if (average.averageTenths !== null) return ratingText(average);
      const assumed = formatTenths(ratingScore.assumedTenths);
      return t`Fewer than ${ratingLimits.averageRatingsMin} reviews, counts as ${assumed} stars`;
    }
  }
}

function skillReasonText(reason: MatchReason): string | null {
  const matched = listOf(reason, 'matched');
  const missing = listOf(reason, 'asked').filter((id) => !matched.includes(id));
  const years = numberOf(reason, 'years') ?? 0;
  if (matched.length === 0) return missing.length > 0 ? t`No ${eitherText(missing)} experience listed` : null;
  const experienceText =
    years > 0
      ? t`${skillsText(matched)}, ${plural(years, { one: '# year', other: '# years' })}`
      : skillsText(matched);
  return missing.length > 0
    ? t`${experienceText}. No ${eitherText(missing)} experience listed.`
    : experienceText;
}

function reliabilityText(reason: MatchReason): string {
  const percent = numberOf(reason, 'percent');
  const late = numberOf(reason, 'lateCancellations') ?? 0;
  const missed = numberOf(reason, 'noShows') ?? 0;
  if (missed > 0)
    return t`${plural(missed, { one: "Didn't show up once", other: "Didn't show up # times" })}`;
  if (late > 0) return t`${plural(late, { one: 'Cancelled late once', other: 'Cancelled late # times' })}`;
  if (percent !== null) return t`${percent}% reliable`;
  return (numberOf(reason, 'kept') ?? 0) > 0 ? t`Fewer than 3 jobs` : t`New to Nearhand, no record yet`;
}

/**
 * Says that a shift would be more than someone works in a week: with this business, whose bookings are known, more than
 * they want for all businesses, or than a full week (ADR 409). Null if it isn't.
 */
export function weekDoubt(
  { weekMinutes, weekHoursMax }: { weekMinutes: number; weekHoursMax: number | null },
  shiftMinutes: number,
): string | null {
  // Rounded up, so that a minute too many doesn't read as the maximum.
  const hours = formatNumber(Math.ceil((weekMinutes + shiftMinutes) / 6) / 10);
  const max = Math.min(weekHoursMax ?? peopleLimits.weeklyHours, peopleLimits.weeklyHours);
  if (weekMinutes + shiftMinutes <= max * 60) return null;
  return weekHoursMax !== null && weekHoursMax <= peopleLimits.weeklyHours
    ? t`Would be ${hours} hours with you that week, and they want ${max} at most`
    : t`Would be ${hours} of ${max} hours with you that week`;
}

/** Says that someone did not come to a shift of this business lately; null if they did. */
export const missedDoubt = (missedAt: string | null, timeZone: string): string | null =>
  missedAt === null ? null : t`Didn’t come on ${formatDay(missedAt, timeZone)}`;

export const rankedKinds = [
  'skills',
  'distance',
  'availability',
  'reliability',
  'history',
  'rating',
] as const satisfies readonly MatchKind[];

export function matchKindText(kind: MatchKind): { title: string; note: string } {
  switch (kind) {
    case 'skills':
      return {
        title: t`Skills`,
        note: t`Skills the job asks for, by level and up to ${matchLimits.fullYears} years. If the job lists none, we use its category.`,
      };
    case 'distance':
      return {
        title: t`Distance`,
        note: t`Distance from their home area to the job: full points within ${formatDistance(matchLimits.nearM)}, none beyond ${formatDistance(matchLimits.farM)}.`,
      };
    case 'availability':
      return { title: t`Availability`, note: t`Whether they're usually free at that time.` };
    case 'reliability':
      return {
        title: t`Reliability`,
        note: t`Share of agreed jobs completed in the past year. New workers count as ${formatShare(matchLimits.newReliability * 100)}.`,
      };
    case 'history':
      return { title: t`Worked for you before`, note: t`How many jobs they've completed for you.` };
    case 'rating': {
      const { assumedTenths, weight } = ratingScore;
      return {
        title: t`Reviews`,
        note: t`Average of the reviews businesses wrote, from ${ratingLimits.averageRatingsMin} on. We add ${weight} reviews of ${formatTenths(assumedTenths)} stars to everyone's, so a few don't decide.`,
      };
    }
  }
}

/** The reasons shown on a card: all warnings, then the strongest. */
export function cardReasons(
  match: readonly MatchReason[],
  max: number,
): { reason: MatchReason; words: string }[] {
  const wordedReasons = match.flatMap((reason) => {
    // Distance, rating and reliability are shown on the card anyway.
    const isStated =
      reason.kind === 'distance' ||
      reason.kind === 'rating' ||
      (reason.kind === 'reliability' && reason.tone !== 'warning');
    const words = isStated ? null : matchText(reason);
    return words === null ? [] : [{ reason, words }];
  });
  const rank = ({ reason }: (typeof wordedReasons)[number]) => {
    if (reason.kind === 'history') return 0;
    if (reason.tone === 'warning') return 1;
    return reason.tone === 'good' ? 2 : 3;
  };
  return wordedReasons
    .map((item, index) => ({ item, index }))
    .sort((a, b) => rank(a.item) - rank(b.item) || a.index - b.index)
    .slice(0, max)
    .map(({ item }) => item);
}
