import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { Side } from '@nearhand/contract/sides';
import { tagsFor } from '@nearhand/contract/trust/reviews.rules';
import { writeReview } from '../trust/reviews/reviews.service.ts';
import type { Hired } from './seed-work.ts';
import type { Chance } from './town/chance.ts';
import type { Town } from './town/town.ts';
import { townTables } from './town/town-tables.ts';

/** How many of a hundred write. Where only one side did, the review is published when the time is over. */
const writes = { worker: 70, business: 60 } as const;
/** Of a hundred reviews, this many have 5 and 4 stars; then come 3 and 2. */
const shares = [
  { upTo: 58, stars: 5, tone: 'good' },
  { upTo: 88, stars: 4, tone: 'good' },
  { upTo: 97, stars: 3, tone: 'fair' },
  { upTo: 100, stars: 2, tone: 'poor' },
] as const;

/** What both sides of a finished shift wrote about each other in the two days after its pay was approved. `chance` is its own, so that the rest of the town stays as it is. */
export async function seedReviews(
  town: Town,
  chance: Chance,
  { engagement, worker, owner }: Hired,
): Promise<void> {
  const endsAt = new Date(engagement.terms.endsAt ?? 0);
  const from = { worker: worker.accountId, business: owner.accountId };
  for (const side of ['worker', 'business'] as const satisfies Side[]) {
    if (!chance.percent(writes[side])) continue;
    const at = new Date(endsAt.getTime() + 24 * hourMs + chance.between(0, 40 * 60) * minuteMs);
    await writeReview(town.tx, town.scopeOf(from[side], at), {
      engagementId: engagement.id,
      ...words(chance, side),
    });
  }
}

function words(chance: Chance, side: Side) {
  const roll = chance.between(1, 100);
  const { stars, tone } = shares.find(({ upTo }) => roll <= upTo) ?? shares[0];
  const tags = tone === 'good' ? chance.some(tagsFor(side), chance.between(1, 3)) : [];
  return {
    stars,
    tags,
    body: chance.pick(townTables().reviews[side][tone]),
    again: tone !== 'poor',
  };
}
