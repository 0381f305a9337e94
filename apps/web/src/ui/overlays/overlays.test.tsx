import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useLayoutEffect } from 'react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeTopLayer } from '../../lib/pages/back-button.ts';
import { Busy } from '../pages/busy.tsx';
import { AlertHost, showAlert } from './alert.tsx';
import { Popover } from './popover.tsx';
import { Sheet } from './sheet.tsx';
import { showToast, ToastHost } from './toast.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const show = (part: ReactNode) => render(<I18nProvider i18n={i18n}>{part}</I18nProvider>);

describe('an alert', () => {
  const failure = {
    title: 'Error',
    subtitle: 'Sign in',
    message: 'Invalid email or password.',
    buttons: [
      { value: 'again', label: 'Try again' },
      { value: 'reset', label: 'Reset password' },
    ],
  };

  it('is named by its title, described by its message, and returns the pressed button', async () => {
    show(<AlertHost />);
    let choice: string | null | undefined;
    act(() => {
      void showAlert(failure).then((value) => {
        choice = value;
      });
    });
    const alert = screen.getByRole('alertdialog', { name: 'Error' });
    expect(alert.getAttribute('aria-describedby')).toBe(screen.getByText('Invalid email or password.').id);
    expect(screen.getByText('Sign in')).toBeDefined();
    // The main button, which the caller names first, ends the row.
    const [way, main] = screen.getAllByRole('button');
    expect([way?.textContent, main?.textContent]).toEqual(['Reset password', 'Try again']);
    expect(document.activeElement).toBe(main);
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Reset password' })));
    expect(choice).toBe('reset');
    expect(screen.queryByText('Invalid email or password.')).toBeNull();
  });

  it('returns null when it is closed or replaced', async () => {
    show(<AlertHost />);
    const answers: (string | null)[] = [];
    await act(async () => {
      void showAlert(failure).then((value) => answers.push(value));
    });
    await act(async () => {
      void showAlert({ title: 'Other', message: 'Second.' }).then((value) => answers.push(value));
    });
    expect(answers).toEqual([null]);
    await act(async () =>
      fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true })),
    );
    expect(answers).toEqual([null, null]);
  });
});

describe('a toast', () => {
  it('stays above the buttons at the bottom of the page', () => {
    render(
      <>
        <div className="dock" />
        <ToastHost />
      </>,
    );
    const dock = document.querySelector('.dock') as HTMLElement;
    const space = () => screen.getByRole('status').style.getPropertyValue('--above');
    dock.getBoundingClientRect = () => new DOMRect(0, innerHeight - 88, 390, 88);
    act(() => showToast('Saved'));
    expect(space()).toBe('88px');
    // A button that floats over the list, above the tabs.
    dock.className = 'fab';
    dock.getBoundingClientRect = () => new DOMRect(100, innerHeight - 130, 90, 48);
    act(() => showToast('Saved again'));
    expect(space()).toBe('130px');
    dock.getBoundingClientRect = () => new DOMRect(16, 72, 150, 48);
    act(() => showToast('Removed'));
    expect(space()).toBe('0px');
  });

  it('disappears after a while, but stays while it has an action', () => {
    vi.useFakeTimers();
    const undo = vi.fn();
    show(<ToastHost />);
    act(() => showToast('Saved to your list'));
    expect(screen.getByRole('status').textContent).toBe('Saved to your list');
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.getByRole('status').textContent).toBe('');
    act(() => showToast('Removed', { label: 'Undo', run: undo }));
    act(() => void vi.advanceTimersByTime(60_000));
    act(() => void fireEvent.click(screen.getByRole('button', { name: 'Undo' })));
    expect(undo).toHaveBeenCalledOnce();
    expect(screen.getByRole('status').textContent).toBe('');
  });
});

describe('a toast with the alerts of the app', () => {
  it('disappears after a while, but not behind an open alert', async () => {
    vi.useFakeTimers();
    show(
      <>
        <ToastHost />
        <AlertHost />
      </>,
    );
    act(() => showToast('Saved to your list'));
    act(() => void vi.advanceTimersByTime(10_000));
    expect(screen.queryByText('Saved to your list')).toBeNull();
    act(() => void showAlert({ title: 'Account created', message: 'Verify your email.' }));
    act(() => showToast('Sam invited you.'));
    act(() => void vi.advanceTimersByTime(60_000));
    expect(screen.getByText('Sam invited you.')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.queryByText('Sam invited you.')).toBeNull();
  });
});

/** The browser may paint, and handle a press, before passive effects run. */
function PressBack() {
  useLayoutEffect(() => void closeTopLayer());
  return null;
}

describe('a sheet', () => {
  it("closes by its button and by the device's back button", () => {
    const close = vi.fn();
    show(
      <Sheet open title="Filters" onClose={close}>
        <p>inside</p>
      </Sheet>,
    );
    expect(screen.getByRole('dialog', { name: 'Filters' })).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(close).toHaveBeenCalledTimes(1);
    expect(closeTopLayer()).toBe(true);
    expect(close).toHaveBeenCalledTimes(2);
  });

  it("closes by the device's back button as soon as it is visible", () => {
    const onClose = vi.fn();
    show(
      <>
        <Sheet open title="Filters" onClose={onClose}>
          All
        </Sheet>
        <PressBack />
      </>,
    );
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('shows nothing while it is closed', () => {
    show(
      <Sheet open={false} title="Filters" onClose={() => {}}>
        <p>inside</p>
      </Sheet>,
    );
    expect(screen.queryByText('inside')).toBeNull();
  });
});

it('announces its text while something must finish', () => {
  show(<Busy text="Signing in..." />);
  expect(screen.getByRole('status').textContent).toBe('Signing in...');
});

describe('a popover', () => {
  it('is named, supports arrow keys, and is next to its anchor', () => {
    const anchor = document.createElement('p');
    anchor.getBoundingClientRect = () => new DOMRect(40, 100, 200, 30);
    const close = vi.fn();
    show(
      <Popover open onClose={close} label="Nadia, 10:26" anchor={anchor}>
        <button type="button">Answer</button>
        <button type="button">Copy</button>
      </Popover>,
    );
    const popover = screen.getByRole('dialog', { name: 'Nadia, 10:26' });
    expect(popover.style.inset).toBe('136px auto auto 40px');
    const [okButton, copy] = screen.getAllByRole('button') as [HTMLElement, HTMLElement];
    okButton.focus();
    fireEvent.keyDown(okButton, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(copy);
    fireEvent.keyDown(copy, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(okButton);
    fireEvent(popover, new Event('cancel', { cancelable: true }));
    expect(close).toHaveBeenCalled();
  });
});
