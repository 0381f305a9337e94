import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useNow } from './use-now.ts';

afterEach(() => vi.useRealTimers());

it('is renewed at the given instant, before the next tick', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T08:30:00Z') });
  const end = '2026-11-21T08:30:07.000Z';
  const { result } = renderHook(() => useNow(30_000, end));
  act(() => vi.advanceTimersByTime(6_999));
  expect(result.current < new Date(end)).toBe(true);
  act(() => vi.advanceTimersByTime(1));
  expect(result.current.toISOString()).toBe(end);
});
