import type { Currency } from '@nearhand/contract/currencies';
import type { JobCard, PayUnit } from '@nearhand/contract/hiring/jobs';
import type { CategoryId, SkillId } from '@nearhand/contract/people/taxonomy';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Jobs } from '../../platform/tables.gen.ts';

export type JobRow = Omit<Selectable<Jobs>, 'pos' | 'words'>;
export type NewJob = Insertable<Jobs>;

/** Includes the exact place; `job-cards.ts` alone decides who gets it. */
export type CardRow = {
  id: string;
  kind: 'shift' | 'task';
  title: string;
  category: CategoryId;
  businessId: string;
  businessName: string;
  businessVerified: boolean;
  businessLogo: string | null;
  businessStars: number[];
  payMinor: number | null;
  payMaxMinor: number | null;
  payUnit: PayUnit;
  currency: Currency;
  businessFeeBasisPoints: number;
  workerFeeBasisPoints: number;
  startsAt: Date | null;
  endsAt: Date | null;
  breakMinutes: number;
  breakPaid: boolean;
  dueOn: string | null;
  hoursNote: string | null;
  timeZone: string;
  headCount: number;
  hiredCount: number;
  offeredCount: number;
  instantHire: boolean;
  funded: boolean;
  publishedAt: Date | null;
  address: string;
  area: string;
  privateAddress: boolean;
  lat: number;
  lng: number;
  publicLat: number;
  publicLng: number;
} & SeriesColumns;

type SeriesColumns = {
  seriesId: string | null;
  series: NonNullable<JobCard['series']> | null;
};

/** Includes only the public point (`nearby.ts`), and of a series only its id and its block. */
export type ShownRow = Pick<
  CardRow,
  | 'id'
  | 'title'
  | 'category'
  | 'businessName'
  | 'businessVerified'
  | 'businessLogo'
  | 'businessStars'
  | 'payMinor'
  | 'payMaxMinor'
  | 'payUnit'
  | 'currency'
  | 'workerFeeBasisPoints'
  | 'startsAt'
  | 'endsAt'
  | 'breakMinutes'
  | 'breakPaid'
  | 'dueOn'
  | 'hoursNote'
  | 'timeZone'
  | 'instantHire'
  | 'funded'
  | 'seriesId'
> & { asBlock: boolean; skills: SkillId[]; shownLat: number; shownLng: number; blurred: boolean };

const funded = sql`job.instant_hire and exists (select from holds where holds.job_id = job.id and holds.offer_id is null
    and holds.status = 'held' and not holds.frozen) as funded`;

/** The lowest and highest pay of rows of jobs, in an aggregate; null if all pay the same. */
export const payRange = sql`case when min(pay_minor) < max(pay_minor)
    then jsonb_build_object('minMinor', min(pay_minor), 'maxMinor', max(pay_minor)) end`;

/**
 * The open shifts of the series of `job`, of a block without its other shifts; null for a single job, where the subquery
 * doesn't run.
 */
export const seriesSummary = sql`case when job.series_id is not null then (
    select jsonb_build_object('shifts', count(*), 'firstStartsAt', min(shift.starts_at), 'lastStartsAt', max(shift.starts_at),
      'payRange', ${payRange}, 'asBlock', job.as_block) from jobs shift
    where shift.series_id = job.series_id and shift.as_block = job.as_block and shift.status = 'open') end as series`;

export const shownColumns = sql`job.id, job.title, job.category, job.business_name, business.status = 'verified' as business_verified,
  business.logo_file_id as business_logo, business.review_stars as business_stars, job.pay_minor, job.pay_max_minor, job.pay_unit,
  job.currency, job.worker_fee_basis_points, job.starts_at, job.ends_at, job.break_minutes, job.break_paid, job.due_on,
  job.hours_note, job.time_zone, job.instant_hire, ${funded}, job.series_id, job.as_block, job.skills, job.private_address as blurred,
  case when job.private_address then job.public_lat else job.lat end as shown_lat,
  case when job.private_address then job.public_lng else job.lng end as shown_lng`;

/** Without the summary of a series, which costs any statement time, also where no job has one. */
export const singleCardColumns = sql`job.id, job.kind, job.title, job.category, job.business_id, job.business_name,
  business.status = 'verified' as business_verified, business.logo_file_id as business_logo, business.review_stars as business_stars,
  job.pay_minor, job.pay_max_minor, job.pay_unit, job.currency, job.business_fee_basis_points, job.worker_fee_basis_points,
  job.starts_at, job.ends_at, job.break_minutes, job.break_paid, job.due_on, job.hours_note, job.time_zone,
  job.head_count, job.hired_count, job.offered_count, job.instant_hire, job.published_at,
  ${funded}, job.series_id, job.address, job.area, job.private_address, job.lat, job.lng, job.public_lat, job.public_lng`;

export const cardColumns = sql`${singleCardColumns}, ${seriesSummary}`;

/** The number of open shifts of a series and its last start, as a card shows them; null for a single shift. */
export const seriesOf = ({ series }: Pick<SeriesColumns, 'series'>): JobCard['series'] =>
  series && series.shifts > 1
    ? {
        ...series,
        firstStartsAt: new Date(series.firstStartsAt).toISOString(),
        lastStartsAt: new Date(series.lastStartsAt).toISOString(),
      }
    : null;

/** Closed or expired while not everyone could see it: never open, suspended, or paused until its start. */
export const closedUnseen = sql<boolean>`(job.published_at is null or exists (select from job_moves
  where job_id = job.id and action = 'close' and from_status in ('in_review', 'rejected', 'suspended'))
  or (job.status = 'expired' and (select from_status from job_moves where job_id = job.id
    order by at desc, id desc limit 1) = 'paused'))`;
