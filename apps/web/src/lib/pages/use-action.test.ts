import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useAction } from './use-action.ts';

it('runs an action once when pressed twice before a render', async () => {
  const { result } = renderHook(() => useAction());
  const move = vi.fn(async () => {});
  const { run } = result.current;
  await act(async () => {
    expect(await Promise.all([run(move), run(move)])).toEqual([true, false]);
  });
  expect(move).toHaveBeenCalledTimes(1);
  await act(async () => {
    expect(await run(move)).toBe(true);
  });
});
