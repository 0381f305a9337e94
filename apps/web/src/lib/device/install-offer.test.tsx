import { minuteMs } from '@nearhand/contract/durations';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endInstallHint, isLaterVisit, useInstall } from './install-offer.ts';

function Probe() {
  const install = useInstall();
  return install ? (
    <button type="button" onClick={install}>
      Install
    </button>
  ) : (
    'no offer'
  );
}
const offer = (prompt: () => Promise<unknown>) =>
  act(() => {
    Object.assign(globalThis, { nearhandInstall: { prompt } });
    globalThis.dispatchEvent(new Event('nearhand-install'));
  });

afterEach(() => {
  cleanup();
  localStorage.clear();
  Object.assign(globalThis, { nearhandInstall: undefined });
});

describe('useInstall', () => {
  it('is available once the browser offers it, and once only', () => {
    render(<Probe />);
    expect(screen.getByText('no offer')).toBeTruthy();
    const prompt = vi.fn(async () => ({}));
    offer(prompt);
    fireEvent.click(screen.getByRole('button', { name: 'Install' }));
    expect(prompt).toHaveBeenCalledTimes(1);
    expect(screen.getByText('no offer')).toBeTruthy();
  });

  it('is available when the offer came before the app', () => {
    offer(async () => ({}));
    render(<Probe />);
    expect(screen.getByRole('button', { name: 'Install' })).toBeTruthy();
  });
});

describe('isLaterVisit', () => {
  it('returns true after half an hour away, until the hint was read', () => {
    const minutes = [0, 20, 40, 71, 75];
    expect(minutes.map((minute) => isLaterVisit(minute * minuteMs))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    endInstallHint();
    expect(isLaterVisit(500 * minuteMs)).toBe(false);
  });
});
