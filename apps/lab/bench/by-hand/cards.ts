import { payForMinutes } from '@nearhand/contract/arithmetic';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';

// biome-ignore lint/suspicious/noExplicitAny: rows as the driver gives them, like anyone writes by hand
export type Row = Record<string, any>;

export const cardColumns = `job.id, job.kind, job.title, job.category, job.business_id, job.business_name,
  business.status = 'verified' as verified, business.logo_file_id, business.review_stars, job.pay_minor, job.pay_max_minor, job.pay_unit,
  job.currency, job.business_fee_basis_points, job.worker_fee_basis_points, job.starts_at, job.ends_at, job.break_minutes, job.break_paid,
  job.due_on, job.hours_note, job.time_zone, job.head_count, job.hired_count, job.instant_hire, job.published_at, job.series_id,
  job.instant_hire and exists (select from holds where holds.job_id = job.id and holds.offer_id is null and holds.status = 'held'
    and not holds.frozen) as funded,
  job.address, job.area, job.private_address, job.lat, job.lng, job.public_lat, job.public_lng`;

export function cardOf(row: Row, from: Point | null) {
  const hidden: boolean = row.private_address;
  const lat: number = hidden ? row.public_lat : row.lat;
  const lng: number = hidden ? row.public_lng : row.lng;
  const address = row.address.includes(row.area) ? row.address : `${row.address}, ${row.area}`;
  const minutes =
    row.starts_at && row.ends_at
      ? paidMinutes(row.starts_at, row.ends_at, row.break_minutes, row.break_paid)
      : null;
  const byHour = row.pay_unit === 'hour' && minutes !== null ? payForMinutes(row.pay_minor, minutes) : null;
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    category: row.category,
    business: {
      id: row.business_id,
      name: row.business_name,
      verified: row.verified,
      logoPath: row.logo_file_id && `/api/files/${row.logo_file_id}/content`,
      rating: ratingOf(row.review_stars),
    },
    pay: {
      minor: row.pay_minor ?? 0,
      maxMinor: row.pay_max_minor,
      currency: row.currency,
      unit: row.pay_unit,
      paidMinutes: minutes,
      totalMinor: row.pay_unit === 'fixed' ? row.pay_minor : byHour,
      businessFeeBasisPoints: row.business_fee_basis_points,
      workerFeeBasisPoints: row.worker_fee_basis_points,
    },
    place: { label: hidden ? row.area : address, lat, lng, blurred: hidden },
    distanceM: from && Math.round(metresBetween(from, { lat, lng })),
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    dueOn: row.due_on,
    hoursNote: row.hours_note,
    timeZone: row.time_zone,
    spotsLeft: row.head_count - row.hired_count,
    headCount: row.head_count,
    publishedAt: row.published_at,
    instantHire: row.instant_hire,
    funded: row.funded,
    // The loaded jobs belong to no series.
    series: row.series_id,
  };
}

export const shownColumns = `job.id, job.title, job.category, job.business_name, business.status = 'verified' as verified,
  business.logo_file_id, business.review_stars, job.pay_minor, job.pay_max_minor, job.pay_unit, job.currency, job.worker_fee_basis_points,
  job.starts_at, job.ends_at, job.break_minutes, job.break_paid, job.due_on, job.hours_note, job.time_zone, job.instant_hire,
  job.published_at, job.instant_hire and exists (select from holds where holds.job_id = job.id and holds.offer_id is null
    and holds.status = 'held' and not holds.frozen) as funded, job.private_address,
  case when job.private_address then job.public_lat else job.lat end as lat,
  case when job.private_address then job.public_lng else job.lng end as lng`;

export const unpaidOf = (row: Row): number => (row.break_paid ? 0 : row.break_minutes);
const toMetre = (degrees: number) => Math.round(degrees * 100_000) / 100_000;
const instantOf = (at: Date | null) => at?.toISOString().replace('.000Z', 'Z');

export function shownOf(row: Row, from: Point, first: Row) {
  const { starts_at: starts, ends_at: ends, lat, lng } = row;
  const rating = ratingOf(row.review_stars);
  const unpaid = unpaidOf(row);
  return {
    id: row.id,
    title: row.title,
    category: row.category,
    business: {
      name: row.business_name,
      verified: row.verified || undefined,
      logoPath: row.logo_file_id ? `/api/files/${row.logo_file_id}/content` : undefined,
      rating: rating.averageTenths === null ? undefined : rating,
    },
    pay: {
      minor: row.pay_minor ?? 0,
      maxMinor: row.pay_max_minor ?? undefined,
      currency: row.currency === first.currency ? undefined : row.currency,
      unit: row.pay_unit === first.pay_unit ? undefined : row.pay_unit,
      unpaidMinutes: starts && ends && unpaid !== unpaidOf(first) ? unpaid : undefined,
      workerFeeBasisPoints: row.worker_fee_basis_points || undefined,
    },
    place: { lat: toMetre(lat), lng: toMetre(lng), blurred: row.private_address || undefined },
    distanceM: Math.round(metresBetween(from, { lat, lng })),
    startsAt: instantOf(starts),
    endsAt: instantOf(ends),
    dueOn: row.due_on ?? undefined,
    hoursNote: row.hours_note ?? undefined,
    timeZone: row.time_zone === first.time_zone ? undefined : row.time_zone,
    instantHire: row.instant_hire || undefined,
    funded: row.funded || undefined,
  };
}

function ratingOf(stars: number[]) {
  let count = 0;
  let sum = 0;
  for (const [index, rating] of stars.entries()) {
    count += rating;
    sum += rating * (index + 1);
  }
  return { count, averageTenths: count < 3 ? null : Math.round((sum * 10) / count) };
}
