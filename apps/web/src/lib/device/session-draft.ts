import { useState } from 'react';
import { session } from '../session.ts';

const drafts = new Map<string, unknown>();

/**
 * Unsent input until the page closes: text about other people stays off the device (ADR 34). Call `drop` once
 * sent.
 */
export function useSessionDraft<Value = string>(
  name: string,
  start: () => Value,
): { value: Value; set: (next: Value) => void; drop: () => void } {
  const key = `${session.user()?.id ?? 'guest'} ${name}`;
  const [, render] = useState(0);
  const rerender = () => render((count) => count + 1);
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

export const useTextDraft = (name: string) => useSessionDraft(name, () => '');
