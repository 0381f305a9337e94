import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { enqueue } from '../tasks/tasks.ts';
import { purgeIdempotencyKeysTask } from './idempotency.tasks.ts';

const app = useTestApp();

describe('platform.forget-idempotency-keys', () => {
  it('deletes responses older than 30 days and keeps the rest', async () => {
    const leila = await app.person();
    const readAll = (key: string) =>
      app.apiAs(leila.token, { 'idempotency-key': key }).notifications.read({ ids: 'all' });
    await readAll('an-old-answer');
    await app.db
      .updateTable('idempotency_keys')
      .set({ createdAt: subtractMs(app.clock.now(), 31 * dayMs) })
      .execute();
    await readAll('a-young-answer');
    await app.db.transaction().execute((tx) => enqueue(tx, purgeIdempotencyKeysTask, {}));
    await app.runDue();
    const { rows } = await app.pool.query('select key from idempotency_keys');
    expect(rows).toEqual([{ key: 'a-young-answer' }]);
  });
});
