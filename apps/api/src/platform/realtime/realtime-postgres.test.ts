import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { describeTwoProcesses, jobChange } from '../../../test/two-processes.ts';
import { emit } from '../emit.ts';

const app = useTestApp();

describe('two processes over PostgreSQL', () => {
  describeTwoProcesses(app);

  it('resyncs its sockets when the listening connection was lost, and receives again', async () => {
    const leila = await app.person();
    const socket = await app.socket(leila);
    const { rows } = await app.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'nearhand signals' and datname = current_database()`,
    );
    expect(rows.length).toBeGreaterThan(0);
    await socket.received({ kind: 'resync' });
    await app.db.transaction().execute(async (tx) => emit(tx, [`account:${leila.accountId}`], jobChange));
    await socket.received(jobChange);
  });
});
