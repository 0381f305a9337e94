import { act, cleanup, renderHook } from '@testing-library/react';
import { Activity } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  dropDraft,
  dropOperatorTexts,
  readDraft,
  storeDraft,
  useDeviceDraft,
  useStoredText,
  watchDrafts,
} from './device/device-draft.ts';
import { useSessionDraft } from './device/session-draft.ts';
import { session } from './session.ts';

type Note = { text: string };
const isNote = (value: unknown): value is Note =>
  typeof value === 'object' && value !== null && typeof (value as Note).text === 'string';
const empty = (): Note => ({ text: '' });
const use = (key = 'note') => renderHook(() => useDeviceDraft(key, empty, isNote));
const signIn = (id: string) =>
  session.start({
    user: { id, email: `${id}@example.org`, emailVerified: true, name: id },
    accessToken: 'token',
  });
const draftText = (key = 'note') => readDraft(key, isNote)?.text ?? null;

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  session.clear();
  localStorage.clear();
});

describe('a draft on the device', () => {
  it('is stored shortly after typing, and restored on the next visit', () => {
    vi.useFakeTimers();
    const { result, unmount } = use();
    expect(result.current.restored).toBe(false);
    act(() => result.current.set({ text: 'a' }));
    act(() => result.current.set(({ text }) => ({ text: `${text}b` })));
    vi.advanceTimersByTime(1_000);
    expect(draftText()).toBe('ab');
    unmount();
    const again = use();
    expect(again.result.current.value).toEqual({ text: 'ab' });
    expect(again.result.current.restored).toBe(true);
  });

  it('is stored at once when the page is closed or left', () => {
    vi.useFakeTimers();
    const first = use();
    act(() => first.result.current.set({ text: 'closed' }));
    globalThis.dispatchEvent(new Event('pagehide'));
    expect(draftText()).toBe('closed');
    act(() => first.result.current.set({ text: 'left' }));
    first.unmount();
    expect(draftText()).toBe('left');
  });

  it("isn't written before something is typed", () => {
    vi.useFakeTimers();
    const { unmount } = use();
    vi.advanceTimersByTime(1_000);
    unmount();
    expect(localStorage).toHaveLength(0);
  });

  it("doesn't return after it was sent, whatever runs later", () => {
    vi.useFakeTimers();
    const { result, unmount } = use();
    act(() => result.current.set({ text: 'sent' }));
    act(() => result.current.drop());
    vi.advanceTimersByTime(1_000);
    globalThis.dispatchEvent(new Event('pagehide'));
    unmount();
    expect(draftText()).toBeNull();
  });

  it('keeps an operator’s text until it is sent or they sign out', () => {
    const stored = (key: string) => localStorage.getItem(`nearhand-operator:guest:${key}`);
    const { result } = renderHook(() => useStoredText('case-reason 1'));
    act(() => result.current.set('Half an answer'));
    expect(stored('case-reason 1')).toBe('Half an answer');
    act(() => result.current.drop());
    expect(result.current.value).toBe('');
    expect(stored('case-reason 1')).toBeNull();
    localStorage.setItem('nearhand-operator:guest:case-reason 2', 'Kept');
    const storedText = renderHook(() => useStoredText('case-reason 2')).result;
    expect(storedText.current.value).toBe('Kept');
    act(() => storedText.current.set('Kept, with more'));
    storeDraft('attendance-queue', { text: 'unsent' });
    act(() => dropOperatorTexts());
    expect(storedText.current.value).toBe('');
    expect(stored('case-reason 2')).toBeNull();
    expect(draftText('attendance-queue')).toBe('unsent');
  });

  it('belongs to the account that typed it', () => {
    signIn('leila');
    storeDraft('note', { text: 'mine' });
    signIn('nadia');
    expect(draftText()).toBeNull();
    dropDraft('note');
    signIn('leila');
    expect(draftText()).toBe('mine');
  });

  it.each(['', '{', 'null', '7', '{"text":7}', '[]'])('reads %o as empty', (text) => {
    localStorage.setItem('nearhand-draft:guest:note', text);
    expect(use().result.current.value).toEqual({ text: '' });
  });

  it('lasts as long as the page when the device stores nothing', () => {
    vi.useFakeTimers();
    const { result } = use();
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    act(() => result.current.set({ text: 'still here' }));
    vi.advanceTimersByTime(1_000);
    expect(result.current.value).toEqual({ text: 'still here' });
    expect(storeDraft('note', { text: 'x' })).toBe(false);
  });

  it('shows what another page wrote while this one was hidden', () => {
    let mode: 'visible' | 'hidden' = 'visible';
    const hook = renderHook(() => useDeviceDraft('note', empty, isNote), {
      wrapper: ({ children }) => <Activity mode={mode}>{children}</Activity>,
    });
    mode = 'hidden';
    hook.rerender();
    storeDraft('note', { text: 'elsewhere' });
    mode = 'visible';
    hook.rerender();
    expect(hook.result.current.value).toEqual({ text: 'elsewhere' });
  });

  it('notifies subscribers, here and in another window, until they stop', () => {
    const watcher = vi.fn();
    const stop = watchDrafts(watcher);
    storeDraft('note', { text: 'a' });
    dropDraft('note');
    globalThis.dispatchEvent(new Event('storage'));
    expect(watcher).toHaveBeenCalledTimes(3);
    stop();
    storeDraft('note', { text: 'b' });
    expect(watcher).toHaveBeenCalledTimes(3);
  });
});

const openNote = (name: string) => renderHook(() => useSessionDraft(name, () => ''));

describe('a draft of the page', () => {
  it('outlives its sheet and stays off the device', () => {
    const first = openNote('reject 1');
    act(() => first.result.current.set('Not this time.'));
    first.unmount();
    expect(openNote('reject 1').result.current.value).toBe('Not this time.');
    expect(openNote('reject 2').result.current.value).toBe('');
    expect(localStorage).toHaveLength(0);
  });

  it('follows its initial value until something is typed, and again once it was sent', () => {
    const { result, rerender } = renderHook(({ start }) => useSessionDraft('amount', () => start), {
      initialProps: { start: '108' },
    });
    rerender({ start: '110' });
    expect(result.current.value).toBe('110');
    act(() => result.current.set('99'));
    rerender({ start: '120' });
    expect(result.current.value).toBe('99');
    act(() => result.current.drop());
    expect(result.current.value).toBe('120');
  });

  it('is hidden from another account', () => {
    signIn('leila');
    const first = openNote('note 1');
    act(() => first.result.current.set('Only mine.'));
    first.unmount();
    signIn('nadia');
    expect(openNote('note 1').result.current.value).toBe('');
  });
});
