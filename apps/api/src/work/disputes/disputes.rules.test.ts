import type { Mover } from '@nearhand/contract/moves';
import {
  type DisputeMoveName,
  disputeActionsFor,
  disputeMoves,
  disputeStatuses,
  nextDisputeStatus,
} from '@nearhand/contract/work/disputes.rules';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../platform/config/config.ts';
import { dueAt, stopAmount } from './disputes.rules.ts';

const settings = readConfig({});
const bounds = { minMinor: 1_000, maxMinor: 10_000 };
const sides = (worker: number | null, business: number | null) => ({
  workerAmountMinor: worker,
  businessAmountMinor: business,
});

describe('dispute moves', () => {
  const names: DisputeMoveName[] = [
    'answer',
    'agree',
    'propose',
    'accept-proposal',
    'escalate',
    'stop',
    'decide',
  ];
  const movers: Mover[] = ['worker', 'business', 'operator', 'timer'];
  it('follow the table', () => {
    let legal = 0;
    for (const from of disputeStatuses)
      for (const name of names)
        for (const who of movers) if (nextDisputeStatus(from, name, who) !== null) legal += 1;
    expect(legal).toBe(disputeMoves.length);
  });
  it('allow an operator only after both sides had their time', () => {
    expect(disputeMoves.filter(([, , who]) => who === 'operator')).toEqual([
      ['with_operator', 'decide', 'operator', 'settled'],
    ]);
    expect(disputeActionsFor(null, { status: 'open', filedBy: 'timer', proposalBy: null })).toEqual([]);
  });
  it('end when it is settled', () => {
    expect(disputeMoves.filter(([from]) => from === 'settled')).toEqual([]);
  });
  it('let neither side answer or accept their own', () => {
    const open = { status: 'open', filedBy: 'worker', proposalBy: null } as const;
    expect(disputeActionsFor('worker', open)).toEqual([]);
    expect(disputeActionsFor('business', open)).toEqual(['answer']);
    expect(disputeActionsFor('worker', { ...open, filedBy: 'timer' })).toEqual(['answer']);
    const proposed = { status: 'proposed', filedBy: 'worker', proposalBy: 'business' } as const;
    expect(disputeActionsFor('business', proposed)).toEqual(['propose']);
    expect(disputeActionsFor('worker', proposed)).toEqual(['propose', 'accept-proposal']);
    expect(disputeActionsFor('worker', { ...proposed, status: 'with_operator', proposalBy: null })).toEqual([
      'propose',
    ]);
  });
});

describe('dueAt', () => {
  const now = new Date('2026-11-21T09:00:00Z');
  const stop = new Date('2026-11-24T09:00:00Z');
  it('never passes the hard stop', () => {
    expect(dueAt('open', now, stop, settings)).toEqual(stop);
    expect(dueAt('proposed', now, stop, settings)).toEqual(new Date('2026-11-23T09:00:00Z'));
    expect(dueAt('with_operator', now, stop, settings)).toBeNull();
  });
});

describe('stopAmount', () => {
  it("uses a shift's record, between both sides' amounts", () => {
    expect(stopAmount(sides(9_000, 4_000), 6_000, bounds)).toBe(6_000);
    expect(stopAmount(sides(9_000, 4_000), 0, bounds)).toBe(4_000);
    expect(stopAmount(sides(5_000, 4_000), 9_999, bounds)).toBe(5_000);
    expect(stopAmount(sides(9_000, null), 0, bounds)).toBe(1_000);
    expect(stopAmount(sides(null, null), 20_000, bounds)).toBe(10_000);
  });
  it('uses the middle for a task, or the only amount', () => {
    expect(stopAmount(sides(9_000, 4_001), null, bounds)).toBe(6_501);
    expect(stopAmount(sides(9_000, null), null, bounds)).toBe(9_000);
    expect(stopAmount(sides(null, 4_000), null, bounds)).toBe(4_000);
    expect(stopAmount(sides(null, null), null, bounds)).toBe(1_000);
    expect(stopAmount(sides(0, 0), null, bounds)).toBe(1_000);
  });
});
