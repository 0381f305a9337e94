import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import { defineTask } from '../tasks/tasks.ts';

const idempotencyKeyDays = 30;

/** Deletes responses after 30 days (product.md, Constants), in batches that hold short locks. */
export const purgeIdempotencyKeysTask = defineTask({
  name: 'platform.forget-idempotency-keys',
  payload: z.object({}),
  daily: true,
  async run({ db, clock }) {
    const before = subtractMs(clock.now(), idempotencyKeyDays * dayMs);
    for (;;) {
      const deleted = await db
        .deleteFrom('idempotency_keys')
        .using(
          db
            .selectFrom('idempotency_keys')
            .select(['accountId', 'key'])
            .where('createdAt', '<', before)
            .limit(5_000)
            .as('old'),
        )
        .whereRef('idempotency_keys.accountId', '=', 'old.accountId')
        .whereRef('idempotency_keys.key', '=', 'old.key')
        .executeTakeFirst();
      if (deleted.numDeletedRows < 5_000n) return;
    }
  },
});
