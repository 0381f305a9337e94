import { describe, expect, it } from 'vitest';
import { replicaDrill, replicaFaults } from '../experiments/replica/replica-drill.ts';

// It starts two databases and a server.
describe('replica', { timeout: 300_000 }, () => {
  it('shows all users their own writes while it lags, disconnects, returns and is promoted', async () => {
    const drill = await replicaDrill({ partMs: 2_500, lagMs: 2_000 });
    expect(replicaFaults(drill)).toEqual([]);
    expect(drill.forgetful.stale).toBeGreaterThan(0);
  });
});
