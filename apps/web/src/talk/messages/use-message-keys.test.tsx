import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sampleMessage } from '../conversations/conversations.fixtures.ts';
import { type ThreadItem, threadItems } from './thread.rules.ts';
import { useMessageKeys } from './use-message-keys.ts';

afterEach(cleanup);

const whole: ThreadItem[] = threadItems({
  messages: [
    sampleMessage(1),
    sampleMessage(2, { kind: 'system', from: null }),
    sampleMessage(3, { body: '', redactedAt: '2026-11-20T10:00:00Z' }),
    sampleMessage(4),
  ],
  outgoing: [],
  me: null,
  readSeq: null,
  atEnd: true,
  wroteHere: false,
  dayOf: (at) => at.slice(0, 10),
});
const acts = { onMenu: vi.fn(), onNewest: vi.fn(async () => {}), onLeave: vi.fn() };

function Lines({ items = whole }: { items?: ThreadItem[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const keys = useMessageKeys({ items, scroller, list: { current: null }, ...acts });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as in `message-list.tsx`.
    <div ref={scroller} role="log" tabIndex={0} onKeyDown={keys.onKeyDown} onFocus={keys.onFocus}>
      <output>{keys.keepMounted?.join(' ') ?? 'none'}</output>
      {items.map((item) => (
        <div key={item.key} data-line={item.key} tabIndex={-1}>
          <p className="msg">{item.message?.body}</p>
          <button type="button">in {item.message?.seq}</button>
          <dialog>
            <button type="button">large {item.message?.seq}</button>
          </dialog>
        </div>
      ))}
    </div>
  );
}

const press = (key: string, on: Element = document.activeElement ?? document.body) =>
  fireEvent.keyDown(on, { key });
const at = () => document.activeElement?.getAttribute('data-line') ?? null;

describe('messages by key', () => {
  it('are navigated from the newest, and the focused one stays mounted', async () => {
    render(<Lines />);
    screen.getByRole('log').focus();
    press('ArrowUp');
    expect(at()).toBe('s4');
    expect(screen.getByRole('status').textContent).toBe('3');
    press('ArrowUp');
    press('ArrowUp');
    expect(at()).toBe('s2');
    press('ArrowDown');
    expect(at()).toBe('s3');
    press('Home');
    expect(at()).toBe('s1');
    press('ArrowUp');
    expect(at()).toBe('s1');
    press('End');
    await act(async () => {});
    expect(at()).toBe('s4');
    expect(acts.onNewest).toHaveBeenCalledOnce();
  });

  it('of another part move the focus to the newest once it has loaded, unless it moved elsewhere', async () => {
    let come = () => {};
    acts.onNewest.mockImplementation(() => new Promise<void>((resolve) => (come = resolve)));
    const { rerender } = render(<Lines items={whole.slice(0, 2)} />);
    screen.getByRole('log').focus();
    press('Home');
    press('End');
    rerender(<Lines items={whole.slice(2)} />);
    expect(at()).toBeNull();
    await act(async () => come());
    expect(at()).toBe('s4');
    press('End');
    screen.getByText('in 3').focus();
    act(() => screen.getByText('in 3').blur());
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    await act(async () => come());
    expect(document.activeElement).toBe(field);
    field.remove();
  });

  it("show a message's actions, unless there are none or something in it was pressed", () => {
    render(<Lines />);
    screen.getByRole('log').focus();
    press('ArrowUp');
    press('Enter');
    expect(acts.onMenu).toHaveBeenCalledWith(
      whole[3]?.message,
      expect.objectContaining({ className: 'msg' }),
    );
    acts.onMenu.mockClear();
    press('Enter', screen.getByText('in 4'));
    press('ArrowUp');
    press('Enter');
    press('ArrowUp');
    press('Enter');
    expect(acts.onMenu).not.toHaveBeenCalled();
  });

  it('return to the field, but not from an enlarged photo', () => {
    render(<Lines />);
    press('Escape', screen.getByText('large 4'));
    expect(acts.onLeave).not.toHaveBeenCalled();
    press('Escape', screen.getByText('in 4'));
    expect(acts.onLeave).toHaveBeenCalledOnce();
  });
});
