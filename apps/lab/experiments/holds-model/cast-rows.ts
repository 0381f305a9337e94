import { randomUUID } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import type pg from 'pg';
import type { Cast } from './world.model.ts';

export type CastIds = {
  businessId: string;
  ownerId: string;
  workers: string[];
  banks: string[];
  cards: string[];
  jobs: string[];
  applications: string[];
};

/** Rows as after signing up, publishing and applying, which the hiring model covers. */
export async function writeCast(pool: pg.Pool, cast: Cast): Promise<CastIds> {
  const many = (count: number) => Array.from({ length: count }, () => randomUUID());
  const ids: CastIds = {
    businessId: randomUUID(),
    ownerId: randomUUID(),
    workers: many(cast.banks.length),
    banks: many(cast.banks.length),
    cards: many(cast.cards.length),
    jobs: many(cast.jobs.length),
    applications: many(cast.jobs.length * cast.banks.length),
  };
  const began = new Date(cast.begins);
  const people = [ids.ownerId, ...ids.workers];
  await pool.query({
    name: 'holds-model-people',
    text: `with people as (insert into accounts (id, name, email, email_verified) select id, 'Person', id || '@example.org', true from unnest($1::uuid[]) as id),
      place as (insert into businesses (id, status, name, legal_name, category, address, area, country_code, lat, lng, time_zone, currency, created_at, updated_at)
        values ($2, 'verified', 'Business', 'Business', 'hospitality', 'Street 1', 'Town', 'NL', 52, 5, 'UTC', $3, $4, $4)),
      identities as (insert into payout_identities (account_id, status, legal_name, country_code, asked_at)
        select id, case when verified then 'verified' else 'pending' end, 'Person', 'NL', $4 from unnest($5::uuid[], $6::boolean[]) as given (id, verified)),
      banks as (insert into payout_methods (id, account_id, provider_ref, bank_name, last4, holder_name, country, currency, instant, usable_from, added_at)
        select id, worker, kind || '/' || id, 'Bank', '0000', 'Person', 'NL', $3, true, $4, $4::timestamptz - interval '30 days' from unnest($7::uuid[], $5::uuid[], $8::text[]) as given (id, worker, kind)),
      cards as (insert into cards (id, business_id, provider_ref, brand, last4, expires_month, expires_year, is_default, added_by, added_at)
        select id, $2, kind || '/' || id, 'Visa', '4242', 12, 2040, no = 1, $1[1], $4
        from unnest($9::uuid[], $10::text[]) with ordinality as given (id, kind, no))
      insert into business_members (business_id, account_id, role, created_at) values ($2, $1[1], 'owner', $4)`,
    values: [
      people,
      ids.businessId,
      cast.currency,
      began,
      ids.workers,
      cast.verified,
      ids.banks,
      cast.banks,
      ids.cards,
      cast.cards,
    ],
  });
  const column = <Key extends keyof Cast['jobs'][number]>(key: Key) => cast.jobs.map((job) => job[key]);
  const ends = cast.jobs.map(({ start, minutes }) =>
    start === null ? null : new Date(start + minutes * minuteMs),
  );
  await pool.query({
    name: 'holds-model-jobs',
    text: `with made as (insert into jobs (id, business_id, business_name, kind, status, title, category, pay_minor, pay_unit, currency, pay_hour_minor,
        head_count, instant_hire, starts_at, ends_at, time_zone, address, area, lat, lng, public_lat, public_lng,
        business_fee_basis_points, worker_fee_basis_points, published_at, expires_at, created_at, updated_at)
        select id, $2, 'Business', kind, status, 'Work', 'hospitality', pay, case kind when 'shift' then 'hour' else 'fixed' end, $3,
          case kind when 'shift' then pay end, head, instant, starts, ends, 'UTC', 'Street 1', 'Town', 52, 5, 52, 5, $4, $5, $6::timestamptz,
          $6::timestamptz + interval '10 years', $6, $6
        from unnest($1::uuid[], $7::text[], $8::text[], $9::int[], $10::int[], $11::boolean[], $12::timestamptz[], $13::timestamptz[])
          as given (id, kind, status, pay, head, instant, starts, ends))
      insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
      select ($14::uuid[])[(job.no - 1) * cardinality($15::uuid[]) + worker.no], job.id, $2, worker.id, 'submitted', $6, $6::timestamptz + interval '10 years', $6
      from unnest($1::uuid[]) with ordinality as job (id, no), unnest($15::uuid[]) with ordinality as worker (id, no)`,
    values: [
      ids.jobs,
      ids.businessId,
      cast.currency,
      cast.businessFee,
      cast.workerFee,
      began,
      column('kind'),
      column('status'),
      column('pay'),
      column('head'),
      column('instant'),
      column('start').map((start) => (start === null ? null : new Date(start))),
      ends,
      ids.applications,
      ids.workers,
    ],
  });
  return ids;
}
