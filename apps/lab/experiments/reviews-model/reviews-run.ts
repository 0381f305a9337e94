import { removeAccount } from '@nearhand/api/src/people/account-deletion/account-deletion.ts';
import { AppError } from '@nearhand/api/src/platform/app-error.ts';
import type { Tx } from '@nearhand/api/src/platform/db.ts';
import type { Scope } from '@nearhand/api/src/platform/http/scope.ts';
import { runDueTasks } from '@nearhand/api/src/platform/tasks/due-tasks.ts';
import { createReport } from '@nearhand/api/src/trust/reports/reports.ts';
import { reviewsOfBusiness } from '@nearhand/api/src/trust/reviews/review-lists.ts';
import { removeReview, restoreReview } from '@nearhand/api/src/trust/reviews/review-removal.ts';
import {
  editReview,
  publishReviews,
  replyToReview,
  reviewsOfEngagement,
  reviewsTasks,
  writeReview,
} from '@nearhand/api/src/trust/reviews/reviews.ts';
import { dayMs, hourMs } from '@nearhand/contract/durations';
import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import { otherSide, type Side } from '@nearhand/contract/sides';
import { createChance } from '../ledger-model/random-entries.ts';
import { type ModelReview, ReviewsModel, type Words } from './reviews.model.ts';
import { type Cast, names, type Stage, scheduleDeletion, startOfTime, startOver } from './reviews-stage.ts';

export class DivergenceError extends Error {}

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
  states: new Set<string>(),
});
const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

/** The result of a call by a removed account, which is not sent. */
const formerMember = 'former member';

type Chance = ReturnType<typeof createChance>;
const sides: readonly Side[] = ['worker', 'business'];

const weights = {
  write: 9,
  edit: 6,
  both: 3,
  wait: 5,
  reply: 6,
  report: 4,
  remove: 3,
  restore: 3,
  again: 2,
  leave: 2,
};
const bag = (Object.keys(weights) as (keyof typeof weights)[]).flatMap((name) =>
  Array.from({ length: weights[name] }, () => name),
);

export async function runReviews(
  stage: Stage,
  cast: Cast,
  options: { seed: number; commands: number; tally: Tally; broken?: string },
): Promise<void> {
  const { tally, seed, commands } = options;
  await startOver(stage, cast);
  const closesAt = startOfTime + stage.taskScope.config.REVIEW_DAYS * dayMs;
  const workers = cast.works.map(({ workerId }) => cast.workers.indexOf(workerId));
  const model = new ReviewsModel({ now: startOfTime, closesAt, workers, names }, options.broken);
  const run = new Run(stage, cast, model, createChance(seed));
  for (let no = 1; no <= commands; no += 1) {
    const { name, answer } = await run.step();
    count(tally.commands, name);
    count(tally.answers, answer);
    await run.compare(`command ${no}, ${name}`);
    for (const { reviews } of model.works)
      for (const { state } of Object.values(reviews)) tally.states.add(state);
  }
  tally.runs += 1;
}

class Run {
  #stage: Stage;
  #cast: Cast;
  #model: ReviewsModel;
  #chance: Chance;

  constructor(stage: Stage, cast: Cast, model: ReviewsModel, chance: Chance) {
    this.#stage = stage;
    this.#cast = cast;
    this.#model = model;
    this.#chance = chance;
  }

  async step(): Promise<{ name: string; answer: string }> {
    const name = this.#chance.pick(bag);
    return { name, answer: (await this[`_${name}`]()) ?? 'ok' };
  }

  async _write(): Promise<string> {
    const { at, side, words } = this.#draw();
    if (this.#hasLeft(at, side)) return formerMember;
    return this.#same(
      [this.#model.write(at, side, words)],
      [
        this.#call(this.#who(at, side), (tx, scope) =>
          writeReview(tx, scope, { engagementId: this.#work(at), ...sent(words, side) }),
        ),
      ],
    );
  }

  /** Both sides write while the timer runs. Before the deadline it publishes nothing; after it nobody can write. */
  async _both(): Promise<string> {
    const { at, words } = this.#draw();
    if (this.#hasLeft(at, 'worker')) return formerMember;
    const second = { ...words, body: 'Fine.', fault: null };
    const expected = [this.#model.write(at, 'worker', words), this.#model.write(at, 'business', second)];
    const write = (side: Side, of: Words) =>
      this.#call(this.#who(at, side), (tx, scope) =>
        writeReview(tx, scope, { engagementId: this.#work(at), ...sent(of, side) }),
      );
    const timer = publishReviews(this.#stage.taskScope, this.#work(at)).then(
      () => null,
      (error: unknown) => new DivergenceError(`the timer failed: ${textOfError(error)}`),
    );
    const answer = await this.#same(expected, [write('worker', words), write('business', second)]);
    const failed = await timer;
    if (failed) throw failed;
    this.#model.runTimer(at);
    return answer;
  }

  async _edit(): Promise<string> {
    const { at, side, words } = this.#draw('submitted');
    if (this.#hasLeft(at, side)) return formerMember;
    const of = this.#chance.below(8) === 0 ? otherSide(side) : side;
    const { version } = this.#model.works[at]?.reviews[of] ?? { version: 1 };
    const sentVersion = version - (this.#chance.below(6) === 0 ? 1 : 0);
    const reviewId = await this.#idOf(at, of);
    return this.#same(
      [this.#model.edit(at, of, side, { ...words, version: sentVersion })],
      [
        this.#call(this.#who(at, side), (tx, scope) =>
          editReview(tx, scope, { reviewId, version: sentVersion, ...sent(words, of) }),
        ),
      ],
    );
  }

  async _reply(): Promise<string> {
    const { at, side: subjectSide, words } = this.#draw('published');
    const of = this.#chance.below(8) === 0 ? otherSide(subjectSide) : subjectSide;
    const side = otherSide(subjectSide);
    if (this.#hasLeft(at, side)) return formerMember;
    const reviewId = await this.#idOf(at, of);
    const body = reviewText(words);
    return this.#same(
      [this.#model.reply(at, of, side, words)],
      [this.#call(this.#who(at, side), (tx, scope) => replyToReview(tx, scope, { reviewId, body }))],
    );
  }

  async _report(): Promise<string> {
    const { at, side: of } = this.#draw('published');
    const by = this.#chance.pick(['worker', 'business', 'stranger'] as const);
    if (by !== 'stranger' && this.#hasLeft(at, by)) return formerMember;
    const subjectId = await this.#idOf(at, of);
    const accountId = by === 'stranger' ? this.#cast.stranger : this.#who(at, by);
    const report = { kind: 'review', subjectId, reason: 'other', note: '', fileIds: [] } as const;
    return this.#same(
      [this.#model.report(at, of, by)],
      [this.#call(accountId, (tx, scope) => createReport(tx, scope, { ...report, fileIds: [] }))],
    );
  }

  async _remove(): Promise<string> {
    const { at, side: of } = this.#draw();
    const reviewId = await this.#idOf(at, of);
    return this.#same(
      [this.#model.remove(at, of)],
      [
        this.#call(this.#cast.operator, (tx, scope) =>
          removeReview(tx, scope, { reviewId, reason: 'It insults.' }),
        ),
      ],
    );
  }

  async _restore(): Promise<string> {
    const { at, side: of } = this.#draw('removed');
    const reviewId = await this.#idOf(at, of);
    return this.#same(
      [this.#model.restore(at, of)],
      [this.#call(this.#cast.operator, (tx, scope) => restoreReview(tx, scope, reviewId))],
    );
  }

  async _wait(): Promise<string> {
    const { now, works } = this.#model;
    const closesAt = works[0]?.closesAt ?? now;
    const until = this.#chance.pick([
      now + hourMs,
      now + hourMs,
      now + dayMs,
      now + 2 * dayMs,
      closesAt - 1,
      closesAt,
    ]);
    this.#model.now = Math.max(now, until);
    this.#stage.setClock(this.#model.now);
    // Timers may be late: the deadline for writing passes before they run.
    if (this.#chance.below(2) === 0) return 'late timers';
    this.#model.runTimers();
    await runDueTasks(this.#stage.pool, reviewsTasks, this.#stage.taskScope);
    return 'ok';
  }

  async _again(): Promise<string> {
    const { at } = this.#draw();
    await publishReviews(this.#stage.taskScope, this.#work(at));
    this.#model.runTimer(at);
    return 'ok';
  }

  async _leave(): Promise<string> {
    const worker = this.#chance.below(names.length);
    const accountId = this.#cast.workers[worker] as string;
    const repeated = this.#model.left(worker);
    this.#model.leave(worker);
    const deletion = await scheduleDeletion(this.#stage, accountId);
    await removeAccount(this.#stage.taskScope, deletion.id);
    const { rows } = await this.#stage.pool.query<{ status: string }>(
      'select status from account_deletions where id = $1',
      [deletion.id],
    );
    if (rows[0]?.status !== 'removed') throw new DivergenceError(`a removal ends as ${rows[0]?.status}`);
    return repeated ? 'removed before' : 'ok';
  }

  async compare(after: string): Promise<void> {
    const { pool, db, scopeOf } = this.#stage;
    const agree = (label: string, got: unknown, expected: unknown) => {
      const have = JSON.stringify(got);
      const want = JSON.stringify(expected);
      if (have !== want)
        throw new DivergenceError(`${label} after ${after}: the services say ${have}, the model ${want}`);
    };
    const { rows } = await pool.query(
      `select engagement_id, author_side, state, stars, body, reply, version,
        published_at is not null as shown, (select count(*)::int from review_moves where review_id = reviews.id) + 1 as moved
       from reviews`,
    );
    for (const [at, { reviews }] of this.#model.works.entries())
      for (const side of sides) {
        const row = rows.find((row) => row.engagement_id === this.#work(at) && row.author_side === side);
        const { state, stars, body, reply, version, shown } = row;
        const { [side]: expected } = reviews;
        agree(
          `the ${side}'s review of work ${at}`,
          { state, stars, body, reply, version, shown },
          {
            state: expected.state,
            stars: expected.stars,
            body: expected.body,
            reply: expected.reply,
            version: expected.version,
            shown: expected.shown,
          },
        );
        agree(`the moves of the ${side}'s review of work ${at}`, row.moved, expected.version);
      }
    const { rows: counted } = await pool.query<{ id: string; review_stars: number[] }>(
      `select id, review_stars from businesses where id = $1
       union all select account_id, review_stars from profiles where account_id = any($2)`,
      [this.#cast.businessId, this.#cast.workers],
    );
    const starsOf = (id: string | undefined) => counted.find((row) => row.id === id)?.review_stars;
    agree('the stars of the business', starsOf(this.#cast.businessId), this.#model.counts('business'));
    for (const [index, id] of this.#cast.workers.entries())
      agree(`the stars of worker ${index}`, starsOf(id), this.#model.counts(index));
    await this.#compareViews(agree, scopeOf, db);
  }

  async #compareViews(
    agree: (label: string, got: unknown, expected: unknown) => void,
    scopeOf: Stage['scopeOf'],
    db: Stage['db'],
  ): Promise<void> {
    const { works } = this.#model;
    const list = { sort: 'newest', limit: 20 } as const;
    const page = await reviewsOfBusiness(db, scopeOf(this.#cast.stranger), {
      businessId: this.#cast.businessId,
      ...list,
    });
    const visible = works.flatMap(({ reviews, worker }) =>
      reviews.worker.state === 'published' ? [`${this.#shownName(worker)}: ${reviews.worker.body}`] : [],
    );
    agree(
      'the page of the business',
      page.items.map(({ author, body }) => `${author}: ${body}`).sort(),
      visible.sort(),
    );
    const at = this.#chance.below(works.length);
    for (const side of sides) {
      const { other } = await reviewsOfEngagement(db, scopeOf(this.#who(at, side)), {
        engagementId: this.#work(at),
      });
      const expected = works[at]?.reviews[otherSide(side)];
      agree(
        `what the ${side} sees of work ${at}`,
        other?.body ?? null,
        expected?.state === 'published' ? expected.body : null,
      );
    }
  }

  #shownName(worker: number): string {
    const name = this.#model.names[worker] as string;
    if (name === formerMemberName) return name;
    const [first = '', last = ''] = name.split(' ');
    return `${first} ${last.charAt(0)}.`;
  }

  /** Prefers work with a review in this state; any if there is none. */
  #draw(state?: ModelReview['state']) {
    const side = this.#chance.pick(sides);
    const { works } = this.#model;
    const fitting = works.flatMap(({ reviews }, at) => (reviews[side].state === state ? [at] : []));
    const any = fitting.length === 0 || this.#chance.below(5) === 0;
    const at = any ? this.#chance.below(works.length) : this.#chance.pick(fitting);
    const worker = this.#model.works[at]?.worker ?? 0;
    const body = this.#chance.pick([
      '',
      'A good day.',
      `${this.#model.names[worker]} was there.`,
      'Never again.',
    ]);
    const fault = this.#chance.pick([null, null, null, null, null, 'contact-details', 'wrong-tag'] as const);
    const words: Words = { stars: 1 + this.#chance.below(5), body: body || 'Fine.', fault };
    return { at, side, words };
  }

  #who(at: number, side: Side): string {
    const { worker } = this.#model.works[at] ?? { worker: 0 };
    return side === 'worker' ? (this.#cast.workers[worker] as string) : this.#cast.owner;
  }

  #hasLeft(at: number, side: Side): boolean {
    return side === 'worker' && this.#model.left(this.#model.works[at]?.worker ?? 0);
  }

  #work = (at: number): string => this.#cast.works[at]?.engagementId ?? '';

  async #idOf(at: number, side: Side): Promise<string> {
    const { rows } = await this.#stage.pool.query<{ id: string }>(
      'select id from reviews where engagement_id = $1 and author_side = $2',
      [this.#work(at), side],
    );
    return rows[0]?.id ?? '';
  }

  async #call(accountId: string, work: (tx: Tx, scope: Scope) => Promise<unknown>): Promise<string> {
    const { db, scopeOf } = this.#stage;
    try {
      await db.transaction().execute((tx) => work(tx, scopeOf(accountId)));
      return 'ok';
    } catch (error) {
      if (error instanceof AppError) return error.code;
      throw new DivergenceError(`a call failed: ${textOfError(error)}`);
    }
  }

  async #same(expected: readonly string[], calls: readonly Promise<string>[]): Promise<string> {
    const results = await Promise.allSettled(calls);
    const got = results.map((result) => {
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    });
    if (got.join() !== expected.join())
      throw new DivergenceError(`the services answer ${got.join()}, the model ${expected.join()}`);
    return got.join();
  }
}

const textOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const reviewText = ({ body, fault }: Words): string =>
  fault === 'contact-details' ? `${body} Call 06 1234 5678.` : body;

const sent = (words: Words, side: Side) => ({
  stars: words.stars,
  body: reviewText(words),
  again: null,
  tags:
    words.fault === 'wrong-tag' ? [side === 'worker' ? ('punctual' as const) : ('safe_place' as const)] : [],
});
