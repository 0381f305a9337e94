import type { TestClock } from '@nearhand/api/test/harness.ts';
import { dayMs, hourMs } from '@nearhand/contract/durations';
import type pg from 'pg';
import { createChance } from '../ledger-model/random-entries.ts';
import {
  BrokenRuleError,
  brokenRules,
  isBooked,
  leftBlocks,
  type Notice,
  overdueFunding,
  owedNotices,
  type Picture,
  partialBlocks,
  readPicture,
  requireNotices,
  type Work,
} from './series-rules.ts';

export type Tally = {
  runs: number;
  commands: Map<string, number>;
  answers: Map<string, number>;
  states: Set<string>;
};
export const newTally = (): Tally => ({
  runs: 0,
  commands: new Map(),
  answers: new Map(),
  states: new Set(),
});
const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

/** Sends a request as a person; errors come back as their code. */
type Send = (
  person: string,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  body?: Record<string, unknown>,
) => Promise<{ code: string | null; body: Record<string, unknown> }>;
export type Stage = {
  pool: pg.Pool;
  clock: Pick<TestClock, 'now' | 'set'>;
  send: Send;
  runTimers(): Promise<void>;
};
export type Cast = {
  businessId: string;
  ownerId: string;
  recruiterId: string;
  workerIds: string[];
  fundedMinor: number;
  /** Posts a draft of a shift. */
  makeDraft(shift: {
    startsAt: string;
    endsAt: string;
    payMinor: number;
    headCount: number;
  }): Promise<string>;
};

/** Mondays before the changes of clocks in Amsterdam: 25 October 2026 and 28 March 2027. */
const starts = ['2026-10-19T09:00:00.000Z', '2027-03-22T09:00:00.000Z'] as const;
/** The start of a run, to which the stage sets the clock. */
export const startOf = (seed: number): string => starts[seed % starts.length] ?? starts[0];
const iso = (at: number) => new Date(at).toISOString();
const dayOf = (at: number) => iso(at).slice(0, 10);
const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Amsterdam', timeStyle: 'short' });
const weights = {
  post: 2,
  edit: 7,
  apply: 14,
  offer: 14,
  accept: 18,
  decline: 1,
  answer: 10,
  giveaway: 6,
  swap: 5,
  take: 10,
  approve: 6,
  refuse: 1,
  withdraw: 2,
  cancel: 3,
  confirm: 2,
  'check-in': 3,
  pause: 1,
  reopen: 2,
  close: 1,
  clock: 4,
  race: 4,
};
type Name = keyof typeof weights;
const bag = (Object.keys(weights) as Name[]).flatMap((name) =>
  Array.from({ length: weights[name] }, () => name),
);
/** The code of an error, or null. */
type Answer = string | null;

/**
 * Drives a week of shifts by random commands; after each, the rules of `series-rules.ts` must hold.
 * @throws BrokenRuleError with the commands so far
 */
export async function runSeries(
  stage: Stage,
  cast: Cast,
  { seed, commands, tally }: { seed: number; commands: number; tally: Tally },
): Promise<void> {
  const run = new Run(stage, cast, seed);
  await run.start();
  const log: string[] = [];
  for (let no = 0; no < commands; no += 1) {
    const { name, answer, broken } = await run.step();
    log.push(`${name}: ${answer}`);
    count(tally.commands, name);
    count(tally.answers, answer);
    if (broken) throw new BrokenRuleError(`seed ${seed}, ${broken}\n  after ${log.join('\n  ')}`);
  }
  const overdue = await run.passDeadlines();
  if (overdue) throw new BrokenRuleError(`seed ${seed}, ${overdue}\n  after ${log.join('\n  ')}`);
  for (const { status, change, funding } of run.picture.works) {
    tally.states.add(status);
    tally.states.add(funding);
    if (change) tally.states.add('open change');
  }
  const blockIds = new Set(run.picture.jobs.flatMap(({ id, asBlock }) => (asBlock ? [id] : [])));
  if (run.picture.works.some(({ jobId }) => blockIds.has(jobId))) tally.states.add('block');
  for (const { status, swapEngagementId } of run.picture.giveaways)
    tally.states.add(`${swapEngagementId ? 'swap' : 'giveaway'} ${status}`);
  tally.runs += 1;
}

class Run {
  picture: Picture = {
    jobs: [],
    works: [],
    offers: [],
    giveaways: [],
    applications: [],
    balanceMinor: 0,
    heldMinor: 0,
    earnedMinor: 0,
  };
  #stage: Stage;
  #cast: Cast;
  #chance: ReturnType<typeof createChance>;
  #notices = new Set<string>();

  constructor(stage: Stage, cast: Cast, seed: number) {
    this.#stage = stage;
    this.#cast = cast;
    this.#chance = createChance(seed);
  }

  /** Reads what the stage made: a shift that all workers did together, and two booked ones. */
  async start(): Promise<void> {
    const { businessId, workerIds } = this.#cast;
    this.picture = await readPicture(this.#stage.pool, businessId, workerIds);
    await this.#newNotices();
  }

  async step(): Promise<{ name: string; answer: string; broken: string | null }> {
    const { pool, clock } = this.#stage;
    clock.set(iso(this.#now + 1_000));
    const before = this.picture;
    const startedAt = this.#now;
    let name = this.picture.jobs.length === 3 ? 'post' : this.#chance.pick(bag);
    let answer = (await this.#do(name)) ?? 'done';
    for (let tries = 1; answer === 'nothing to do' && tries < 10; tries += 1) {
      name = this.#chance.pick(bag);
      answer = (await this.#do(name)) ?? 'done';
    }
    this.picture = await readPicture(pool, this.#cast.businessId, this.#cast.workerIds);
    const notices = await this.#newNotices();
    let broken: string | null = null;
    try {
      // In a race two people may fill and free a spot at the same moment.
      const freedBlocks = name === 'race' ? [] : leftBlocks(before, this.picture);
      const [rule] = [
        ...brokenRules(this.picture, this.#cast.fundedMinor),
        ...partialBlocks(before, this.picture, startedAt),
        ...freedBlocks,
      ];
      if (rule) throw new BrokenRuleError(rule);
      if (/^(5\d\d|internal)/.test(answer)) throw new BrokenRuleError(`the server failed: ${answer}`);
      if (name !== 'race')
        requireNotices(owedNotices(before, this.picture, name, this.#cast.ownerId), notices);
      if (name === 'edit' || name === 'post') this.#requireLocalHours(before);
    } catch (error) {
      if (!(error instanceof BrokenRuleError)) throw error;
      broken = error.message;
    }
    return { name, answer, broken };
  }

  /** Lets the last deadline for planned pay pass. Returns a broken rule. */
  async passDeadlines(): Promise<string | null> {
    const deadlines = this.picture.works.flatMap(({ terms }) =>
      terms.plannedFunding ? [Date.parse(terms.plannedFunding.by)] : [],
    );
    this.#stage.clock.set(iso(Math.max(this.#now, ...deadlines) + 1_000));
    await this.#stage.runTimers();
    const picture = await readPicture(this.#stage.pool, this.#cast.businessId, this.#cast.workerIds);
    const [rule] = [...brokenRules(picture, this.#cast.fundedMinor), ...overdueFunding(picture, this.#now)];
    return rule ?? null;
  }

  get #now(): number {
    return this.#stage.clock.now().getTime();
  }

  async #newNotices(): Promise<Notice[]> {
    const { rows } = await this.#stage.pool.query<Notice & { id: string }>(
      `select id, account_id as "accountId", topic, path from notifications where account_id = any($1) order by id`,
      [[this.#cast.ownerId, ...this.#cast.workerIds]],
    );
    const fresh = rows.filter(({ id }) => !this.#notices.has(id));
    for (const { id } of fresh) this.#notices.add(id);
    return fresh;
  }

  /** Shifts that are posted or moved together start and end at the same local time, over a change of clocks too. */
  #requireLocalHours(before: Picture): void {
    const earlier = new Map(before.jobs.map(({ id, startsAt, endsAt }) => [id, `${startsAt} ${endsAt}`]));
    const moved = this.picture.jobs.filter(
      ({ id, startsAt, endsAt }) => earlier.get(id) !== `${startsAt} ${endsAt}`,
    );
    const hours = moved.map(({ startsAt, endsAt }) => `${local.format(startsAt)} to ${local.format(endsAt)}`);
    if (new Set(hours).size > 1) throw new BrokenRuleError(`local hours differ: ${hours.join(', ')}`);
  }

  async #do(name: Name): Promise<Answer> {
    switch (name) {
      case 'post':
        return this.#post();
      case 'edit':
        return this.#edit();
      case 'apply':
        return this.#apply();
      case 'offer':
        return this.#offer();
      case 'accept':
      case 'decline': {
        const offer = this.#pick(this.picture.offers);
        if (!offer) return 'nothing to do';
        const siblings = this.picture.offers.filter(
          ({ workerId, id, jobId }) =>
            workerId === offer.workerId && id !== offer.id && this.#isSameSeries(jobId, offer.jobId),
        );
        const alsoFor =
          this.#chance.below(2) === 0 ? [] : siblings.map(({ id, version }) => ({ offerId: id, version }));
        return this.#send(offer.workerId, 'POST', `/offers/${offer.id}/${name}`, {
          version: offer.version,
          alsoFor,
        });
      }
      case 'answer': {
        const work = this.#pick(this.picture.works.filter(({ change }) => change));
        if (!work?.change) return 'nothing to do';
        const answer = this.#chance.pick(['accept', 'accept', 'decline', 'leave']);
        const body = { changeId: work.change.id, answer, together: this.#chance.below(2) === 0 };
        return this.#send(work.workerId, 'POST', `/engagements/${work.id}/change`, body);
      }
      case 'giveaway': {
        const work = this.#pickBooked();
        const audience = this.#chance.pick(['colleagues', 'colleagues', 'waitlist']);
        if (!work) return 'nothing to do';
        return this.#send(work.workerId, 'POST', `/engagements/${work.id}/giveaway`, { audience });
      }
      case 'swap': {
        const booked = this.picture.works.filter(isBooked);
        const hasApplied = (work: Work, other: Work) =>
          this.picture.applications.some(
            ({ workerId, jobId }) => workerId === work.workerId && jobId === other.jobId,
          );
        const pairs = booked.flatMap((work) =>
          booked
            .filter((other) => other.workerId !== work.workerId)
            .filter((other) => !hasApplied(work, other) && !hasApplied(other, work))
            .map((other) => ({ work, other })),
        );
        const pair = this.#pick(pairs);
        if (!pair) return 'nothing to do';
        const { work, other } = pair;
        const swap = { audience: 'colleague', colleagueId: other.workerId, swapEngagementId: other.id };
        return this.#send(work.workerId, 'POST', `/engagements/${work.id}/giveaway`, swap);
      }
      case 'take':
      case 'approve':
      case 'refuse':
      case 'withdraw': {
        const live = this.picture.giveaways.filter(({ status }) => status === 'open' || status === 'waiting');
        const giveaway = this.#pick(live);
        if (!giveaway) return 'nothing to do';
        const { id, version, workerId, takerId, colleagueId } = giveaway;
        const takers = this.#cast.workerIds.filter((id) => id !== workerId);
        let person = this.#cast.ownerId;
        if (name === 'take') person = colleagueId ?? this.#chance.pick(takers);
        if (name === 'withdraw')
          person = this.#pick([workerId, takerId].filter((id) => id !== null)) ?? workerId;
        return this.#send(person, 'POST', `/giveaways/${id}/${name}`, { version });
      }
      case 'cancel': {
        const work = this.#pickBooked();
        const person = this.#chance.below(2) === 0 ? work?.workerId : this.#cast.ownerId;
        if (!work || !person) return 'nothing to do';
        const body = { version: work.version, reason: 'It rains.' };
        return this.#send(person, 'POST', `/engagements/${work.id}/cancel`, body);
      }
      case 'confirm': {
        const work = this.#pickBooked();
        if (!work) return 'nothing to do';
        return this.#send(work.workerId, 'POST', `/engagements/${work.id}/confirm`, {
          version: work.version,
        });
      }
      case 'check-in': {
        const work = this.#pick(
          this.picture.works.filter(isBooked).filter(({ startsAt }) => startsAt - this.#now < 2 * dayMs),
        );
        if (!work) return 'nothing to do';
        const until = Math.max(this.#now, work.startsAt - hourMs / 2);
        this.#stage.clock.set(iso(until));
        const { lat, lng } = work.terms.place;
        const body = {
          at: iso(until),
          sentAt: iso(until),
          position: { lat, lng, accuracyM: 10 },
          code: null,
        };
        return this.#send(work.workerId, 'POST', `/engagements/${work.id}/check-in`, body);
      }
      case 'pause':
      case 'reopen':
      case 'close': {
        const status = name === 'reopen' ? 'paused' : 'open';
        const job = this.#pick(this.picture.jobs.filter((job) => job.status === status));
        if (!job) return 'nothing to do';
        return this.#send(this.#cast.ownerId, 'POST', `/jobs/${job.id}/${name}`, {
          following: this.#chance.below(2) === 0,
        });
      }
      case 'clock':
        return this.#wait();
      case 'race':
        return this.#race();
    }
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : this.#chance.pick(items);
  }

  #pickBooked(): Work | undefined {
    return this.#pick(this.picture.works.filter(isBooked));
  }

  #isSameSeries(jobId: string, otherId: string): boolean {
    const seriesOf = (id: string) => this.picture.jobs.find((job) => job.id === id)?.seriesId;
    return typeof seriesOf(jobId) === 'string' && seriesOf(jobId) === seriesOf(otherId);
  }

  async #send(...request: Parameters<Send>): Promise<Answer> {
    return (await this.#stage.send(...request)).code;
  }

  async #post(): Promise<Answer> {
    if (this.picture.jobs.length > 11) return 'nothing to do';
    const [hours, length] = this.#chance.pick([
      [8, 8],
      [12, 8],
      [20, 8],
    ]);
    const first =
      Math.floor(this.#now / dayMs) * dayMs + (2 + this.#chance.below(2)) * dayMs + (hours ?? 8) * hourMs;
    const jobId = await this.#cast.makeDraft({
      startsAt: iso(first),
      endsAt: iso(first + (length ?? 8) * hourMs),
      payMinor: 1_700 + this.#chance.below(300),
      headCount: 1 + this.#chance.below(2),
    });
    const alsoOn = [1, 4, 11].slice(this.#chance.below(2)).map((days) => dayOf(first + days * dayMs));
    const asBlock = this.#chance.below(2) === 0;
    return this.#send(this.#cast.ownerId, 'POST', `/jobs/${jobId}/publish`, { alsoOn, asBlock });
  }

  async #edit(by = this.#cast.ownerId): Promise<Answer> {
    const job = this.#pick(this.picture.jobs);
    if (!job) return 'nothing to do';
    const shift = this.#chance.pick([-24, -1, 1, 2, 24]) * hourMs;
    const changes: Record<string, unknown>[] = [
      { startsAt: iso(job.startsAt + shift), endsAt: iso(job.endsAt + shift) },
      { endsAt: iso(job.endsAt + this.#chance.pick([-1, 1]) * hourMs), startsAt: iso(job.startsAt) },
      { payMinor: job.payMinor + this.#chance.pick([-50, 50, 111]) },
      { headCount: Math.max(1, job.headCount + this.#chance.pick([-1, 1])) },
    ];
    const body: Record<string, unknown> = {
      version: job.version,
      reach: this.#chance.pick(['one', 'later', 'all']),
    };
    Object.assign(
      body,
      this.#chance.pick(changes),
      this.#chance.below(4) === 0 ? this.#chance.pick(changes) : {},
    );
    return this.#send(by, 'PATCH', `/jobs/${job.id}`, body);
  }

  async #apply(): Promise<Answer> {
    const workerId = this.#chance.pick(this.#cast.workerIds);
    const open = this.picture.jobs.filter(({ status }) => status === 'open');
    const job = this.#pick(open);
    if (!job) return 'nothing to do';
    // Mostly a block is applied for whole, and otherwise refused.
    const isWhole = job.asBlock && this.#chance.below(4) > 0;
    const siblings = open.filter(({ id, asBlock }) => {
      if (id === job.id || !this.#isSameSeries(id, job.id)) return false;
      return isWhole ? asBlock : this.#chance.below(2) === 0;
    });
    const body = { alsoFor: siblings.map(({ id }) => id) };
    const answer = await this.#send(workerId, 'POST', `/jobs/${job.id}/applications`, body);
    return answer === null ? null : this.#send(workerId, 'POST', `/jobs/${job.id}/applications`, {});
  }

  async #offer(): Promise<Answer> {
    const waiting = this.picture.applications.filter(({ status }) =>
      ['submitted', 'viewed'].includes(status),
    );
    const application = this.#pick(waiting);
    if (!application) return 'nothing to do';
    const siblings = waiting.filter(
      ({ id, workerId, jobId }) =>
        workerId === application.workerId &&
        id !== application.id &&
        this.#isSameSeries(jobId, application.jobId),
    );
    const alsoFor = this.#chance.below(2) === 0 ? [] : siblings.map(({ id }) => id);
    const url = `/applications/${application.id}/offers`;
    const answer = await this.#send(this.#cast.ownerId, 'POST', url, { alsoFor });
    return answer === null ? null : this.#send(this.#cast.ownerId, 'POST', url, {});
  }

  /** Moves the clock by some hours or to a deadline, sometimes before the timers have run. */
  async #wait(): Promise<Answer> {
    const deadlines = this.picture.works.flatMap(({ startsAt, change, ...work }) =>
      isBooked({ startsAt, change, ...work })
        ? [startsAt - hourMs, ...(change ? [change.answerBy] : [])]
        : [],
    );
    const hours = this.#chance.pick([1, 6, 24, 96, 0]) * hourMs;
    const until = hours === 0 ? (this.#pick(deadlines) ?? this.#now) : this.#now + hours;
    this.#stage.clock.set(iso(Math.max(this.#now, until)));
    if (this.#chance.below(4) === 0) return 'late timers';
    await this.#stage.runTimers();
    return null;
  }

  /** Two people act at the same moment: two managers on one week, one of them and a worker, or two workers. */
  async #race(): Promise<Answer> {
    const rivals: Name[] = [
      'edit',
      'accept',
      'answer',
      'take',
      'approve',
      'cancel',
      'offer',
      'close',
      'giveaway',
    ];
    const answers = await Promise.all([
      this.#chance.below(2) === 0
        ? this.#edit(this.#cast.recruiterId)
        : this.#do(this.#chance.pick(['offer', 'accept'] as const)),
      this.#do(this.#chance.pick(rivals)),
    ]);
    return answers.find((answer) => answer !== null && /^(5\d\d|internal)/.test(answer)) ?? 'race';
  }
}
