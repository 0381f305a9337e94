import { type JobFlag, type JobFlags, jobFlags } from '@nearhand/contract/hiring/job-flags.rules';
import type { JobStatus, PayUnit } from '@nearhand/contract/hiring/jobs';
import type { Currency } from '@nearhand/contract/money';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Jobs } from '../../platform/tables.gen.ts';

/** A stored job, without search columns. */
export type JobRow = Omit<Selectable<Jobs>, 'status' | 'kind' | 'pay_unit' | 'pos' | 'words'> & {
  status: JobStatus;
  kind: 'shift' | 'task';
  pay_unit: PayUnit;
};
/** A job to be written. */
export type NewJob = Omit<Insertable<Jobs>, 'status'> & { status: JobStatus };

/** A card's columns. Includes the exact place; `job-cards.ts` alone decides who gets it. */
export type CardRow = {
  id: string;
  kind: 'shift' | 'task';
  title: string;
  category: CategoryId;
  business_id: string;
  business_name: string;
  business_verified: boolean;
  business_logo: string | null;
  business_stars: number[];
  pay_minor: number | null;
  pay_max_minor: number | null;
  pay_unit: PayUnit;
  pay_hour_minor: number | null;
  currency: Currency;
  merchant_fee_basis_points: number;
  worker_fee_basis_points: number;
  starts_at: Date | null;
  ends_at: Date | null;
  break_minutes: number;
  break_paid: boolean;
  due_on: string | null;
  hours_note: string | null;
  time_zone: string;
  head_count: number;
  hired_count: number;
  offered_count: number;
  instant_hire: boolean;
  funded: boolean;
  published_at: Date | null;
  address: string;
  area: string;
  private_address: boolean;
  lat: number;
  lng: number;
  public_lat: number;
  public_lng: number;
};

/** What a list around a place reads of a job: of its place only the point that everyone may know (`nearby.ts`). */
export type ShownRow = Pick<
  CardRow,
  | 'id'
  | 'title'
  | 'category'
  | 'business_name'
  | 'business_verified'
  | 'business_logo'
  | 'business_stars'
  | 'pay_minor'
  | 'pay_max_minor'
  | 'pay_unit'
  | 'pay_hour_minor'
  | 'currency'
  | 'worker_fee_basis_points'
  | 'starts_at'
  | 'ends_at'
  | 'break_minutes'
  | 'break_paid'
  | 'due_on'
  | 'hours_note'
  | 'time_zone'
  | 'instant_hire'
  | 'funded'
  | 'published_at'
> & { shown_lat: number; shown_lng: number; blurred: boolean };

const funded = sql`job.instant_hire and exists (select from holds where holds.job_id = job.id and holds.offer_id is null
    and holds.status = 'held' and not holds.frozen) as funded`;

/** The columns of a `ShownRow`, from `job` and `business`. */
export const shownColumns = sql`job.id, job.title, job.category, job.business_name, business.status = 'verified' as business_verified,
  business.logo_file_id as business_logo, business.review_stars as business_stars, job.pay_minor, job.pay_max_minor, job.pay_unit,
  job.pay_hour_minor, job.currency, job.worker_fee_basis_points, job.starts_at, job.ends_at, job.break_minutes, job.break_paid, job.due_on,
  job.hours_note, job.time_zone, job.instant_hire, job.published_at, ${funded}, job.private_address as blurred,
  case when job.private_address then job.public_lat else job.lat end as shown_lat,
  case when job.private_address then job.public_lng else job.lng end as shown_lng`;

/** The columns of a card, from `job` and `business`. */
export const cardColumns = sql`job.id, job.kind, job.title, job.category, job.business_id, job.business_name, job.pay_hour_minor,
  business.status = 'verified' as business_verified, business.logo_file_id as business_logo, business.review_stars as business_stars,
  job.pay_minor, job.pay_max_minor, job.pay_unit, job.currency, job.merchant_fee_basis_points, job.worker_fee_basis_points,
  job.starts_at, job.ends_at, job.break_minutes, job.break_paid, job.due_on, job.hours_note, job.time_zone,
  job.head_count, job.hired_count, job.offered_count, job.instant_hire, job.published_at,
  ${funded}, job.address, job.area, job.private_address, job.lat, job.lng, job.public_lat, job.public_lng`;

/** Of a closed job: nobody but its members was shown it when it closed. It never was open, or had been suspended. */
export const closedUnseen = sql<boolean>`(job.published_at is null or exists (select from job_moves
  where job_id = job.id and action = 'close' and from_status in ('in_review', 'rejected', 'suspended')))`;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';
/** The flags as columns. */
export type FlagColumns = { [Flag in JobFlag as SnakeCase<Flag>]: boolean };

const columnOf = (flag: JobFlag) =>
  flag.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as keyof FlagColumns;

/** The flags that `cardColumns` does not include already. */
export const flagColumns = sql.raw(
  jobFlags
    .filter((flag) => flag !== 'instantHire')
    .map((flag) => `job.${columnOf(flag)}`)
    .join(', '),
);

export const flagsOfRow = (row: FlagColumns): JobFlags =>
  Object.fromEntries(jobFlags.map((flag) => [flag, row[columnOf(flag)]])) as JobFlags;

export const columnsOfFlags = (flags: JobFlags): FlagColumns =>
  Object.fromEntries(jobFlags.map((flag) => [columnOf(flag), flags[flag]])) as FlagColumns;
