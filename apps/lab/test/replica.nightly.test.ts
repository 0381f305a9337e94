import { describe, expect, it } from 'vitest';
import { replicaDrill, replicaFaults } from '../experiments/replica/replica-drill.ts';

/** Reads from a replica (docs/experiments.md, Replica), with a control that loses its own writes. */
// It starts two databases and a server of its own.
describe('replica', { timeout: 300_000 }, () => {
  it('shows everyone their own writes while it lags, is lost, comes back and is promoted', async () => {
    const drill = await replicaDrill({ partMs: 2_500, lagMs: 2_000 });
    expect(replicaFaults(drill)).toEqual([]);
    expect(drill.forgetful.stale).toBeGreaterThan(0);
  });
});
