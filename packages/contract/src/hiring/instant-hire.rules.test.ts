import { describe, expect, it } from 'vitest';
import { lackedSkills } from './instant-hire.rules.ts';

describe('what a worker lacks for an instant hire', () => {
  it("is each of the job's skills that they don't have", () => {
    expect([
      lackedSkills([], []),
      lackedSkills(['a', 'b'], ['b', 'a', 'c']),
      lackedSkills(['a', 'b'], ['b']),
      lackedSkills(['a'], []),
    ]).toEqual([[], [], ['a'], ['a']]);
  });
});
