import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest';
import { pressEnter } from '../../../test/typing.ts';
import { Button, EnterSubmits } from './button.tsx';
import { Form } from './form.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  cleanup();
  onLine?.mockRestore();
});

const show = (part: ReactNode) => render(<I18nProvider i18n={i18n}>{part}</I18nProvider>);
let onLine: MockInstance<() => boolean> | undefined;
function setNetwork(there: boolean): void {
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(there);
  act(() => void window.dispatchEvent(new Event(there ? 'online' : 'offline')));
}
const descriptionOf = (button: HTMLElement) =>
  (button.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

describe('a button that needs the network', () => {
  it('is disabled without one, shows why, keeps the focus, and works again with it', () => {
    const run = vi.fn();
    show(
      <>
        <p id="more">You can change it later.</p>
        <Button busy={false} aria-describedby="more" onClick={run}>
          Save
        </Button>
      </>,
    );
    const button = screen.getByRole('button', { name: 'Save' });
    button.focus();
    setNetwork(false);
    expect(screen.getByRole('button', { name: 'Save' })).toBe(button);
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(descriptionOf(button)).toBe('You can change it later. Needs a connection');
    fireEvent.click(button);
    expect(run).not.toHaveBeenCalled();
    setNetwork(true);
    expect(button.getAttribute('aria-disabled')).toBeNull();
    expect(descriptionOf(button)).toBe('You can change it later.');
    fireEvent.click(button);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("doesn't submit its form", () => {
    const submit = vi.fn();
    show(
      <Form onSubmit={submit}>
        <Button type="submit" busy={false}>
          Send
        </Button>
      </Form>,
    );
    setNetwork(false);
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(submit).not.toHaveBeenCalled();
    setNetwork(true);
    fireEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(submit).toHaveBeenCalledTimes(1);
  });

  it('blocks Enter in the form that it is outside of, unless its action is queued on the device', async () => {
    const sent = vi.fn();
    const onStored = vi.fn();
    show(
      <>
        <Form onSubmit={sent}>
          <input aria-label="Name" />
          <EnterSubmits />
        </Form>
        <Form onSubmit={onStored}>
          <input aria-label="Draft" />
          <EnterSubmits needsNetwork={false} />
        </Form>
      </>,
    );
    setNetwork(false);
    await pressEnter('Name');
    await pressEnter('Draft');
    expect([sent.mock.calls.length, onStored.mock.calls.length]).toEqual([0, 1]);
    setNetwork(true);
    await pressEnter('Name');
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it('includes one that opens such an action, but none that is queued or runs on the device', () => {
    show(
      <>
        <Button needsNetwork>Cancel shift</Button>
        <Button busy={false} needsNetwork={false}>
          Check in
        </Button>
        <Button>Back</Button>
        <Button busy>Paying</Button>
      </>,
    );
    setNetwork(false);
    const reasons = ['Cancel shift', 'Check in', 'Back', 'Paying'].map((name) =>
      descriptionOf(screen.getByRole('button', { name })),
    );
    expect(reasons).toEqual(['Needs a connection', '', '', '']);
  });
});
