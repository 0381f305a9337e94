import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../durations.ts';
import { measureProblem } from './sanctions.rules.ts';

describe('measureProblem', () => {
  it('accepts each measure in its form', () => {
    const now = new Date('2026-11-21T09:00:00Z');
    const end = addMs(now, dayMs);
    const none = { scope: null, endsAt: null };
    expect(measureProblem({ target: 'job', measure: 'hidden', ...none }, now)).toBeNull();
    expect(measureProblem({ target: 'account', measure: 'warning', ...none }, now)).toBeNull();
    const timed = { measure: 'suspension', scope: 'everything', endsAt: end } as const;
    expect(measureProblem({ target: 'account', ...timed }, now)).toBeNull();
    expect(measureProblem({ target: 'job', ...timed }, now)?.path).toBe('measure');
    const year = addMs(now, 366 * dayMs);
    expect(measureProblem({ target: 'account', ...timed, endsAt: year }, now)?.path).toBe('endsAt');
  });
});
