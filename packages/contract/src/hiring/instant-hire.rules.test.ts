import { describe, expect, it } from 'vitest';
import { qualifies } from './instant-hire.rules.ts';

describe('who qualifies for an instant hire', () => {
  it('has one of the skills, if any are required', () => {
    expect([
      qualifies([], []),
      qualifies(['a', 'b'], ['b']),
      qualifies(['a'], ['b']),
      qualifies(['a'], []),
    ]).toEqual([true, true, false, false]);
  });
});
