import fc from 'fast-check';
import { DivergenceError, same, viewOfApplications, viewOfJobs } from './compare.ts';
import { type Command, clockAfter, commandsOf, resolve, type Setting, setting } from './hiring.commands.ts';
import { actionsOf, ask, type Target, targetOf } from './hiring.model.ts';
import {
  type Answer,
  brokenRules,
  type Ids,
  type Person,
  readWorld,
  requestOf,
  type Stage,
  send,
} from './hiring.server.ts';
import { rebookedIndex } from './rebook.model.ts';
import { applicationAt, type Call, day, hour, type Job, type World } from './records.ts';
import { agreeBy } from './spots.model.ts';
import { nextTimer, runTimers } from './timers.model.ts';

export type Tally = {
  runs: number;
  commands: Map<string, number>;
  outcomes: Map<string, number>;
  statuses: Set<string>;
};
export const newTally = (): Tally => ({
  runs: 0,
  commands: new Map(),
  outcomes: new Map(),
  statuses: new Set(),
});
const count = (map: Map<string, number>, name: string) => map.set(name, (map.get(name) ?? 0) + 1);

export type Cast = {
  businesses: { id: string; recruiter: Person }[];
  makeWorker(): Promise<Person>;
  makeJob(business: number, options: Record<string, unknown>): Promise<string>;
};
/** Deliberate faults: a rule of the model, or an operation whose calls never reach the server. */
export type Sabotage = { mistake?: string; swallow?: string };

/** Offered actions that no command takes: being late, and attendance that a business records. */
const notModelled = new Set(['say-late', 'check-in-for', 'check-out-for']);

const startOfTime = Date.parse('2026-11-21T09:00:00Z');
const workers = 4;
const iso = (at: number) => new Date(at).toISOString();

type JobRequest = Partial<Job> & Pick<Job, 'business' | 'kind' | 'payMinor' | 'headCount'>;
const jobInput = ({ firstIn, instantSpots, apart }: Setting): JobRequest[] => {
  const first = startOfTime + firstIn * hour;
  const shift = (from: number, hours: number) => ({
    kind: 'shift' as const,
    startsAt: from,
    endsAt: from + hours * hour,
  });
  return [
    { business: 0, payMinor: 1_750, headCount: 1, breakMinutes: 30, ...shift(first, 8) },
    {
      business: 0,
      payMinor: 1_933,
      headCount: instantSpots,
      instant: true,
      ...shift(first + apart * hour, 5),
    },
    { business: 1, payMinor: 12_001, headCount: 1, kind: 'task', dueAt: Date.parse('2026-12-10T23:00:00Z') },
    { business: 1, payMinor: 2_100, headCount: 2, status: 'draft', ...shift(first + 4 * hour, 6) },
  ];
};

type Last = { call: Call; request: ReturnType<typeof requestOf>; key: string; answer: Answer };

class Run {
  #stage: Stage;
  #cast: Cast;
  #people: Person[] = [];
  #world: World;
  #rows: Awaited<ReturnType<typeof readWorld>>['applications'] = [];
  #last: Last | null = null;
  #sabotage: Sabotage;
  #tally: Tally;

  constructor(stage: Stage, cast: Cast, tally: Tally, sabotage: Sabotage) {
    this.#stage = stage;
    this.#cast = cast;
    this.#tally = tally;
    this.#sabotage = sabotage;
    this.#world = {
      now: startOfTime,
      workers,
      jobs: [],
      applications: [],
      toFill: [],
      actor: -1,
      mistake: sabotage.mistake ?? null,
    };
  }

  async begin(chosen: Setting): Promise<void> {
    this.#stage.setClock(startOfTime);
    await this.#stage.pool.query('delete from graphile_worker._private_jobs');
    // Recruiters are shared: earlier work must neither keep them busy nor make them known.
    const recruiters = this.#cast.businesses.map(({ recruiter }) => recruiter.accountId);
    await this.#stage.pool.query(
      `update engagements set status = 'cancelled_by_worker' where worker_id = any($1) and status not like 'cancelled%'`,
      [recruiters],
    );
    await this.#stage.pool.query(
      `update applications set status = 'withdrawn', waitlisted_at = null, work_ending = null where worker_id = any($1) and status <> 'withdrawn'`,
      [recruiters],
    );
    this.#people = await Promise.all(Array.from({ length: workers }, () => this.#cast.makeWorker()));
    this.#people.push(...this.#cast.businesses.map(({ recruiter }) => recruiter));
    for (const input of jobInput(chosen)) {
      const {
        business,
        kind,
        payMinor,
        headCount,
        instant = false,
        status = 'open',
        breakMinutes = 0,
      } = input;
      const { startsAt = null, endsAt = null, dueAt = null } = input;
      const id = await this.#cast.makeJob(business, {
        kind,
        payMinor,
        headCount,
        breakMinutes,
        instantHire: instant,
        status,
        ...(startsAt === null || endsAt === null ? {} : { startsAt: iso(startsAt), endsAt: iso(endsAt) }),
        ...(dueAt === null ? {} : { dueOn: iso(dueAt).slice(0, 10) }),
      });
      const expiresAt =
        status === 'draft' ? null : Math.min(startOfTime + 30 * day, startsAt ?? dueAt ?? Infinity);
      this.#world.jobs.push({
        id,
        business,
        kind,
        status,
        version: 1,
        headCount,
        hired: 0,
        offered: 0,
        instant,
        payMinor,
        startsAt,
        endsAt,
        breakMinutes,
        dueAt,
        expiresAt,
      });
    }
    await this.#compare('the start');
  }

  async step(command: Command): Promise<void> {
    if (command.do === 'nothing') return;
    if (command.do === 'clock' || command.do === 'moment')
      return this.#wait(clockAfter(this.#world, command), command.do);
    this.#setClock(this.#world.now + 1_000);
    if (command.do === 'again') return this.#again();
    const call = resolve(this.#world, command);
    if (call === null) return void count(this.#tally.commands, 'nothing to do');
    const request = requestOf(call, this.#idsOf(call), this.#world.now);
    const last = { call, request, key: crypto.randomUUID() };
    this.#last = { ...last, answer: await this.#perform(last) };
    if (!command.lag) await this.#runTimers();
    await this.#compare(wordsOf(call));
  }

  async end(): Promise<void> {
    const broken = await brokenRules(
      this.#stage.pool,
      this.#world.jobs.map(({ id }) => id),
    );
    if (broken.length > 0) throw new DivergenceError(`the database breaks a rule: ${broken.join('; ')}`);
  }

  #setClock(at: number): void {
    this.#world.now = at;
    this.#stage.setClock(at);
  }

  async #runTimers(): Promise<void> {
    await this.#stage.runTimers();
    runTimers(this.#world);
  }

  /** Stops at each automatic step of the model, to check that the server takes it too. */
  async #wait(until: number, name: string): Promise<void> {
    count(this.#tally.commands, name);
    for (;;) {
      const next = nextTimer(this.#world);
      const stop = Math.max(this.#world.now, Math.min(next, until));
      this.#setClock(stop);
      await this.#runTimers();
      if (stop >= until) break;
    }
    await this.#compare(`waiting until ${iso(until)}`);
  }

  /** Repeats the last call under its key: a success is replayed, a refusal retried. */
  async #again(): Promise<void> {
    const last = this.#last;
    if (!last) return void count(this.#tally.commands, 'nothing to do');
    count(this.#tally.commands, 'again');
    const words = `again: ${wordsOf(last.call)}`;
    if (last.answer.status >= 300) last.answer = await this.#perform(last);
    else if (this.#sabotage.swallow !== last.call.op) {
      const answer = await this.#send(last);
      if (JSON.stringify(answer.body) !== JSON.stringify(last.answer.body))
        throw new DivergenceError(`${words}: the answer differs from the first`);
    }
    await this.#compare(words);
  }

  #send({ call, request, key }: Omit<Last, 'answer'>): Promise<Answer> {
    const person = this.#people[call.who] as Person;
    return send(this.#stage, person, request, key);
  }

  async #perform(last: Omit<Last, 'answer'>): Promise<Answer> {
    const { call } = last;
    const { outcome, after } = ask(this.#world, call);
    const swallowed = this.#sabotage.swallow === call.op && outcome.ok;
    const answer = swallowed ? { status: 200, body: {} } : await this.#send(last);
    count(this.#tally.commands, call.op);
    count(this.#tally.outcomes, outcome.ok ? (outcome.repeat ? 'repeat' : 'done') : outcome.code);
    const expected = outcome.ok ? 'done' : outcome.code;
    const got = answer.status < 300 ? 'done' : String(answer.body.code ?? answer.status);
    if (got !== expected)
      throw new DivergenceError(
        `${wordsOf(call)}: the model says ${expected}, the server ${got} ${JSON.stringify(answer.body).slice(0, 300)}`,
      );
    if (!outcome.ok || swallowed) {
      this.#world = after;
      return answer;
    }
    this.#world = after;
    if (call.op === 'apply')
      (this.#world.applications.at(-1) as World['applications'][number]).id = answer.body.id;
    if (call.op === 'rebook') {
      const application = this.#world.applications[rebookedIndex(this.#world, call)];
      if (application) application.id ||= answer.body.applicationId;
    }
    if (call.op === 'bulk') {
      const codes = answer.body.results.map(({ code }: { code: string | null }) => code);
      same(wordsOf(call), outcome.answer, codes);
    } else this.#compareActions(call, answer);
    return answer;
  }

  #compareActions(call: Call, { body }: Answer): void {
    const target = (
      {
        apply: 'application',
        'propose-interview': 'interview',
        offer: 'offer',
        rebook: 'offer',
        dispute: 'engagement',
      } as Record<string, Target>
    )[call.op];
    const subject = target ?? targetOf(call.op);
    let { application } = call;
    if (call.op === 'apply') application = this.#world.applications.length - 1;
    if (call.op === 'rebook') application = rebookedIndex(this.#world, call);
    const place = { ...call, ...(application === undefined ? {} : { application }) };
    this.#compareOffered(subject === 'dispute' ? 'engagement' : subject, place, body.actions);
    if (body.dispute) this.#compareOffered('dispute', place, body.dispute.actions);
  }

  #compareOffered(target: Target, place: Call, offered: string[]): void {
    const world = this.#world;
    const application = place.application === undefined ? null : applicationAt(world, place);
    const interview = place.interview ?? (application ? application.interviews.length - 1 : 0);
    const version = {
      job: world.jobs[place.job ?? 0]?.version,
      application: application?.version,
      interview: application?.interviews[interview]?.version,
      offer: application?.offer?.version,
      engagement: application?.work?.version,
      dispute: application?.work?.dispute?.version,
      business: undefined,
    }[target];
    if (version === undefined) return;
    const jobActions = target === 'job' ? ['edit', 'publish', 'pause', 'reopen', 'close', 'archive'] : null;
    const expected = actionsOf(world, target, { ...place, interview, version });
    const got = offered
      .filter((action) => (jobActions === null || jobActions.includes(action)) && !notModelled.has(action))
      .sort();
    // The server lists these actions without checking whether the work has started, so they may be there or not.
    const tried = target === 'job' ? ['publish', 'reopen'] : isBegun(world, place) ? ['offer'] : [];
    const listed = expected.concat(got.filter((name) => tried.includes(name)));
    same(`actions of the ${target} after ${wordsOf(place)}`, [...new Set(listed)].sort(), got);
  }

  #idsOf(call: Call): Ids {
    const row = this.#rows[call.application ?? -1];
    const jobId = this.#world.jobs[call.job ?? -1]?.id;
    const slotId = row?.slotIds[call.interview ?? -1]?.[(call.input.slot as number | undefined) ?? -1];
    return JSON.parse(
      JSON.stringify({
        jobId,
        businessId: this.#cast.businesses[call.business ?? -1]?.id,

        applicationId: row?.id,
        offerId: row?.offerId,
        engagementId: row?.engagementId,
        disputeId: row?.disputeId,
        interviewId: row?.interviewIds[call.interview ?? -1],
        slotId: slotId ?? row?.id,
        workerId: this.#people[call.input.worker as number]?.accountId,
        applicationIds: ((call.input.applications ?? []) as number[]).map((at) => this.#rows[at]?.id),
      }),
    );
  }

  async #compare(after: string): Promise<void> {
    const world = await readWorld(
      this.#stage.pool,
      this.#world.jobs.map(({ id }) => id),
    );
    this.#rows = world.applications;
    same(`jobs after ${after}`, viewOfJobs(this.#world), world.jobs);
    const rows = world.applications.map((row) => row.seen);
    same(`applications after ${after}`, viewOfApplications(this.#world), rows);
    for (const { status, work } of this.#world.applications) {
      this.#tally.statuses.add(status);
      if (work) this.#tally.statuses.add(work.status);
    }
  }
}

const isBegun = (world: World, place: Call): boolean => {
  const job = world.jobs[world.applications[place.application ?? -1]?.job ?? place.job ?? 0];
  return job !== undefined && agreeBy(job) <= world.now;
};

const wordsOf = ({ op, who, input, ...place }: Call) =>
  `${op} by ${who < workers ? `worker ${who}` : `recruiter ${who - workers}`} ${JSON.stringify({ ...place, ...input })}`;

/**
 * Drives random worlds through server and model.
 * @param options `seed` and `path` replay a failed run
 * @returns null, or the divergence with what replays it
 */
export async function driveHiring(
  stage: Stage,
  cast: Cast,
  options: {
    runs: number;
    commands: number;
    seed: number;
    path?: string;
    sabotage?: Sabotage;
    tally: Tally;
    shrinks?: number;
  },
): Promise<{ message: string; seed: number; path: string; runs: number } | null> {
  const { runs, commands, seed, path, sabotage = {}, tally, shrinks = 300 } = options;
  let failed = false;
  let left = shrinks;
  const property = fc.asyncProperty(setting, commandsOf(commands), async (chosen, list) => {
    if (failed) left -= 1;
    if (left < 0) return;
    const run = new Run(stage, cast, tally, sabotage);
    if (!failed) tally.runs += 1;
    await run.begin(chosen);
    try {
      for (const command of list) await run.step(command);
      await run.end();
    } catch (error) {
      failed = true;
      throw error;
    }
  });
  const details = await fc.check(property, {
    numRuns: runs,
    seed,
    endOnFailure: shrinks === 0,
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return null;
  const [chosen, list] = details.counterexample ?? [];
  const effective = (list ?? []).filter((command) => command.do !== 'nothing');
  const error =
    details.errorInstance instanceof Error ? details.errorInstance : new Error(String(details.errorInstance));
  return {
    message: `${error instanceof DivergenceError ? error.message : error.stack}\n  in a world of ${JSON.stringify(chosen)} after ${effective.length} commands`,
    seed: details.seed,
    path: details.counterexamplePath ?? '',
    runs: details.numRuns,
  };
}
