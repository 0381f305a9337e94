import { IsRestoringProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { expect, it } from 'vitest';
import { useFirstLoading } from './use-first-loading.ts';

const idle = { isLoading: false, failureCount: 0 };
const loading = { isLoading: true, failureCount: 0 };

it('lasts until nothing is on its first attempt, and never returns', () => {
  const { result, rerender } = renderHook((queries) => useFirstLoading(...queries), {
    initialProps: [loading, idle],
  });
  expect(result.current).toBe(true);
  rerender([{ ...loading, failureCount: 1 }, idle]);
  expect(result.current).toBe(false);
  rerender([loading, idle]);
  expect(result.current).toBe(false);
});

it("lasts while the device's stored data is restored: no query loads before", () => {
  let restoring = true;
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(IsRestoringProvider, { value: restoring }, children);
  const { result, rerender } = renderHook((query) => useFirstLoading(query), {
    initialProps: idle,
    wrapper,
  });
  expect(result.current).toBe(true);
  restoring = false;
  rerender(loading);
  expect(result.current).toBe(true);
  rerender(idle);
  expect(result.current).toBe(false);
});
