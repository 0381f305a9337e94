import { useEffect, useState } from 'react';
import { session } from '../session.ts';
import { createListeners } from '../store.ts';

const drafts = new Map<string, unknown>();
const { notify, subscribe } = createListeners();
const fullName = (name: string): string => `${session.user()?.id ?? 'guest'} ${name}`;

/**
 * Unsent input until the page closes: text about other people stays off the device (ADR 34). Call `drop` once
 * sent.
 */
export function useSessionDraft<Value = string>(
  name: string,
  start: () => Value,
): { value: Value; set: (next: Value) => void; drop: () => void } {
  const key = fullName(name);
  const [, render] = useState(0);
  const rerender = () => render((count) => count + 1);
  useEffect(() => subscribe(() => render((count) => count + 1)), []);
  return {
    value: drafts.has(key) ? (drafts.get(key) as Value) : start(),
    set: (next) => {
      drafts.set(key, next);
      rerender();
    },
    drop: () => {
      drafts.delete(key);
      rerender();
    },
  };
}

/** Removes the account's drafts whose names start with a prefix. */
export function dropSessionDrafts(prefix: string): void {
  const start = fullName(prefix);
  for (const key of [...drafts.keys()]) if (key.startsWith(start)) drafts.delete(key);
  notify();
}

export const useTextDraft = (name: string) => useSessionDraft(name, () => '');
