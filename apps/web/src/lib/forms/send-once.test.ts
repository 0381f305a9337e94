// @vitest-environment node
// The DOM of other tests writes the properties of a file into JSON; browsers write none.
import { expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { sendOnce } from './send-once.ts';

it('keeps the key of a repeat, but not for another file', async () => {
  const keys: unknown[] = [];
  const send = sendOnce('reply', async (_input: { files: File[] }, { context }) => {
    keys.push(context.idempotencyKey);
    throw new ApiError('network/failed');
  });
  const file = (name: string, lastModified: number) => new File(['x'], name, { lastModified });
  for (const chosen of [file('a.pdf', 1), file('a.pdf', 1), file('b.pdf', 1), file('a.pdf', 2)])
    await expect(send({ files: [chosen] })).rejects.toThrow();
  const [first, repeat, ...others] = keys;
  expect(repeat).toBe(first);
  expect(new Set([first, ...others]).size).toBe(3);
});
