import { describe, expect, it } from 'vitest';
import { mayDecide } from './chat-reports.ts';

describe('mayDecide', () => {
  it('keeps operators away from their own conversations and reports', () => {
    const about = { workerId: 'w', reporterId: 'r', isMember: false };
    expect(mayDecide('o', about)).toBe(true);
    expect(mayDecide('w', about)).toBe(false);
    expect(mayDecide('r', about)).toBe(false);
    expect(mayDecide('o', { ...about, isMember: true })).toBe(false);
  });
});
