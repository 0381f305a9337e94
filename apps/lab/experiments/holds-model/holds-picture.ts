import type pg from 'pg';
import type { CastIds } from './cast-rows.ts';
import { balanceOf, type Cast, heldIn, type World } from './world.model.ts';

/** Every balance, hold, money row and pending task. */
export type Picture = Record<string, unknown>;

type Row = (string | number | boolean | null)[];
type Stored = {
  balances: Record<string, number>;
  holds: Row[];
  offers: Row[];
  works: Row[];
  charges: Row[];
  releases: Row[];
  tips: Row[];
  refunds: Row[];
  withdrawals: Row[];
  clearings: Row[];
  tasks: [string, number][];
};

export type Taken = {
  picture: Picture;
  ids: Record<'holds' | 'offers' | 'works' | 'charges' | 'withdrawals', string[]>;
  versions: Record<'offers' | 'works' | 'withdrawals', number[]>;
  work: ReturnType<typeof lookUp>;
  /** A task by its subject: `payouts.clear/r0.1` for the second release of the first engagement. */
  nameTask(key: string): string;
};

const lookUp = (world: World) => ({
  pay: (slot: number) => world.jobs[world.slots[slot]?.job ?? -1]?.pay ?? 0,
  workerOfOffer: (offer: number) => world.slots[world.offers[offer]?.slot ?? -1]?.worker ?? -1,
  workerOfWork: (work: number) => world.slots[world.works[work]?.slot ?? -1]?.worker ?? -1,
  jobOfWork: (work: number) => world.slots[world.works[work]?.slot ?? -1]?.job ?? -1,
  counterOf: (work: number) => world.works[work]?.counter ?? 0,
  workerOfWithdrawal: (withdrawal: number) => world.withdrawals[withdrawal]?.worker ?? -1,
});

const platform = { provider: 'provider_clearing', fees: 'platform_fees', losses: 'platform_losses' } as const;

const text = `
  with own_works as materialized (select id, version, status, funding, row_number() over (order by id) - 1 as no from engagements where business_id = $1)
  select json_build_object(
    'balances', (select json_object_agg(account.id, coalesce((select balance from ledger_accounts where id = account.id), 0)
      + coalesce((select sum(amount) from ledger_deferred where account_id = account.id), 0)) from unnest($3::text[]) as account (id)),
    'holds', (select coalesce(json_agg(json_build_array(id, status, frozen, source, pay_minor, fee_minor, added_minor,
      (extract(epoch from pay_by) * 1000)::bigint, offer_id, engagement_id,
      coalesce((select balance from ledger_accounts account where account.id = 'hold:' || hold.id || ':' || hold.currency), 0)) order by id), '[]')
      from holds hold where business_id = $1),
    'offers', (select coalesce(json_agg(json_build_array(id, version, status, funding) order by id), '[]') from offers where job_id = any ($5)),
    'works', (select coalesce(json_agg(json_build_array(id, version, status, funding) order by id), '[]') from own_works),
    'charges', (select coalesce(json_agg(json_build_array(id, status, purpose, amount_minor, landed, refunded_minor,
      (select coalesce(json_agg(json_build_array(status, amount_minor, borne_minor) order by ref), '[]') from chargebacks where charge_id = charges.id)
      ) order by id), '[]') from charges where business_id = $1),
    'releases', (select coalesce(json_agg(json_build_array(release.id, own_works.no, kind, amount_minor, fee_minor, worker_fee_minor, state) order by own_works.no, at, release.id), '[]')
      from releases release join own_works on own_works.id = release.engagement_id),
    'tips', (select coalesce(json_agg(json_build_array(tip.id, kind, amount_minor, tip.status) order by tip.id), '[]')
      from tips tip join own_works on own_works.id = tip.engagement_id),
    'refunds', (select coalesce(json_agg(json_build_array(refund.id, refund.amount_minor, refund.status, refund.charge_id) order by refund.id), '[]')
      from card_refunds refund where charge_id in (select id from charges where business_id = $1 and status = 'succeeded')),
    'withdrawals', (select coalesce(json_agg(json_build_array(id, version, status, amount_minor, fee_minor, account_id) order by id), '[]')
      from withdrawals where account_id = any ($2)),
    'clearings', (select coalesce(json_agg(json_build_array(id, account_id, amount_minor, cleared_at is not null) order by id), '[]')
      from clearings where account_id = any ($2)),
    'tasks', (select coalesce(json_agg(json_build_array(key, (extract(epoch from run_at) * 1000)::bigint)), '[]') from light_tasks where $4::text is not null)
  ) as stored`;

/** Reads a run's whole state in one statement. */
export async function takePicture(pool: pg.Pool, cast: Cast, ids: CastIds, before: World): Promise<Taken> {
  const { currency } = cast;
  const account = (name: string) => `${name}:${currency}`;
  const names = [
    account(`business_balance:${ids.businessId}`),
    ...Object.values(platform).map(account),
    ...ids.workers.flatMap((id) => [
      account(`worker_pending:${id}`),
      account(`worker_available:${id}`),
      account(`worker_reserved:${id}`),
    ]),
  ];
  const { rows } = await pool.query<{ stored: Stored }>({
    name: 'holds-model-picture',
    text,
    values: [ids.businessId, ids.workers, names, currency, ids.jobs],
  });
  const stored = rows[0]?.stored as Stored;
  const first = (list: readonly Row[]) => list.map((row) => String(row[0]));
  const number = (list: readonly Row[]) => new Map(first(list).map((id, index) => [id, index]));
  const offers = number(stored.offers);
  const works = number(stored.works);
  const holds = number(stored.holds);
  const charges = number(stored.charges);
  const withdrawals = number(stored.withdrawals);
  const refunds = number(stored.refunds);
  const workers = new Map(ids.workers.map((id, index) => [id, index]));
  const within = new Map<number, number>();
  const payNames = new Map<string, string>();
  for (const [id, work] of stored.releases as [string, number][]) {
    const place = within.get(work) ?? 0;
    within.set(work, place + 1);
    payNames.set(id, `r${work}.${place}`);
  }
  for (const [index, [id]] of stored.tips.entries()) payNames.set(String(id), `t${index}`);
  const of = (map: ReadonlyMap<unknown, unknown>, id: unknown) =>
    id === null ? null : (map.get(id) ?? `? ${id}`);
  const balances = Object.fromEntries(
    Object.entries(stored.balances).map(([id, amount]) => {
      const [kind = '', owner] = id.split(':');
      if (kind === 'business_balance') return ['business', amount];
      if (kind.startsWith('worker_')) return [`${kind.slice(7)}/${workers.get(owner ?? '')}`, amount];
      return [Object.entries(platform).find(([, name]) => name === kind)?.[0] ?? kind, amount];
    }),
  );
  const numbers: Record<string, ReadonlyMap<string, unknown>> = {
    'payments.charge': charges,
    'payments.cancel-charge': charges,
    'payments.refund': refunds,
    'payouts.send': withdrawals,
    'payouts.clear': payNames,
    'holds.checkout': holds,
    'holds.no-show-end': works,
    'offers.expire': offers,
  };
  const nameTask = (key: string): string => {
    const [name = '', id = ''] = key.split('/');
    return `${name}/${numbers[name]?.get(id) ?? `? ${id}`}`;
  };
  return {
    nameTask,
    picture: {
      balances,
      holds: stored.holds.map((row) => [...row.slice(1, 8), of(offers, row[8]), of(works, row[9]), row[10]]),
      offers: stored.offers.map((row) => row.slice(2)),
      works: stored.works.map((row) => row.slice(2)),
      charges: stored.charges.map((row) => row.slice(1)),
      releases: stored.releases.map((row) => row.slice(1)),
      tips: stored.tips.map((row) => row.slice(1)),
      refunds: stored.refunds.map((row) => [...row.slice(1, 3), of(charges, row[3])]),
      withdrawals: stored.withdrawals.map((row) => [...row.slice(2, 5), of(workers, row[5])]),
      clearings: stored.clearings
        .map((row) => [of(payNames, row[0]), of(workers, row[1]), ...row.slice(2)])
        .sort(byName),
      tasks: stored.tasks.map(([key, runAt]) => [nameTask(key), runAt]).sort(byName),
    },
    ids: {
      holds: first(stored.holds),
      offers: first(stored.offers),
      works: first(stored.works),
      charges: first(stored.charges),
      withdrawals: first(stored.withdrawals),
    },
    versions: {
      offers: stored.offers.map((row) => Number(row[1])),
      works: stored.works.map((row) => Number(row[1])),
      withdrawals: stored.withdrawals.map((row) => Number(row[1])),
    },
    work: lookUp(before),
  };
}

const byName = (a: readonly unknown[], b: readonly unknown[]): number =>
  String(a[0]) < String(b[0]) ? -1 : 1;

/** Excludes what the platform had before the run. */
export function drawPicture(world: World, balancesBefore: Readonly<Record<string, number>>): Picture {
  const payNames = new Map<string, string>();
  for (const [work, { releases }] of world.works.entries())
    for (const [place, { serial }] of releases.entries()) payNames.set(`r${serial}`, `r${work}.${place}`);
  const payName = (of: string) => payNames.get(of) ?? of;
  const names = [
    'business',
    'provider',
    'fees',
    'losses',
    ...world.banks.flatMap((_, worker) => [`pending/${worker}`, `available/${worker}`, `reserved/${worker}`]),
  ];
  return {
    balances: Object.fromEntries(
      names.map((name) => [name, balanceOf(world, name) + (balancesBefore[name] ?? 0)]),
    ),
    holds: world.holds.map((hold, index) => [
      hold.status,
      hold.frozen,
      hold.source,
      hold.pay,
      hold.fee,
      hold.added,
      hold.payBy,
      hold.offer,
      hold.work,
      heldIn(world, index),
    ]),
    offers: world.offers.map(({ status, funding }) => [status, funding]),
    works: world.works.map(({ status, funding }) => [status, funding]),
    charges: world.charges.map((charge) => [
      charge.status,
      charge.purpose,
      charge.amount,
      charge.landed,
      charge.refunded,
      charge.chargebacks.map(({ status, amount, borne }) => [status, amount, borne]),
    ]),
    releases: world.works.flatMap(({ releases }, work) =>
      releases.map(({ kind, amount, fee, workerFee, paid }) => [
        work,
        kind,
        amount,
        fee,
        workerFee,
        paid ? 'released' : 'not_funded',
      ]),
    ),
    tips: world.tips.map(({ kind, amount, status }) => [kind, amount, status]),
    refunds: world.refunds.map(({ amount, status, charge }) => [amount, status, charge]),
    withdrawals: world.withdrawals.map(({ status, amount, fee, worker }) => [status, amount, fee, worker]),
    clearings: world.clearings
      .map(({ of, worker, amount, cleared }) => [payName(of), worker, amount, cleared])
      .sort(byName),
    tasks: [...world.timers]
      .map(([key, at]) => {
        const [name = '', of = ''] = key.split('/');
        return [`${name}/${name === 'payouts.clear' ? payName(of) : of}`, at];
      })
      .sort(byName),
  };
}

/** Null if the pictures are equal. */
export function difference(server: Picture, model: Picture): string | null {
  for (const part of Object.keys(model)) {
    const have = JSON.stringify(sorted(server[part]));
    const want = JSON.stringify(sorted(model[part]));
    if (have !== want) return `${part}: the server has ${have}, the model ${want}`;
  }
  return null;
}

const sorted = (value: unknown): unknown =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
