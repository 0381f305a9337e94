import { serviceStatusLimits } from '@nearhand/contract/trust/service-status.rules';
import { describe, expect, it } from 'vitest';
import { messageState, problemsOf } from './messages-page.tsx';

const now = new Date('2026-11-22T12:00:00Z');

describe('a message about the service', () => {
  it('is planned, visible or over', () => {
    const state = (startsAt: string, endsAt: string | null) => messageState({ startsAt, endsAt }, now);
    expect(state('2026-11-22T11:00:00Z', null)).toBe('shown');
    expect(state('2026-11-22T11:00:00Z', '2026-11-22T13:00:00Z')).toBe('shown');
    expect(state('2026-11-22T12:00:40Z', null)).toBe('shown');
    expect(state('2026-11-22T13:00:00Z', null)).toBe('planned');
    expect(state('2026-11-22T10:00:00Z', '2026-11-22T12:00:00Z')).toBe('over');
  });

  it('requires text up to a limit, and an end after its start', () => {
    const problems = (change: Partial<Parameters<typeof problemsOf>[0]>) =>
      Object.entries(problemsOf({ text: 'Late today.', from: '', until: '', ...change })).flatMap(
        ([field, problem]) => (problem ? [field] : []),
      );
    expect(problems({})).toEqual([]);
    expect(problems({ text: '  ' })).toEqual(['text']);
    expect(problems({ text: 'x'.repeat(serviceStatusLimits.textMax + 1) })).toEqual(['text']);
    expect(problems({ from: '2026-11-22T13:00', until: '2026-11-22T13:00' })).toEqual(['until']);
    expect(problems({ from: '2026-11-22T13:00', until: '2026-11-22T13:01' })).toEqual([]);
  });
});
