import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import type { JobCard, JobPlace, Pay } from '@nearhand/contract/hiring/jobs';
import type { JobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { payTotal } from '@nearhand/contract/hiring/nearby-card.rules';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import type { Point } from '@nearhand/contract/people/places';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import type { Db } from '../../platform/db.ts';
import { type CardRow, seriesOf } from './jobs.columns.ts';
import { findCards, findQuestions } from './jobs.sql.ts';

/** Only `knowsPlace`, members and hired workers, get the exact place (product.md: blurred until hired). */
export function toCard(row: CardRow, viewer: { knowsPlace: boolean; from: Point | null }): JobCard {
  const place = cardPlace(row, viewer.knowsPlace);
  return {
    id: row.id,
    kind: row.kind,
    title: row.title,
    category: row.category,
    business: {
      id: row.businessId,
      name: row.businessName,
      verified: row.businessVerified,
      logoPath: row.businessLogo === null ? null : fileContentPath(row.businessLogo),
      rating: ratingOf(row.businessStars),
    },
    pay: cardPay(row),
    place,
    distanceM: viewer.from && Math.round(metresBetween(viewer.from, place)),
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    dueOn: row.dueOn,
    hoursNote: row.hoursNote,
    timeZone: row.timeZone,
    spotsLeft: row.headCount - row.hiredCount,
    instantHire: row.instantHire,
    funded: row.funded,
    headCount: row.headCount,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    series: seriesOf(row),
  };
}

function cardPlace(row: CardRow, knowsPlace: boolean): JobPlace {
  if (row.privateAddress && !knowsPlace)
    return { label: row.area, lat: row.publicLat, lng: row.publicLng, blurred: true };
  const label = row.address.includes(row.area) ? row.address : `${row.address}, ${row.area}`;
  return { label, lat: row.lat, lng: row.lng, blurred: false };
}

function cardPay(row: CardRow): Pay {
  const minutes =
    row.startsAt && row.endsAt
      ? paidMinutes(row.startsAt, row.endsAt, row.breakMinutes, row.breakPaid)
      : null;
  return {
    minor: row.payMinor ?? 0,
    maxMinor: row.payMaxMinor,
    currency: row.currency,
    unit: row.payUnit,
    paidMinutes: minutes,
    totalMinor: payTotal({ minor: row.payMinor ?? 0, unit: row.payUnit, paidMinutes: minutes }),
    businessFeeBasisPoints: row.businessFeeBasisPoints,
    workerFeeBasisPoints: row.workerFeeBasisPoints,
  };
}

/** Cards of jobs by id, for lists of other slices. The caller checks access. `knowsPlace` as in `toCard`. */
export async function jobCardsOf(
  db: Db,
  jobIds: readonly string[],
  viewer: { knowsPlace: boolean; from: Point | null },
): Promise<Map<string, JobCard & { status: JobStatus; seriesId: string | null; questions: JobQuestion[] }>> {
  const unique = [...new Set(jobIds)];
  const rows = await findCards(db, unique);
  const questions = await findQuestions(db, unique);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...toCard(row, viewer),
        status: row.status,
        seriesId: row.seriesId,
        questions: questions
          .filter((question) => question.jobId === row.id)
          .map(({ id, prompt, kind, choices, required }) => ({ id, prompt, kind, choices, required })),
      },
    ]),
  );
}
