import { afterEach, beforeEach, vi } from 'vitest';

// A test that expects an error asserts it on `vi.mocked(console.error)`, then calls `.mockClear()`.
beforeEach(() => {
  vi.spyOn(console, 'error');
});

afterEach(() => {
  const calls = [...vi.mocked(console.error).mock.calls];
  vi.mocked(console.error).mockRestore();
  if (calls.length > 0)
    throw new Error(`console.error was called: ${calls.map((call) => call.join(' ')).join('\n')}`);
});
