import { sumOf } from '@nearhand/contract/arithmetic';
import { hourMs } from '@nearhand/contract/durations';
import type { MatchReason } from '@nearhand/contract/hiring/matching';
import { matchLimits, matchPoints, ratingShare } from '@nearhand/contract/hiring/matching.rules';
import type { WorkerReliability } from '@nearhand/contract/hiring/reliability';
import { type DayPart, weekdays } from '@nearhand/contract/people/profile-choices';
import type { Availability, WorkerSkill } from '@nearhand/contract/people/profiles';
import { ratingOf, type StarCounts } from '@nearhand/contract/people/rating.rules';
import { type CategoryId, type SkillId, type SkillLevel, taxonomy } from '@nearhand/contract/people/taxonomy';
import { wallClock } from '@nearhand/contract/zoned-time';

export type MatchJob = {
  category: CategoryId;
  skills: readonly SkillId[];
  startsAt: Date | null;
  endsAt: Date | null;
  timeZone: string;
};

export type MatchWorker = {
  skills: readonly WorkerSkill[];
  availability: Availability;
  /** Metres from home to job, as roughly as the business may know; null if the home is unknown. */
  distanceM: number | null;
  reliability: Pick<WorkerReliability, 'percent' | 'kept' | 'lateCancellations' | 'noShows'>;
  timesHere: number;
  stars: StarCounts;
};

const { nearM, farM, fullYears, newReliability, minReliability } = matchLimits;
const levelShare: Record<SkillLevel, number> = { beginner: 0, practised: 0.5, expert: 1 };
/** An unknown fact counts neither for nor against the worker. */
export const unknownShare = 0.5;
/** The score of 0 to 100 (ADR 34); never from a name, picture, age, language or writing style. */
export function matchOf(job: MatchJob, worker: MatchWorker): { score: number; reasons: MatchReason[] } {
  const reasons = [
    skillsPart(job, worker.skills),
    distancePart(worker.distanceM),
    availabilityPart(job, worker.availability),
    reliabilityPart(worker.reliability),
    historyPart(worker.timesHere),
    ratingPart(worker.stars),
  ];
  return { score: sumOf(reasons, ({ points }) => points), reasons };
}

const matchReason = (
  kind: MatchReason['kind'],
  share: number,
  tone: MatchReason['tone'],
  data: MatchReason['data'],
): MatchReason => ({
  kind,
  tone,
  points: Math.round(matchPoints[kind] * Math.min(Math.max(share, 0), 1)),
  of: matchPoints[kind],
  data,
});

/** The tone of a value, by the lowest good and the lowest neutral one. */
function toneOf(value: number, bounds: { good: number; neutral: number }): MatchReason['tone'] {
  if (value >= bounds.good) return 'good';
  return value >= bounds.neutral ? 'neutral' : 'warning';
}

/** A job without skills uses its category's; a worker without skills isn't penalized. */
function skillsPart(
  { category, skills: required }: MatchJob,
  workerSkills: readonly WorkerSkill[],
): MatchReason {
  const relevant: readonly SkillId[] = required.length > 0 ? required : taxonomy[category];
  const matched = workerSkills.filter(({ skill }) => relevant.includes(skill));
  const data = {
    matched: matched.map(({ skill }) => skill),
    asked: [...required],
    years: Math.max(0, ...matched.map(({ years }) => years ?? 0)),
  };
  if (required.length === 0) {
    const best = Math.max(unknownShare, ...matched.map(skillStrength));
    return matchReason('skills', best, matched.length > 0 ? 'good' : 'neutral', data);
  }
  const share = sumOf(matched, (skill) => skillStrength(skill)) / required.length;
  const tone = toneOf(matched.length / required.length, { good: 1, neutral: 0.5 });
  return matchReason('skills', share, tone, data);
}

/** An unstated level or experience adds nothing. */
const skillStrength = ({ level, years }: WorkerSkill): number =>
  0.5 + 0.3 * levelShare[level ?? 'beginner'] + 0.2 * (Math.min(years ?? 0, fullYears) / fullYears);

function distancePart(metres: number | null): MatchReason {
  if (metres === null) return matchReason('distance', unknownShare, 'neutral', {});
  const share = (farM - Math.max(metres, nearM)) / (farM - nearM);
  const tone = metres <= 20_000 ? 'neutral' : 'warning';
  return matchReason('distance', share, metres <= 5_000 ? 'good' : tone, { metres });
}

/** The parts of the week that a job needs, and those in which a worker is usually free. Null if either is unknown. */
function freeParts(
  job: Pick<MatchJob, 'startsAt' | 'endsAt' | 'timeZone'>,
  availability: Availability,
): { free: number; needed: number; share: number } | null {
  const needed = job.startsAt && job.endsAt ? weekPartsOf(job.startsAt, job.endsAt, job.timeZone) : [];
  if (needed.length === 0 || availability.length === 0) return null;
  const free = needed.filter((weekPart) =>
    availability.some(({ day, part: of }) => weekPart === `${day} ${of}`),
  ).length;
  return { free, needed: needed.length, share: free / needed.length };
}

function availabilityPart(job: MatchJob, availability: Availability): MatchReason {
  const parts = freeParts(job, availability);
  if (!parts) return matchReason('availability', unknownShare, 'neutral', {});
  const { free, needed, share } = parts;
  return matchReason('availability', share, toneOf(free, { good: needed, neutral: 1 }), { free, needed });
}

function reliabilityPart(facts: MatchWorker['reliability']): MatchReason {
  const { percent, kept, lateCancellations, noShows } = facts;
  const share = ((percent ?? newReliability) - minReliability) / (100 - minReliability);
  const tone = percent === null ? 'neutral' : toneOf(percent, { good: 95, neutral: 80 });
  const data = { kept, lateCancellations, noShows };
  return matchReason('reliability', share, tone, percent === null ? data : { percent, ...data });
}

const historyPart = (times: number): MatchReason =>
  matchReason('history', times === 0 ? 0 : 0.4 + 0.2 * Math.min(times, 3), times > 0 ? 'good' : 'neutral', {
    times,
  });

/** Newcomers score like the average worker (ADR 34). */
function ratingPart(stars: StarCounts): MatchReason {
  const { count, averageTenths: tenths } = ratingOf(stars);
  const tone = tenths === null ? 'neutral' : toneOf(tenths, { good: 45, neutral: 40 });
  return matchReason('rating', ratingShare(stars), tone, tenths === null ? { count } : { count, tenths });
}

function dayPartAt(hour: number): DayPart {
  if (hour < 6) return 'night';
  if (hour < 12) return 'morning';
  return hour < 18 ? 'afternoon' : 'evening';
}

const stepMs = hourMs;
const maxSteps = 24 * 7;

/** A shift's parts of the week, like `fri evening`, in local time; a last part under an hour does not count. */
export function weekPartsOf(startsAt: Date, endsAt: Date, timeZone: string): string[] {
  const weekParts = new Set<string>();
  const end = Math.min(endsAt.getTime(), startsAt.getTime() + maxSteps * stepMs);
  for (let at = startsAt.getTime(); at < end; at += stepMs) {
    const local = new Date(wallClock(timeZone, at));
    weekParts.add(`${weekdays.at(local.getUTCDay() - 1)} ${dayPartAt(local.getUTCHours())}`);
  }
  return [...weekParts];
}
