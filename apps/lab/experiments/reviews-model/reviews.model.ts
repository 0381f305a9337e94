import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import type { Side } from '@nearhand/contract/sides';

/** `shown` stays true after a removal. */
export type ModelReview = {
  state: 'open' | 'submitted' | 'published' | 'expired' | 'removed';
  stars: number | null;
  body: string;
  reply: string | null;
  version: number;
  shown: boolean;
};
export type ModelWork = { worker: number; closesAt: number; reviews: Record<Side, ModelReview> };

export const modelBreaks = ['publish-alone', 'removed-counts', 'late-edit', 'forgotten-reply'] as const;

export type Words = { stars: number; body: string; fault: 'contact-details' | 'wrong-tag' | null };

const fresh = (): ModelReview => ({
  state: 'open',
  stars: null,
  body: '',
  reply: null,
  version: 1,
  shown: false,
});

/** product.md, States: Review, as a model. A result is an error code, or `ok`. */
export class ReviewsModel {
  now: number;
  readonly works: ModelWork[];
  readonly names: string[];
  readonly #broken: string | undefined;

  constructor(
    start: { now: number; closesAt: number; workers: readonly number[]; names: readonly string[] },
    broken?: string,
  ) {
    this.now = start.now;
    this.names = [...start.names];
    this.#broken = broken;
    this.works = start.workers.map((worker) => ({
      worker,
      closesAt: start.closesAt,
      reviews: { worker: fresh(), business: fresh() },
    }));
  }

  write(at: number, side: Side, { stars, body, fault }: Words): string {
    const work = this.#work(at);
    const own = work.reviews[side];
    if (own.stars !== null) return 'review/already-written';
    if (own.state !== 'open' || work.closesAt <= this.now) return 'review/closed';
    if (fault) return `review/${fault}`;
    this.#move(own, 'submitted');
    Object.assign(own, { stars, body });
    this.#publishBoth(work);
    return 'ok';
  }

  edit(at: number, of: Side, by: Side, words: Words & { version: number }): string {
    const work = this.#work(at);
    const row = work.reviews[of];
    if (of !== by || row.stars === null) return 'review/not-found';
    if (row.state === 'removed') return 'review/removed';
    const late = work.closesAt <= this.now && this.#broken !== 'late-edit';
    if (row.state !== 'submitted' || late) return 'review/published';
    if (row.version !== words.version) return 'review/stale';
    if (words.fault) return `review/${words.fault}`;
    this.#move(row, 'submitted');
    Object.assign(row, { stars: words.stars, body: words.body });
    return 'ok';
  }

  reply(at: number, of: Side, by: Side, { body, fault }: Words): string {
    const row = this.#work(at).reviews[of];
    if (row.state !== 'published' || of === by) return 'review/not-found';
    if (row.reply !== null) return 'review/already-replied';
    if (fault === 'contact-details') return 'review/contact-details';
    this.#move(row, 'published');
    row.reply = body;
    return 'ok';
  }

  /** A report changes nothing about the review. */
  report(at: number, of: Side, by: Side | 'stranger'): string {
    if (this.#work(at).reviews[of].state !== 'published') return 'review/not-found';
    if (of === by) return 'report/own';
    return of === 'business' && by === 'stranger' ? 'review/not-found' : 'ok';
  }

  remove(at: number, of: Side): string {
    const row = this.#work(at).reviews[of];
    if (row.stars === null) return 'review/not-found';
    if (row.state !== 'removed') this.#move(row, 'removed');
    return 'ok';
  }

  restore(at: number, of: Side): string {
    const work = this.#work(at);
    const row = work.reviews[of];
    if (row.state !== 'removed') return 'ok';
    this.#move(row, row.shown ? 'published' : 'submitted');
    if (!row.shown && work.closesAt <= this.now) this.#show(row);
    this.#publishBoth(work);
    return 'ok';
  }

  runTimers(): void {
    for (const at of this.works.keys()) this.runTimer(at);
  }

  runTimer(at: number): void {
    const { reviews, closesAt } = this.#work(at);
    if (closesAt > this.now) return;
    for (const row of [reviews.business, reviews.worker]) {
      if (row.state === 'submitted') this.#show(row);
      if (row.state === 'open') this.#move(row, 'expired');
    }
  }

  left(worker: number): boolean {
    return this.names[worker] === formerMemberName;
  }

  leave(worker: number): void {
    const name = this.names[worker] as string;
    if (this.left(worker)) return;
    this.names[worker] = formerMemberName;
    const without = (text: string) => text.replaceAll(name, formerMemberName);
    for (const { reviews, worker: of } of this.works) {
      if (of !== worker) continue;
      for (const row of Object.values(reviews)) {
        row.body = without(row.body);
        if (row.reply !== null && this.#broken !== 'forgotten-reply') row.reply = without(row.reply);
      }
    }
  }

  counts(of: 'business' | number): number[] {
    const counted = this.works
      .filter(({ worker }) => of === 'business' || worker === of)
      .map(({ reviews }) => (of === 'business' ? reviews.worker : reviews.business))
      .filter(
        ({ state, shown }) =>
          state === 'published' || (this.#broken === 'removed-counts' && shown && state === 'removed'),
      );
    return [1, 2, 3, 4, 5].map((stars) => counted.filter((row) => row.stars === stars).length);
  }

  #publishBoth({ reviews }: ModelWork): void {
    const pair = [reviews.business, reviews.worker];
    const ready = (row: ModelReview) => row.state === 'submitted';
    if (this.#broken === 'publish-alone' ? pair.some(ready) : pair.every(ready))
      for (const row of pair.filter(ready)) this.#show(row);
  }

  #show(row: ModelReview): void {
    this.#move(row, 'published');
    row.shown = true;
  }

  #move(row: ModelReview, to: ModelReview['state']): void {
    row.state = to;
    row.version += 1;
  }

  #work(at: number): ModelWork {
    const work = this.works[at];
    if (!work) throw new Error(`no work ${at}`);
    return work;
  }
}
