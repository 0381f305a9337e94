import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { systemLines } from '@nearhand/contract/talk/messages';
import { excerptOf, mayStillEdit } from '@nearhand/contract/talk/messages.rules';
import { describe, expect, it } from 'vitest';
import { blockedByFor, pathOfLine, readSeqShown, repliesInMinutes, stateOf } from './conversations.rules.ts';
import { sideOf } from './conversations.sql.ts';

const now = new Date('2026-11-21T09:00:00Z');
const ago = (ms: number) => subtractMs(now, ms);
const days30 = 30 * dayMs;

describe('stateOf', () => {
  it.each([
    [{ frozen: false, blockedBy: [], endedAt: null }, 'active'],
    [{ frozen: false, blockedBy: [], endedAt: ago(days30 - 1) }, 'active'],
    [{ frozen: false, blockedBy: [], endedAt: ago(days30) }, 'read_only'],
    [{ frozen: false, blockedBy: ['worker'], endedAt: ago(days30) }, 'blocked'],
    [{ frozen: true, blockedBy: ['worker', 'business'], endedAt: null }, 'frozen'],
  ] as const)('%j is %s', (standing, state) => expect(stateOf(standing, now)).toBe(state));
});

describe('chat rules', () => {
  it("return who blocked, from each side's view", () => {
    expect(blockedByFor('worker', [])).toBeNull();
    expect(blockedByFor('worker', ['worker'])).toBe('you');
    expect(blockedByFor('business', ['worker'])).toBe('them');
    expect(blockedByFor('business', ['business', 'worker'])).toBe('both');
  });

  it('allow edits for exactly five minutes', () => {
    expect(mayStillEdit(ago(300_000), now)).toBe(true);
    expect(mayStillEdit(ago(300_001), now)).toBe(false);
  });

  it('cut an excerpt by whole characters', () => {
    expect(excerptOf('👩🏽‍🍳'.repeat(100)).isWellFormed()).toBe(true);
    expect([...excerptOf('🎓'.repeat(300))]).toHaveLength(140);
  });

  it('take the median response, at least one minute, from three on', () => {
    expect(repliesInMinutes([60, 60])).toBeNull();
    expect(repliesInMinutes([86_400, 600, 0])).toBe(10);
    expect(repliesInMinutes([0, 0, 0])).toBe(1);
    expect(repliesInMinutes([60, 120, 180, 240])).toBe(2);
  });

  it('hide receipts both ways', () => {
    expect(readSeqShown(true, 4)).toBe(4);
    expect(readSeqShown(false, 4)).toBeNull();
    expect(readSeqShown(true, null)).toBeNull();
  });

  it('link every line somewhere in the app, or nowhere', () => {
    for (const line of systemLines)
      for (const side of ['worker', 'business'] as const)
        for (const engagementId of [null, 'e'])
          expect(pathOfLine(line, {}, { side, jobId: 'j', applicationId: 'a', engagementId }) ?? '/').toMatch(
            /^\//,
          );
    expect(
      pathOfLine(
        'interview-proposed',
        { interviewId: 'i' },
        { side: 'worker', jobId: 'j', applicationId: 'a', engagementId: null },
      ),
    ).toBe('/interview?id=i');
  });
});

describe('sideOf', () => {
  it('puts the worker first and excludes finance', () => {
    expect(sideOf('w', { workerId: 'w', role: 'owner' })).toBe('worker');
    expect(sideOf('r', { workerId: 'w', role: 'recruiter' })).toBe('business');
    expect(sideOf('f', { workerId: 'w', role: 'finance' })).toBeNull();
    expect(sideOf('s', { workerId: 'w', role: null })).toBeNull();
  });
});
