import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import type { JobCard, JobPlace, JobStatus, Pay } from '@nearhand/contract/hiring/jobs';
import { payTotal } from '@nearhand/contract/hiring/nearby-card.rules';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import type { Db } from '../../platform/db.ts';
import { findCards } from './job-cards.sql.ts';
import type { CardRow } from './jobs.columns.ts';
import { findQuestions } from './jobs.sql.ts';

/**
 * A card for anyone who may see the job. Only `knowsPlace`, members of the business and hired workers, get the exact place; for everyone
 * else place and distance are of the public point (product.md: blurred until hired).
 */
export function toCard(row: CardRow, viewer: { knowsPlace: boolean; from: Point | null }): JobCard {
  const place = placeOf(row, viewer.knowsPlace);
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    category: row.category,
    business: {
      id: row.business_id,
      name: row.business_name,
      verified: row.business_verified,
      logoPath: row.business_logo === null ? null : fileContentPath(row.business_logo),
      rating: ratingOf(row.business_stars),
    },
    pay: payOf(row),
    place,
    distanceM: viewer.from && Math.round(metresBetween(viewer.from, place)),
    startsAt: row.starts_at?.toISOString() ?? null,
    endsAt: row.ends_at?.toISOString() ?? null,
    dueOn: row.due_on,
    hoursNote: row.hours_note,
    timeZone: row.time_zone,
    seatsLeft: row.head_count - row.hired_count,
    instantHire: row.instant_hire,
    funded: row.funded,
    headCount: row.head_count,
    publishedAt: row.published_at?.toISOString() ?? null,
  };
}

function placeOf(row: CardRow, knowsPlace: boolean): JobPlace {
  if (row.private_address && !knowsPlace)
    return { label: row.area, lat: row.public_lat, lng: row.public_lng, blurred: true };
  const label = row.address.includes(row.area) ? row.address : `${row.address}, ${row.area}`;
  return { label, lat: row.lat, lng: row.lng, blurred: false };
}

function payOf(row: CardRow): Pay {
  const minutes =
    row.starts_at && row.ends_at
      ? paidMinutes(row.starts_at, row.ends_at, row.break_minutes, row.break_paid)
      : null;
  return {
    minor: row.pay_minor ?? 0,
    maxMinor: row.pay_max_minor,
    currency: row.currency,
    unit: row.pay_unit,
    paidMinutes: minutes,
    totalMinor: payTotal({ minor: row.pay_minor ?? 0, unit: row.pay_unit, paidMinutes: minutes }),
    merchantFeeBasisPoints: row.merchant_fee_basis_points,
    workerFeeBasisPoints: row.worker_fee_basis_points,
  };
}

/**
 * Cards of jobs by id, for lists of other slices (applications, favourites). Access is not checked: the caller's own record shows that its
 * viewer may see the job. `knowsPlace` as in `toCard`.
 */
export async function jobCardsOf(
  db: Db,
  jobIds: readonly string[],
  viewer: { knowsPlace: boolean; from: Point | null },
): Promise<Map<string, JobCard & { status: JobStatus; questions: JobQuestion[] }>> {
  const unique = [...new Set(jobIds)];
  const [rows, questions] = [await findCards(db, unique), await findQuestions(db, unique)];
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...toCard(row, viewer),
        status: row.status,
        questions: questions
          .filter((question) => question.job_id === row.id)
          .map(({ id, prompt, kind, choices, required }) => ({ id, prompt, kind, choices, required })),
      },
    ]),
  );
}
