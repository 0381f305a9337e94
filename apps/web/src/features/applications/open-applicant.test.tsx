import type { Applicant } from '@nearhand/contract/applications';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useOpenApplicant } from './open-applicant.ts';

const mutate = vi.hoisted(() => vi.fn());
vi.mock('./applications.api.ts', () => ({ useViewApplication: () => ({ mutate }) }));

const fresh = { id: 'a', actions: ['view'], viewedAt: null } as unknown as Applicant;
const seen = { id: 'b', actions: ['view'], viewedAt: '2026-11-21T09:00:00Z' } as unknown as Applicant;

beforeEach(() => vi.clearAllMocks());
afterEach(cleanup);

it('marks an application as seen when it is opened, not when it is listed', () => {
  const { result } = renderHook(() => useOpenApplicant([fresh, seen]));
  expect(result.current.applicant).toBeNull();
  expect(mutate).not.toHaveBeenCalled();
  act(() => result.current.open(fresh));
  expect(result.current.applicant).toBe(fresh);
  expect(mutate).toHaveBeenCalledWith({ applicationId: 'a' });
});

it('does not tell it twice', () => {
  const { result } = renderHook(() => useOpenApplicant([fresh, seen]));
  act(() => result.current.open(seen));
  expect(mutate).not.toHaveBeenCalled();
});
