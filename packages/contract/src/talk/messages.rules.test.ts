import { describe, expect, it } from 'vitest';
import { talkLimits } from './limits.ts';
import { messageProblem } from './messages.rules.ts';

describe('a message', () => {
  it('requires content: text, emoji or a file', () => {
    for (const body of ['Hello', '👍', '…', 'مرحبا']) expect(messageProblem({ body, files: 0 })).toBeNull();
    expect(messageProblem({ body: '', files: 1 })).toBeNull();
  });

  it('is empty with only spaces or invisible characters', () => {
    for (const body of ['', '  ', '\u200B', '\u200E\u2060'])
      expect(messageProblem({ body, files: 0 })).toBe('empty');
  });

  it('has a length limit that excludes surrounding spaces', () => {
    const longest = 'a'.repeat(talkLimits.chatMessageMax);
    expect(messageProblem({ body: ` ${longest} `, files: 0 })).toBeNull();
    expect(messageProblem({ body: `${longest}a`, files: 1 })).toBe('too-long');
  });
});
