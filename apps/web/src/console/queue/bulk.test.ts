import type { CaseItem } from '@nearhand/contract/trust/cases';
import { describe, expect, it } from 'vitest';
import { kindOf, leftOut } from './bulk.tsx';

const now = new Date('2026-11-22T12:00:00Z');
const item = (change: Partial<CaseItem> = {}): CaseItem => ({
  kind: 'ticket',
  subjectId: 'a',
  title: 'My pay',
  tag: null,
  business: null,
  openedAt: '2026-11-22T11:00:00Z',
  deadline: '2026-11-23T11:00:00Z',
  priority: 'normal',
  claimedBy: null,
  claimedAt: null,
  assignedTo: null,
  handedBy: null,
  language: null,
  notes: 0,
  waitsUntil: null,
  waitsFor: [],
  answeredAt: null,
  awaitsApproval: false,
  ...change,
});

describe('the same decision for several cases', () => {
  it('skips other kinds, other operators’ cases and waiting ones, and shows why', () => {
    const me = 'me';
    const chosen = [item(), item({ kind: 'report' }), item()];
    expect(kindOf(chosen)).toBe('ticket');
    expect(kindOf([])).toBeNull();
    const reasons = [
      item({ claimedBy: { id: me, name: 'Me' } }),
      item({ kind: 'report' }),
      item({ claimedBy: { id: 'other', name: 'Mila' } }),
      item({ waitsUntil: '2026-11-22T13:00:00Z' }),
      item({ waitsUntil: '2026-11-22T11:00:00Z' }),
      item({ awaitsApproval: true }),
    ].map((one) => leftOut(one, 'ticket', me, now));
    expect(reasons).toEqual([
      null,
      'Another kind: report.',
      'Mila has claimed it.',
      'It waits for an answer.',
      null,
      'It waits for a second person.',
    ]);
  });
});
