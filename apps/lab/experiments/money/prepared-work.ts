import { postEntry } from '@nearhand/api/src/money/ledger/ledger.ts';
import { fundBusiness } from '@nearhand/api/src/money/wallet/wallet.fixtures.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import {
  makeEngagement,
  type WorkStep,
  workThrough,
} from '@nearhand/api/src/work/engagements/engagements.fixtures.ts';
import { shareOfAmount, sumOf } from '@nearhand/contract/arithmetic';
import { addMs, dayMs, hourMs } from '@nearhand/contract/durations';
import { type Services, secret } from './services.ts';

export type Work = {
  engagementId: string;
  holdId: string;
  workerId: string;
  version: number;
  payMinor: number;
  feeMinor: number;
  getsMinor: number;
  heldMinor: number;
};

export type Session = { accountId: string; sessionId: string };
export type Prepared = { businessId: string; owner: Session; workers: Session[]; works: Work[] };

/** The amount is close to Stripe's maximum charge. */
export const chargeMinor = 90_000_000;

/**
 * Prepares paid-up work: the first through the services, the others as copies of its rows. All money is real.
 * @param options.workers share the work, in shifts twelve hours apart
 * @param options.startsInHours defaults to a week ahead for booked work and a day ago for other work
 */
export async function prepareWork(
  services: Services,
  options: { count: number; workers: number; step: WorkStep | 'booked'; startsInHours?: number },
): Promise<Prepared> {
  const { db, clock } = services;
  const count = options.count;
  const owner = await makeAccount(db, clock, secret, { name: 'Owner' });
  const workers: Session[] = [];
  for (let n = 0; n < Math.min(options.workers, count); n += 1)
    workers.push(await makeAccount(db, clock, secret, { name: `Worker ${n + 1}` }));
  const scope = services.scopeOf(owner.accountId);
  const { id: businessId } = await makeBusiness(db, scope, { funded: false });
  await fundBusiness(db, scope, businessId, { amountMinor: chargeMinor });
  const { step, startsInHours = step === 'booked' ? 7 * 24 : -24 } = options;
  const model = await walkModel(services, { businessId, ownerId: owner.accountId, step, startsInHours });
  const heldMinor = model.payMinor + model.feeMinor;
  for (let left = count * heldMinor; left > 0; left -= chargeMinor)
    await fundBusiness(db, scope, businessId, { amountMinor: Math.min(left, chargeMinor) });
  const works = await copyWork(services, model, { workers, count });
  await fundCopies(services, businessId, works);
  await services.pool.query('analyze');
  return { businessId, owner, workers, works };
}

type Model = Awaited<ReturnType<typeof walkModel>>;

/** The original of the copies; it is not paid itself. */
async function walkModel(
  services: Services,
  options: { businessId: string; ownerId: string; step: WorkStep | 'booked'; startsInHours: number },
) {
  const { db, clock } = services;
  const { businessId, ownerId, step, startsInHours } = options;
  const worker = await makeAccount(db, clock, secret, { name: 'Model' });
  const startsAt = new Date((Math.floor(clock.now().getTime() / hourMs) + startsInHours) * hourMs);
  const at = (accountId: string, moment: Date) => services.scopeOf(accountId, { now: () => moment });
  const before = new Date(Math.min(startsAt.getTime() - 3 * dayMs, clock.now().getTime()));
  const sides = { worker: at(worker.accountId, before), recruiter: at(ownerId, before) };
  const shift = {
    startsAt: startsAt.toISOString(),
    endsAt: addMs(startsAt, 8 * hourMs).toISOString(),
    headCount: 1,
  };
  const engagement = await makeEngagement(db, sides, businessId, shift);
  if (step !== 'booked')
    await workThrough(
      db,
      (side, moment) => at(side === 'worker' ? worker.accountId : ownerId, moment),
      engagement,
      step,
    );
  const { rows } = await services.pool.query(
    `select hold.id as "holdId", hold.pay_minor as "payMinor", hold.fee_minor as "feeMinor", hold.business_fee_basis_points as "feePoints",
       hold.worker_fee_basis_points as "workerFeePoints",
       engagement.id as "engagementId", engagement.version, engagement.job_id as "jobId", engagement.application_id as "applicationId",
       engagement.offer_id as "offerId", engagement.starts_at as "startsAt", (select id from hours_claims where engagement_id = engagement.id) as "claimId"
     from engagements engagement join holds hold on hold.engagement_id = engagement.id where engagement.id = $1`,
    [engagement.id],
  );
  return rows[0] as {
    [id in 'holdId' | 'engagementId' | 'jobId' | 'applicationId' | 'offerId']: string;
  } & {
    claimId: string | null;
    payMinor: number;
    feeMinor: number;
    feePoints: number;
    workerFeePoints: number;
    version: number;
    startsAt: Date;
  };
}

async function copyWork(
  { pool }: Services,
  model: Model,
  { workers, count }: { workers: readonly Session[]; count: number },
): Promise<Work[]> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    // Each claims a little less than the hold, so that some is returned; the first claims all of it.
    await client.query(
      `create temporary table plan on commit drop as select n, gen_random_uuid() as job_id, gen_random_uuid() as application_id,
         gen_random_uuid() as offer_id, gen_random_uuid() as hold_id, gen_random_uuid() as engagement_id, gen_random_uuid() as claim_id,
         ($1::uuid[])[1 + n % cardinality($1::uuid[])] as worker_id, $2::bigint - (n % 997) as pay_minor,
         $3::timestamptz - (n / cardinality($1::uuid[])) * $5::interval as starts_at
       from generate_series(0, $4 - 1) as n`,
      [
        workers.map(({ accountId }) => accountId),
        model.payMinor,
        model.startsAt,
        count,
        model.startsAt > new Date() ? '-12 hours' : '12 hours',
      ],
    );
    const own: [table: string, modelId: string | null, columns: Record<string, string>][] = [
      [
        'jobs',
        model.jobId,
        { id: 'job_id', starts_at: 'starts_at', ends_at: "starts_at + interval '8 hours'" },
      ],
      [
        'applications',
        model.applicationId,
        { id: 'application_id', job_id: 'job_id', worker_id: 'worker_id' },
      ],
      [
        'offers',
        model.offerId,
        { id: 'offer_id', application_id: 'application_id', job_id: 'job_id', worker_id: 'worker_id' },
      ],
      [
        'engagements',
        model.engagementId,
        {
          id: 'engagement_id',
          offer_id: 'offer_id',
          application_id: 'application_id',
          job_id: 'job_id',
          worker_id: 'worker_id',
          starts_at: 'starts_at',
          ends_at: "starts_at + interval '8 hours'",
          work_ends_at: "starts_at + interval '8 hours'",
          amount_minor: 'pay_minor',
        },
      ],
      [
        'holds',
        model.holdId,
        { id: 'hold_id', job_id: 'job_id', offer_id: 'offer_id', engagement_id: 'engagement_id' },
      ],
      [
        'hours_claims',
        model.claimId,
        { id: 'claim_id', engagement_id: 'engagement_id', amount_minor: 'pay_minor' },
      ],
    ];
    for (const [table, modelId, columns] of own) {
      if (modelId === null) continue;
      const { rows } = await client.query<{ name: string }>(
        `select column_name as name from information_schema.columns
         where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
        [table],
      );
      const names = rows.map(({ name }) => name);
      const changes = Object.entries(columns).map(([name, value]) => `'${name}', ${value}`);
      await client.query(
        `insert into ${table} (${names.join(', ')}) select ${names.map((name) => `made.${name}`).join(', ')}
         from plan cross join (select to_jsonb(model) as model from ${table} model where id = $1) as model
         cross join lateral jsonb_populate_record(null::${table}, model.model || jsonb_build_object(${changes.join(', ')})) as made`,
        [modelId],
      );
    }
    const { rows } = await client.query(
      `select engagement_id as "engagementId", hold_id as "holdId", worker_id as "workerId", $1::int as version, pay_minor as "payMinor"
       from plan order by n`,
      [model.version],
    );
    await client.query('commit');
    return (rows as Omit<Work, 'feeMinor' | 'heldMinor' | 'getsMinor'>[]).map((row) => ({
      ...row,
      feeMinor: shareOfAmount(row.payMinor, model.feePoints),
      getsMinor: row.payMinor - shareOfAmount(row.payMinor, model.workerFeePoints),
      heldMinor: model.payMinor + model.feeMinor,
    }));
  } finally {
    client.release();
  }
}

/** Many holds in one entry, as funding a job's spots does. */
async function fundCopies(
  { db, scopeOf }: Services,
  businessId: string,
  works: readonly Work[],
): Promise<void> {
  for (let from = 0; from < works.length; from += 500) {
    const part = works.slice(from, from + 500);
    const [first] = part;
    if (!first) return;
    const total = sumOf(part, (work) => work.heldMinor);
    await db.transaction().execute((tx) =>
      postEntry(tx, scopeOf(businessId), {
        key: `fund/${first.holdId}`,
        kind: 'fund',
        currency: 'EUR',
        about: first.holdId,
        lines: [
          { account: { kind: 'business_balance', ownerId: businessId }, amountMinor: -total },
          ...part.map((work) => ({
            account: { kind: 'hold' as const, ownerId: work.holdId },
            amountMinor: work.heldMinor,
          })),
        ],
      }),
    );
  }
}
