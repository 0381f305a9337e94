import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import { defineTask } from '../tasks/tasks.ts';

/** Longer than any task is retried, automatically or by an operator. */
const keptDays = 90;

/** Deletes in batches that hold short locks. */
export const purgeMailHandoversTask = defineTask({
  name: 'platform.forget-mail-handovers',
  payload: z.object({}),
  daily: true,
  async run({ db, clock }) {
    const before = subtractMs(clock.now(), keptDays * dayMs);
    for (;;) {
      const old = db.selectFrom('mail_handovers').select('key').where('lastAt', '<', before).limit(5_000);
      const deleted = await db.deleteFrom('mail_handovers').where('key', 'in', old).executeTakeFirst();
      if (deleted.numDeletedRows < 5_000n) return;
    }
  },
});
