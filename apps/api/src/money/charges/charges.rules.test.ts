import { chargeStatuses } from '@nearhand/contract/money/charges';
import { describe, expect, it } from 'vitest';
import {
  type ChargebackStatus,
  chargebackSteps,
  chargebackSummary,
  movesCharge,
  spreadRefund,
} from './charges.rules.ts';

const reportable = chargeStatuses.filter((status) => status !== 'created');

describe('movesCharge', () => {
  it('never leaves succeeded, and leaves other final states only for it', () => {
    expect(reportable.filter((to) => movesCharge('succeeded', to))).toEqual([]);
    for (const end of ['failed', 'cancelled'] as const)
      expect(reportable.filter((to) => movesCharge(end, to))).toEqual(['succeeded']);
  });

  it('treats a repeat as a no-op', () => {
    for (const status of reportable) expect(movesCharge(status, status)).toBe(false);
  });

  it('reaches every final state from every open state', () => {
    for (const from of ['created', 'processing', 'requires_action'] as const)
      for (const to of ['succeeded', 'failed', 'cancelled'] as const)
        expect(movesCharge(from, to)).toBe(true);
  });
});

describe('chargebackSteps', () => {
  const states = ['open', 'won', 'lost'] as const;

  it('skips no step and makes none twice', () => {
    expect(chargebackSteps(null, 'open')).toEqual(['open']);
    expect(chargebackSteps(null, 'lost')).toEqual(['open', 'lost']);
    expect(chargebackSteps('open', 'won')).toEqual(['won']);
    for (const state of states) expect(chargebackSteps(state, state)).toEqual([]);
  });

  it('ends the same for any order of states', () => {
    for (const end of ['won', 'lost'] as const)
      for (const order of [['open', end], [end, 'open'], [end], [end, end, 'open', end]] as const) {
        let current: ChargebackStatus | null = null;
        const steps: ChargebackStatus[] = [];
        for (const state of order)
          for (const step of chargebackSteps(current, state)) {
            steps.push(step);
            current = step;
          }
        expect(steps).toEqual(['open', end]);
      }
  });
});

describe('chargebackSummary', () => {
  it('is open if one is, otherwise lost if one was', () => {
    expect(chargebackSummary([])).toBe(null);
    expect(chargebackSummary(['won'])).toBe('won');
    expect(chargebackSummary(['won', 'lost', 'won'])).toBe('lost');
    expect(chargebackSummary(['lost', 'open', 'won'])).toBe('open');
  });
});

describe('spreadRefund', () => {
  const charge = (amountMinor: number, refundedMinor = 0) => ({ amountMinor, refundedMinor });

  it('refunds each charge up to its remaining amount, in order', () => {
    const charges = [charge(300, 100), charge(50, 50), charge(500)];
    const { parts, missingMinor } = spreadRefund(charges, 450);
    expect(parts.map(({ amountMinor }) => amountMinor)).toEqual([200, 250]);
    expect(parts.map((part) => part.charge)).toEqual([charges[0], charges[2]]);
    expect(missingMinor).toBe(0);
  });

  it('returns what no charge could take', () => {
    expect(spreadRefund([charge(300)], 450).missingMinor).toBe(150);
    expect(spreadRefund([], 450)).toEqual({ parts: [], missingMinor: 450 });
  });
});
