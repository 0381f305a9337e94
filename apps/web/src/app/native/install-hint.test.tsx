import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { dismissToast } from '../../ui/overlays/toast.tsx';
import InstallHint from './install-hint.tsx';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-25T10:00:00Z') });
  localStorage.setItem('nearhand-visits', String(Date.parse('2026-11-25T09:00:00Z')));
  Object.assign(globalThis, { nearhandInstall: { prompt: async () => ({}) } });
});
afterEach(() => {
  act(dismissToast);
  vi.useRealTimers();
  localStorage.clear();
  Object.assign(globalThis, { nearhandInstall: undefined });
});

const hint = () => screen.queryByText('You can install Nearhand. Find it in your account.');
function open() {
  const { unmount } = renderPart(<InstallHint />, { session: 'worker' });
  return () => {
    unmount();
    act(dismissToast);
  };
}

it('shows again if its page closed before anyone could read it, and then never again', () => {
  const leave = open();
  expect(hint()).not.toBeNull();
  act(() => vi.advanceTimersByTime(1_000));
  leave();
  const leaveNext = open();
  expect(hint()).not.toBeNull();
  act(() => vi.advanceTimersByTime(3_000));
  leaveNext();
  open();
  expect(hint()).toBeNull();
});

it('waits on a background page until it is visible', () => {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  open();
  expect(hint()).toBeNull();
  state.mockReturnValue('visible');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(hint()).not.toBeNull();
  state.mockRestore();
});
