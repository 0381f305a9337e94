import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createApp, tasks } from '@nearhand/api/src/app.ts';
import { expireOffer } from '@nearhand/api/src/hiring/offers/offers.ts';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { runDueTasks } from '@nearhand/api/src/platform/tasks/due-tasks.ts';
import type { TaskScope } from '@nearhand/api/src/platform/tasks/tasks.ts';
import { advanceDispute } from '@nearhand/api/src/work/disputes/disputes.ts';
import { settleBySilence } from '@nearhand/api/src/work/timesheets/timesheets.ts';
import type { StripeDouble } from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { seededFractions } from '@nearhand/contract/arithmetic';
import { addMs, dayMs, hourMs } from '@nearhand/contract/durations';
import type { FastifyInstance } from 'fastify';
import { type Begun, endStateFaults } from './money/end-state-faults.ts';
import { type OfferOut, offersOut } from './money/offers-out.ts';
import { type Prepared, prepareWork, type Session, type Work } from './money/prepared-work.ts';
import { addFault, type Faults, newFaults, signalFaults } from './money/release-faults.ts';
import { openServices, type Services, secret, withProvider } from './money/services.ts';
import { onThrowAwayDatabase } from './throw-away-database.ts';
import { withoutLocks } from './without-locks.ts';
import { withoutVersions } from './without-versions.ts';

export type EndOptions = {
  engagements: number;
  seed: number;
  noLocks?: boolean;
  double?: StripeDouble;
};

/**
 * `npm run experiments -- end-states [--engagements 1000] [--seed N] [--provider stripe] [--break no-locks]`
 * Races everything that can end an engagement; each must end once, with its money.
 */
export async function endStates(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { engagements: text, seed: text, provider: text, break: text },
  });
  let right = false;
  await onThrowAwayDatabase(async (url) => {
    const options = {
      engagements: Number(values.engagements ?? 1_000),
      seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
      noLocks: values.break === 'no-locks',
    };
    const faults = await withProvider(values.provider, (double) =>
      endStatesOn(url, { ...options, double }, say),
    );
    right = faults.size > 0 === (values.break !== undefined);
  });
  say(
    `end-states: ${right ? 'as it must be' : 'NOT as it must be'}${values.break ? ' (negative control)' : ''}`,
  );
  return right;
}

export async function endStatesOn(
  url: string,
  options: EndOptions,
  say: (line: string) => void,
): Promise<Faults> {
  const services = openServices(url, { connections: 24, double: options.double });
  const faults = newFaults();
  const stage = await openStage(services, options);
  try {
    const part = (share: number) => Math.max(1, Math.round(options.engagements * share));
    const prepare = (count: number, step: 'submitted' | 'booked' | 'confirmed', startsInHours?: number) =>
      prepareWork(services, {
        count,
        workers: count,
        step,
        ...(startsInHours === undefined ? {} : { startsInHours }),
      });
    const submitted = await prepare(part(0.4), 'submitted');
    const booked = await prepare(part(0.2), 'booked');
    const begun = await prepare(part(0.2), 'confirmed', -2);
    const offers = await offersOut(services, part(0.2));
    const started = performance.now();
    await mapLimited(submitted.works, (work) => raceOverHours(stage, submitted, work));
    await mapLimited(booked.works, (work) => raceOverBooking(stage, booked, work));
    await mapLimited(begun.works, (work) => raceOverShift(stage, begun, work));
    const hired = await mapLimited(offers.offers, (offer) =>
      raceOverOffer(stage, offers.owner, offer, faults),
    );
    // Timers end what is still open. A timer may open a dispute, which ends 30 days later.
    for (const days of [3, 10, 40, 80]) {
      services.clock.moveBy(days * dayMs);
      await runDueTasks(services.pool, tasks, stage.taskScope);
    }
    const all: Begun[] = [
      ...submitted.works.map(({ engagementId }) => ({ engagementId, first: 'submitted', holdFirst: 'held' })),
      ...booked.works.map(({ engagementId }) => ({ engagementId, first: 'booked', holdFirst: 'held' })),
      ...begun.works.map(({ engagementId }) => ({ engagementId, first: 'confirmed', holdFirst: 'held' })),
      ...hired.flatMap((engagementId) =>
        engagementId ? [{ engagementId, first: null, holdFirst: null }] : [],
      ),
    ];
    const ends = await endStateFaults(services, all, faults);
    const seconds = (performance.now() - started) / 1_000;
    say(
      `end-states: ${all.length} engagements and ${offers.offers.length} offers, ${stage.asked()} calls at once in threes to fives, in ${seconds.toFixed(0)} s, seed ${options.seed}`,
    );
    say(`  answers: ${countsText(stage.notified)}`);
    say(`  ends: ${countsText(ends)}; ${faults.size} kinds of fault`);
    for (const line of signalFaults(faults)) say(line);
    return faults;
  } finally {
    await stage.app.close();
    await services.close();
  }
}

const countsText = (map: ReadonlyMap<string, number>) =>
  [...map]
    .sort((a, b) => b[1] - a[1])
    .map(([name, times]) => `${times} ${name}`)
    .join(', ');

type Stage = Awaited<ReturnType<typeof openStage>>;

async function openStage(services: Services, { seed, noLocks }: EndOptions) {
  const { config, log, clock, mailer, fileStore, provider } = services;
  const db = noLocks ? services.db.withPlugin(withoutLocks).withPlugin(withoutVersions) : services.db;
  const app: FastifyInstance = await createApp({
    config,
    secret,
    log,
    db,
    clock,
    mailer,
    fileStore,
    provider,
    webFolder: null,
  });
  await app.ready();
  const chance = seededFractions(seed);
  const notified = new Map<string, number>();
  let requestCount = 0;
  const taskScope: TaskScope = { ...services.taskScope, db };
  const note = (label: string) => {
    requestCount += 1;
    notified.set(label, (notified.get(label) ?? 0) + 1);
  };
  return {
    app,
    db,
    notified,
    taskScope,
    pool: services.pool,
    asked: () => requestCount,
    async race(contenders: readonly (() => Promise<string>)[]): Promise<void> {
      const order = contenders.map((run) => ({ run, at: chance() })).sort((a, b) => a.at - b.at);
      const lateMs = order.map(() => Math.floor(chance() * 40));
      await Promise.all(
        order.map(async ({ run }, index) => {
          await wait(lateMs[index] ?? 0);
          note(await run());
        }),
      );
    },
    call:
      (by: Session, path: string, payload: unknown): (() => Promise<string>) =>
      async () => {
        const token = await signAccessToken(secret, clock, by);
        const response = await app.inject({
          method: 'POST',
          url: `/api${path}`,
          headers: { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() },
          payload: payload as Record<string, unknown>,
        });
        if (response.statusCode < 300) return 'done';
        return String((response.json() as { code?: string }).code ?? response.statusCode);
      },
    timer:
      (run: (scope: TaskScope) => Promise<void>, aheadMs: number): (() => Promise<string>) =>
      async () => {
        const late = { now: () => addMs(clock.now(), aheadMs) };
        // It would win nearly always without the delay of HTTP.
        await wait(25);
        return run({ ...taskScope, clock: late }).then(
          () => 'timer',
          (error: unknown) => `timer: ${(error as Error).message.slice(0, 60)}`,
        );
      },
  };
}

async function mapLimited<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as Item);
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return results;
}

type Now = {
  status: string;
  version: number;
  starts_at: Date;
  dispute: string | null;
  filed_by: string;
  dispute_version: number;
};

async function look({ pool }: Stage, engagementId: string): Promise<Now> {
  const { rows } = await pool.query<Now>(
    `select engagement.status, engagement.version, engagement.starts_at, dispute.id as dispute, dispute.filed_by, dispute.version as dispute_version
     from engagements engagement left join disputes dispute on dispute.engagement_id = engagement.id where engagement.id = $1`,
    [engagementId],
  );
  return rows[0] as Now;
}

const workerOf = ({ workers }: Prepared, { workerId }: Work): Session =>
  workers.find(({ accountId }) => accountId === workerId) as Session;

const settlement = (engagementId: string) => (scope: TaskScope) => settleBySilence(scope, engagementId);

/** Races approval, counter-proposal, disputes and the timer over submitted hours, then the replies. */
async function raceOverHours(stage: Stage, prepared: Prepared, work: Work): Promise<void> {
  const { owner } = prepared;
  const worker = workerOf(prepared, work);
  const path = `/engagements/${work.engagementId}`;
  const { version, starts_at: startsAt } = await look(stage, work.engagementId);
  const fewer = {
    version,
    breakMinutes: 30,
    note: 'Left early.',
    startsAt: startsAt.toISOString(),
    endsAt: addMs(startsAt, 4 * hourMs).toISOString(),
  };
  const half = Math.floor(work.payMinor / 2);
  const dispute = (amountMinor: number) => ({ version, reason: 'Not what was agreed.', amountMinor });
  await stage.race([
    stage.call(owner, `${path}/approve`, { version }),
    stage.call(owner, `${path}/counter`, fewer),
    stage.call(worker, `${path}/dispute`, dispute(work.payMinor)),
    stage.call(owner, `${path}/dispute`, dispute(half)),
    stage.timer(settlement(work.engagementId), 72 * hourMs),
  ]);
  const after = await look(stage, work.engagementId);
  if (after.status === 'counter_proposed')
    await stage.race([
      stage.call(worker, `${path}/accept-counter`, { version: after.version }),
      stage.call(worker, `${path}/dispute`, { ...dispute(work.payMinor), version: after.version }),
      stage.timer(settlement(work.engagementId), 72 * hourMs),
    ]);
  const {
    dispute: disputeId,
    status,
    dispute_version: disputeVersion,
  } = await look(stage, work.engagementId);
  if (status !== 'disputed' || disputeId === null) return;
  const answer = (amountMinor: number) => ({
    version: disputeVersion,
    note: 'As the other side says.',
    amountMinor,
  });
  await stage.race([
    stage.call(owner, `/disputes/${disputeId}/answer`, answer(work.payMinor)),
    stage.call(worker, `/disputes/${disputeId}/answer`, answer(half)),
    stage.call(worker, `/disputes/${disputeId}/proposal`, answer(half + 1)),
    stage.timer((scope) => advanceDispute(scope, disputeId), 20 * dayMs),
  ]);
}

/** Races cancellation by both sides and confirmation of an upcoming shift. */
async function raceOverBooking(stage: Stage, prepared: Prepared, work: Work): Promise<void> {
  const worker = workerOf(prepared, work);
  const path = `/engagements/${work.engagementId}`;
  const off = { version: work.version, reason: 'Plans changed.' };
  await stage.race([
    stage.call(prepared.owner, `${path}/cancel`, off),
    stage.call(prepared.owner, `${path}/cancel`, off),
    stage.call(worker, `${path}/cancel`, off),
    stage.call(worker, `${path}/confirm`, { version: work.version }),
  ]);
  const { status, version } = await look(stage, work.engagementId);
  if (status !== 'confirmed') return;
  await stage.race([
    stage.call(prepared.owner, `${path}/cancel`, { ...off, version }),
    stage.call(worker, `${path}/cancel`, { ...off, version }),
  ]);
}

/** Races late cancellation, no-show and hours of a started shift, then approval and dispute. */
async function raceOverShift(stage: Stage, prepared: Prepared, work: Work): Promise<void> {
  const { owner } = prepared;
  const worker = workerOf(prepared, work);
  const path = `/engagements/${work.engagementId}`;
  const { version, starts_at: startsAt } = await look(stage, work.engagementId);
  const hours = {
    version,
    breakMinutes: 0,
    note: '',
    startsAt: startsAt.toISOString(),
    endsAt: addMs(startsAt, hourMs).toISOString(),
  };
  await stage.race([
    stage.call(owner, `${path}/cancel`, { version, reason: 'The place is closed.' }),
    stage.call(owner, `${path}/no-show`, { version }),
    stage.call(worker, `${path}/hours`, hours),
  ]);
  const after = await look(stage, work.engagementId);
  if (after.status !== 'submitted') return;
  await stage.race([
    stage.call(owner, `${path}/approve`, { version: after.version }),
    stage.call(owner, `${path}/no-show`, { version: after.version }),
    stage.call(worker, `${path}/dispute`, {
      version: after.version,
      reason: 'Half is missing.',
      amountMinor: 1_000,
    }),
  ]);
}

/**
 * Races acceptance, decline, withdrawal and expiry of a funded offer.
 * @returns the engagement
 */
async function raceOverOffer(
  stage: Stage,
  owner: Session,
  offer: OfferOut,
  faults: Faults,
): Promise<string | null> {
  const { offerId, version, worker } = offer;
  await stage.race([
    stage.call(worker, `/offers/${offerId}/accept`, { version }),
    stage.call(worker, `/offers/${offerId}/decline`, { version }),
    stage.call(owner, `/offers/${offerId}/withdraw`, { version }),
    stage.timer((scope) => expireOffer(scope, offerId), 10 * dayMs),
  ]);
  const { rows } = await stage.pool.query<{
    status: string;
    hold: string;
    ends: number;
    held: number;
    engagement: string | null;
    version: number;
  }>(
    `select offer.status, hold.status as hold, engagement.id as engagement, engagement.version,
       (select count(*)::int from offer_moves where offer_id = offer.id and to_status in ('accepted', 'declined', 'withdrawn', 'expired')) as ends,
       (select coalesce(sum(amount), 0)::bigint from ledger_postings where account_id = 'hold:' || hold.id || ':EUR') as held
     from offers offer join holds hold on hold.offer_id = offer.id left join engagements engagement on engagement.offer_id = offer.id where offer.id = $1`,
    [offerId],
  );
  const [now] = rows;
  if (!now || rows.length !== 1) addFault(faults, 'offer and hold', `${offerId}: ${rows.length}`);
  if (!now) return null;
  const isAccepted = now.status === 'accepted';
  const right = isAccepted
    ? now.hold === 'held' && now.held > 0 && now.engagement !== null
    : now.hold === 'refunded' && now.held === 0 && now.engagement === null;
  if (!right || now.ends !== 1) addFault(faults, 'end of an offer', `${offerId}: ${JSON.stringify(now)}`);
  if (now.engagement === null) return null;
  const off = { version: now.version, reason: 'Plans changed.' };
  await stage.race([
    stage.call(owner, `/engagements/${now.engagement}/cancel`, off),
    stage.call(worker, `/engagements/${now.engagement}/cancel`, off),
    stage.call(worker, `/engagements/${now.engagement}/confirm`, { version: now.version }),
  ]);
  return now.engagement;
}
