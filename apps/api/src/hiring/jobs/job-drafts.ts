import { createHmac } from 'node:crypto';
import type { Currency } from '@nearhand/contract/currencies';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { PayUnit } from '@nearhand/contract/hiring/jobs';
import {
  instantProblems,
  isOver,
  type JobFacts,
  missingFields,
  plainFacts,
  timeProblem,
} from '@nearhand/contract/hiring/jobs.rules';
import {
  hourlyPay,
  isTooLittlePay,
  isTooMuchAnHour,
  leastPayOf,
} from '@nearhand/contract/hiring/pay-units.rules';
import { unusualTermsOf } from '@nearhand/contract/hiring/unusual-terms.rules';
import { payFloorOn } from '@nearhand/contract/people/pay-floors.rules';
import type { Point } from '@nearhand/contract/people/places';
import { pick } from '@nearhand/contract/pick';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import zoneOf from '@photostructure/tz-lookup';
import { countryOf } from '../../people/businesses/hiring.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db.ts';
import { dayIn } from '../../platform/zoned-day.ts';
import { findQuestions } from './job-business.ts';
import type { JobRow } from './jobs.columns.ts';

/** The rule input of a stored job. */
export const factsOf = (row: JobRow): JobFacts =>
  pick(row, [...plainFacts, 'kind', 'startsAt', 'endsAt', 'hoursNote', 'address', 'lat', 'lng']);

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

/** The facts after an edit; absent fields stay. */
export function factsAfter(before: JobFacts, input: Partial<JobDraft>): JobFacts {
  const given = plainFacts.filter((name) => input[name] !== undefined);
  const after: JobFacts = {
    ...before,
    ...pick(input, given),
    startsAt: input.startsAt === undefined ? before.startsAt : dateOf(input.startsAt),
    endsAt: input.endsAt === undefined ? before.endsAt : dateOf(input.endsAt),
    ...(input.place && pick(input.place, ['address', 'lat', 'lng'])),
  };
  // A shift has hours and a task a due date; fields of the other kind are dropped instead of kept unseen.
  return after.kind === 'shift'
    ? { ...after, dueOn: null }
    : {
        ...after,
        startsAt: null,
        endsAt: null,
        breakMinutes: 0,
        breakPaid: false,
        payReason: null,
        shortReason: null,
      };
}

/** @throws request/invalid for less than `leastPayOf` or more than `limits.hourlyPayMaxMinor` an hour, in a draft and an offer too */
export function requirePossiblePay(
  { payMinor, startsAt, endsAt, breakMinutes, breakPaid }: PayFacts,
  unit: PayUnit,
  currency: Currency,
): void {
  const minutes = startsAt && endsAt ? paidMinutes(startsAt, endsAt, breakMinutes, breakPaid) : null;
  if (isTooMuchAnHour(payMinor, unit))
    throw new AppError('request/invalid', {
      issues: [{ path: 'payMinor', message: 'an hourly pay that someone would pay' }],
    });
  if (isTooLittlePay(payMinor, unit, currency, minutes)) {
    const per = unit === 'fixed' ? 'fixed' : 'hour';
    const least = `${leastPayOf(currency, per, minutes)} minor units of ${currency}`;
    const isShort = leastPayOf(currency, per, minutes) > leastPayOf(currency, per);
    const whole = isShort ? `, ${leastPayOf(currency, 'fixed')} for the whole shift` : '';
    throw new AppError('request/invalid', {
      issues: [{ path: 'payMinor', message: `at least ${least}${per === 'hour' ? ' an hour' : ''}${whole}` }],
    });
  }
}

type PayFacts = Pick<JobFacts, 'payMinor' | 'startsAt' | 'endsAt' | 'breakMinutes' | 'breakPaid'>;

/** @throws request/invalid for impossible times, in a draft too */
export function requirePossibleTimes(facts: JobFacts): void {
  const problem = timeProblem(facts);
  if (problem) throw new AppError('request/invalid', { issues: [problem] });
}

/**
 * Requires everything that a job needs before workers see it, with a reason for pay below the statutory minimum and for a very short shift.
 * @throws job/incomplete with the names of the missing fields
 */
export async function requireComplete(
  db: Db,
  config: Config,
  row: Pick<JobRow, 'businessId' | 'currency' | 'payUnit'>,
  facts: JobFacts,
  timeZone: string,
): Promise<void> {
  const { currency } = row;
  const floorMinor =
    facts.startsAt === null || row.payUnit !== 'hour'
      ? null
      : payFloorOn(
          { country: await countryOf(db, row.businessId), currency },
          dayIn(timeZone, facts.startsAt),
          config.PAY_FLOORS,
        );
  const unexplained = unusualTermsOf(facts, floorMinor).filter((term) => facts[term] === null);
  const missing = [...missingFields(facts), ...unexplained];
  if (missing.length > 0) throw new AppError('job/incomplete', { missing });
}

/** @throws job/not-instant (data: because, the fields that prevent it) for a job that can't be an instant hire */
export async function requireInstant(
  db: Db,
  jobId: string,
  facts: JobFacts,
  asks: { cvRequired: boolean; questions?: readonly { kind: string }[] },
): Promise<void> {
  const questions = asks.questions ?? (await findQuestions(db, [jobId]));
  const because = instantProblems(facts, { cvRequired: asks.cvRequired, questions });
  if (because.length > 0) throw new AppError('job/not-instant', { because });
}

/** @throws job/starts-in-past for a shift that has started or a task whose due date has passed, in the job's zone */
export function requireFuture(facts: JobFacts, timeZone: string, now: Date): void {
  if (isOver(facts, now, dayIn(timeZone, now))) throw new AppError('job/starts-in-past');
}

/** The columns that hold the facts, without the place. */
export const factColumns = (facts: JobFacts, unit: JobRow['payUnit']) => ({
  ...pick(facts, [...plainFacts, 'startsAt', 'endsAt']),
  payHourMinor: hourlyPay(facts.payMinor, unit),
});

/** The columns of a place: the exact one, the public one, and its time zone. */
export function placeColumns(
  salt: string,
  place: { address: string; area: string; lat: number; lng: number; privateAddress: boolean },
) {
  const shown = publicPlace(salt, place);
  return {
    ...pick(place, ['address', 'area', 'lat', 'lng', 'privateAddress']),
    publicLat: shown.lat,
    publicLng: shown.lng,
    timeZone: zoneOf(place.lat, place.lng),
  };
}

const metresPerDegree = 111_195;
/** Side of the squares an exact place is rounded to first, in degrees of latitude: about 110 m. */
const grain = 0.001;
const leastM = 150;
const mostM = 400;

/**
 * Where a private address is shown: its square, moved by 150 to 400 m in a direction derived from the business's salt, so within about 500
 * m of the exact place and never on it. The same square always gives the same point, so neither another job at the address nor a pin a few
 * metres off gives a second point to average with (ADR 8).
 */
export function publicPlace(salt: string, place: Point & { privateAddress: boolean }): Point {
  if (!place.privateAddress) return { lat: place.lat, lng: place.lng };
  // Within a square of a pole longitude means nothing; the last whole square is used.
  const lat = clamp(Math.round(place.lat / grain) * grain, -89.9, 89.9);
  const narrow = Math.cos((lat * Math.PI) / 180);
  const lngGrain = grain / narrow;
  const lng = Math.round(place.lng / lngGrain) * lngGrain;
  const hash = createHmac('sha256', salt)
    .update(`${lat.toFixed(3)} ${lng.toFixed(6)}`)
    .digest();
  const angle = (hash.readUInt32BE(0) / 2 ** 32) * 2 * Math.PI;
  // The square root spreads the points evenly over the ring's area.
  const share = hash.readUInt32BE(4) / 2 ** 32;
  const metres = Math.sqrt(leastM ** 2 + share * (mostM ** 2 - leastM ** 2));
  return {
    lat: round(lat + (metres * Math.cos(angle)) / metresPerDegree),
    lng: round(wrap(lng + (metres * Math.sin(angle)) / (metresPerDegree * narrow))),
  };
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
const round = (degrees: number) => Number(degrees.toFixed(5));
const wrap = (lng: number) => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);
