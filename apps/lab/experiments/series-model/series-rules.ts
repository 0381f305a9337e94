import type pg from 'pg';

export class BrokenRuleError extends Error {}

type Job = {
  id: string;
  seriesId: string | null;
  asBlock: boolean;
  status: string;
  version: number;
  startsAt: number;
  endsAt: number;
  payMinor: number;
  headCount: number;
  hired: number;
  offered: number;
};
type Terms = {
  startsAt: string;
  endsAt: string;
  breakMinutes: number;
  breakPaid: boolean;
  place: { lat: number; lng: number };
  payMinor: number;
  payTotalMinor: number;
  holdMinor: number;
  businessFeeBasisPoints: number;
  workerFeeBasisPoints: number;
  plannedFunding?: { at: string; by: string } | null;
};
export type Work = {
  id: string;
  jobId: string;
  workerId: string;
  status: string;
  version: number;
  funding: string;
  startsAt: number;
  endsAt: number;
  createdAt: number;
  movedAt: number;
  compensationMinor: number | null;
  terms: Terms;
  change: { id: string; answerBy: number; after: Terms } | null;
  holds: { status: string; planMinor: number; balanceMinor: number }[];
};
type Offer = { id: string; applicationId: string; jobId: string; workerId: string; version: number };
type Giveaway = {
  id: string;
  engagementId: string;
  workerId: string;
  takerId: string | null;
  colleagueId: string | null;
  /** The shift that the colleague gives in exchange. */
  swapEngagementId: string | null;
  status: string;
  version: number;
};
type Application = { id: string; jobId: string; workerId: string; status: string };
/** The rows of one business. Times are in milliseconds. */
export type Picture = {
  jobs: Job[];
  works: Work[];
  offers: Offer[];
  giveaways: Giveaway[];
  applications: Application[];
  balanceMinor: number;
  heldMinor: number;
  earnedMinor: number;
};

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
const list = (fields: string, rows: string) =>
  `coalesce((select json_agg(json_build_object(${fields}) order by row.id) from ${rows}), '[]')`;
const ledgerSum = (account: string) =>
  `coalesce((select sum(amount) from ledger_postings where ${account}), 0)::bigint`;
const picture = `select json_build_object(
  'jobs', ${list(
    `'id', id, 'seriesId', series_id, 'asBlock', as_block, 'status', status, 'version', version, 'startsAt', ${ms('starts_at')}, 'endsAt', ${ms('ends_at')},
      'payMinor', pay_minor, 'headCount', head_count, 'hired', hired_count, 'offered', offered_count`,
    'jobs row where business_id = $1',
  )},
  'works', ${list(
    `'id', row.id, 'jobId', row.job_id, 'workerId', row.worker_id, 'status', row.status, 'version', row.version,
      'funding', row.funding, 'startsAt', ${ms('row.starts_at')}, 'endsAt', ${ms('row.ends_at')},
      'createdAt', ${ms('row.created_at')}, 'movedAt', ${ms('row.updated_at')},
      'compensationMinor', row.compensation_minor, 'terms', row.terms,
      'change', (select json_build_object('id', id, 'answerBy', ${ms('answer_by')}, 'after', after)
        from shift_changes where engagement_id = row.id and status = 'open'),
      'holds', coalesce((select json_agg(json_build_object('status', status, 'planMinor', pay_minor + fee_minor,
        'balanceMinor', ${ledgerSum(`account_id = 'hold:' || holds.id || ':EUR'`)}))
        from holds where engagement_id = row.id), '[]')`,
    'engagements row where business_id = $1',
  )},
  'offers', ${list(
    `'id', id, 'applicationId', application_id, 'jobId', job_id, 'workerId', worker_id, 'version', version`,
    `offers row where business_id = $1 and status in ('funding', 'sent')`,
  )},
  'giveaways', ${list(
    `'id', id, 'engagementId', engagement_id, 'workerId', worker_id, 'takerId', taker_id,
      'colleagueId', colleague_id, 'swapEngagementId', swap_engagement_id, 'status', status, 'version', version`,
    'giveaways row where business_id = $1',
  )},
  'applications', ${list(
    `'id', row.id, 'jobId', row.job_id, 'workerId', row.worker_id, 'status', row.status`,
    'applications row join jobs on jobs.id = row.job_id where jobs.business_id = $1',
  )},
  'balanceMinor', ${ledgerSum(`account_id = 'business_balance:' || $1 || ':EUR'`)},
  'heldMinor', ${ledgerSum(`account_id in (select 'hold:' || id || ':EUR' from holds where business_id = $1)`)},
  'earnedMinor', ${ledgerSum(`account_id like 'worker_%' and split_part(account_id, ':', 2) = any($2::text[])`)}
) as picture`;

export async function readPicture(
  pool: pg.Pool,
  businessId: string,
  workerIds: readonly string[],
): Promise<Picture> {
  const { rows } = await pool.query<{ picture: Picture }>(picture, [businessId, workerIds]);
  return rows[0]?.picture as Picture;
}

const free = ['cancelled_by_worker', 'cancelled_by_merchant', 'given_away', 'no_show_reported', 'contested'];
export const isBooked = ({ status }: Work): boolean => status === 'booked' || status === 'confirmed';
const isWorking = ({ status }: Work) => status === 'checked_in' || status === 'checked_out';
/** A spot frees only before the start. */
const freesSpot = ({ status, movedAt, startsAt }: Work) =>
  status === 'given_away' || (status.startsWith('cancelled') && movedAt < startsAt);

const minuteMs = 60_000;
/** Minor units, rounded half up. */
const part = (minor: number, numerator: number, denominator: number) =>
  Math.floor((minor * numerator * 2 + denominator) / (denominator * 2));
function priceOf({ startsAt, endsAt, breakMinutes, breakPaid, payMinor, businessFeeBasisPoints }: Terms) {
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / minuteMs - (breakPaid ? 0 : breakMinutes);
  const payMinorTotal = part(payMinor, minutes, 60);
  return { payMinorTotal, holdMinor: payMinorTotal + part(payMinorTotal, businessFeeBasisPoints, 10_000) };
}

/**
 * Returns the violated rules among those that must hold after every command.
 * @param fundedMinor the money that the business added
 */
export function* brokenRules(
  { jobs, works, offers, balanceMinor, heldMinor, earnedMinor }: Picture,
  fundedMinor: number,
): Generator<string> {
  for (const work of works)
    for (const other of works) {
      const isSamePerson = work.workerId === other.workerId && work.id < other.id;
      const takesTime = !free.includes(work.status) && !free.includes(other.status);
      if (isSamePerson && takesTime && work.startsAt < other.endsAt && other.startsAt < work.endsAt)
        yield `${work.id} and ${other.id} overlap`;
    }
  for (const { id, headCount, hired, offered } of jobs) {
    if (hired + offered > headCount) yield `${id} has more people than spots`;
    if (hired !== works.filter((work) => work.jobId === id && !freesSpot(work)).length)
      yield `${id} counts ${hired} hired`;
    if (offered !== offers.filter(({ jobId }) => jobId === id).length)
      yield `${id} counts ${offered} offered`;
  }
  let spentMinor = 0;
  let owedMinor = 0;
  for (const work of works) {
    const { id, status, terms, change, funding, holds } = work;
    const { payMinorTotal, holdMinor } = priceOf(terms);
    if (terms.payTotalMinor !== payMinorTotal || terms.holdMinor !== holdMinor)
      yield `${id} costs ${terms.holdMinor} instead of ${holdMinor}`;
    if (Date.parse(terms.startsAt) !== work.startsAt || Date.parse(terms.endsAt) !== work.endsAt)
      yield `${id} is booked at other hours than agreed`;
    const inHolds = holds.reduce((sum, { balanceMinor: minor }) => sum + minor, 0);
    if (isBooked(work) || isWorking(work)) {
      const neededMinor = Math.max(holdMinor, change ? priceOf(change.after).holdMinor : 0);
      const [hold] = holds;
      const isPlanned = isBooked(work) && funding === 'planned' && terms.plannedFunding;
      const isRight =
        holds.length === 1 &&
        hold?.planMinor === neededMinor &&
        (isPlanned
          ? hold.status === 'created' && inHolds === 0
          : funding === 'funded' && hold.status === 'held' && inHolds === neededMinor);
      if (!isRight)
        yield `${id}, ${status}, is ${funding} instead of funded with ${neededMinor}: ${JSON.stringify(holds)}`;
    }
    if (status.startsWith('cancelled') || status === 'given_away') {
      if (inHolds !== 0) yield `${id} ended and keeps ${inHolds}`;
      if (change) yield `${id} ended and still has an open change`;
    }
    const compensationMinor = work.compensationMinor ?? 0;
    // Compensation costs the business no fee.
    spentMinor += compensationMinor;
    owedMinor += compensationMinor - part(compensationMinor, terms.workerFeeBasisPoints, 10_000);
    const maxMinor = Math.min(part(payMinorTotal, 1, 2), part(terms.payMinor, 240, 60));
    if (compensationMinor !== 0 && compensationMinor !== maxMinor)
      yield `${id} compensates ${compensationMinor} instead of ${maxMinor}`;
  }
  const missingMinor = fundedMinor - balanceMinor - heldMinor - spentMinor;
  if (missingMinor !== 0) yield `${missingMinor} are missing from the balance`;
  if (earnedMinor !== owedMinor) yield `workers have ${earnedMinor} instead of ${owedMinor}`;
}

const over = ['closed', 'archived', 'rejected'];

/**
 * Returns what breaks ADR 414: someone was offered or booked for some dates of a block only. Shifts that were given away
 * pass alone.
 * @param now before the command
 */
export function* partialBlocks(before: Picture, after: Picture, now: number): Generator<string> {
  const knownIds = new Set([...before.works, ...before.offers].map(({ id }) => id));
  const passedIds = new Set(
    after.works.flatMap(({ status, jobId }) => (status === 'given_away' ? [jobId] : [])),
  );
  const taken = [...after.works, ...after.offers].filter(
    ({ id, jobId }) => !knownIds.has(id) && !passedIds.has(jobId),
  );
  const blockOf = new Map(
    before.jobs.flatMap(({ id, seriesId, asBlock }) => (asBlock ? [[id, seriesId ?? ''] as const] : [])),
  );
  const inBlock = taken.filter(({ jobId }) => blockOf.has(jobId));
  for (const [key, items] of Map.groupBy(
    inBlock,
    ({ workerId, jobId }) => `${workerId} ${blockOf.get(jobId)}`,
  )) {
    const dates = before.jobs.filter(({ id, status, startsAt }) => {
      const job = after.jobs.find((other) => other.id === id);
      const isStill = job && !over.includes(job.status) && !passedIds.has(id);
      return key.endsWith(` ${blockOf.get(id)}`) && status !== 'filled' && startsAt > now && isStill;
    });
    const missing = dates.filter(({ id }) => !items.some(({ jobId }) => jobId === id));
    if (missing.length > 0) yield `${key} has a block without ${missing.map(({ id }) => id).join(', ')}`;
  }
}

/** Returns dates that left their block although they had a free spot (ADR 414). */
export function* leftBlocks(before: Picture, after: Picture): Generator<string> {
  for (const job of before.jobs) {
    const isStill = after.jobs.some(({ id, asBlock }) => id === job.id && asBlock);
    if (job.asBlock && !isStill && job.hired < job.headCount)
      yield `${job.id} left its block with a free spot`;
  }
}

/** Returns what breaks ADR 399 after the timers have run: pay set aside by its deadline, or the booking ended. */
export function* overdueFunding({ works }: Picture, now: number): Generator<string> {
  for (const work of works) {
    const { id, funding, terms } = work;
    const isPlanned = isBooked(work) && funding === 'planned' && terms.plannedFunding;
    if (isPlanned && Date.parse(isPlanned.by) <= now) yield `${id} is still planned after its deadline`;
  }
}

export type Notice = { accountId: string; topic: string; path: string };
const watched = [
  'shift-change-asked',
  'shift-change-ended',
  'engagement-changed',
  'engagement-cancelled',
  'giveaway-done',
];

/** The notices that a command owes its people, from what it changed; each is owed exactly once. */
export function owedNotices(before: Picture, after: Picture, command: string, ownerId: string): Notice[] {
  const owed: Notice[] = [];
  const owe = (accountId: string, topic: string, path = '') => owed.push({ accountId, topic, path });
  const earlier = new Map(before.works.map((work) => [work.id, work]));
  const changed = after.works.flatMap((work) => {
    const old = earlier.get(work.id);
    return old ? [{ work, old }] : [];
  });
  if (command === 'edit')
    for (const [workerId, pairs] of Map.groupBy(changed, ({ work }) => work.workerId)) {
      const isAsked = pairs.some(({ work, old }) => work.change && work.change.id !== old.change?.id);
      const isOver = pairs.some(({ work, old }) => old.change && !work.change);
      if (isAsked) owe(workerId, 'shift-change-asked');
      else if (isOver) owe(workerId, 'shift-change-ended');
      if (pairs.some(({ work, old }) => work.terms.payMinor > old.terms.payMinor))
        owe(workerId, 'engagement-changed');
    }
  for (const { work, old } of changed) {
    // A timer may end the change, and another then the shift.
    if (command === 'clock' && !work.status.startsWith('cancelled') && old.change && !work.change)
      for (const accountId of [work.workerId, ownerId]) owe(accountId, 'shift-change-ended', work.id);
    if (command === 'cancel' && isBooked(old) && work.status === 'cancelled_by_merchant')
      owe(work.workerId, 'engagement-cancelled', work.id);
    if (command === 'cancel' && isBooked(old) && work.status === 'cancelled_by_worker')
      owe(ownerId, 'engagement-cancelled', work.id);
  }
  if (command === 'answer' || command === 'check-in') {
    const answered = changed.filter(({ work, old }) => old.change && !work.change);
    const times = answered.filter(({ work }) => !isBooked(work) && command === 'answer').length || 1;
    if (answered.length > 0) for (let time = 0; time < times; time += 1) owe(ownerId, 'shift-change-ended');
  }
  if (command === 'take' || command === 'approve')
    for (const { id, status, workerId, takerId } of after.giveaways) {
      const old = before.giveaways.find((giveaway) => giveaway.id === id);
      if (status !== 'done' || old?.status === 'done' || takerId === null) continue;
      const people = command === 'take' ? [workerId, takerId, ownerId] : [workerId, takerId];
      for (const accountId of people) owe(accountId, 'giveaway-done', id);
      const passed = before.works.find((work) => work.id === old?.engagementId && work.change);
      if (passed) owe(takerId, 'shift-change-asked');
      const exchanged = before.works.find((work) => work.id === old?.swapEngagementId && work.change);
      if (exchanged) owe(workerId, 'shift-change-asked');
    }
  return owed;
}

/** @throws BrokenRuleError if a notice is missing, doubled or owed to nobody */
export function requireNotices(owed: readonly Notice[], sent: readonly Notice[]): void {
  const keyOf = ({ accountId, topic }: Notice) => `${topic} to ${accountId}`;
  const countBy = (notices: readonly Notice[]) =>
    [...Map.groupBy(notices, keyOf)].map(([key, items]) => `${items.length} × ${key}`).sort();
  const got = countBy(sent.filter(({ topic }) => watched.includes(topic)));
  const expected = countBy(owed);
  if (JSON.stringify(got) !== JSON.stringify(expected))
    throw new BrokenRuleError(`notices are ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`);
}
