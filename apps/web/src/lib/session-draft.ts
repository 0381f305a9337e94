import { useState } from 'react';
import { session } from './session.ts';

const drafts = new Map<string, unknown>();

/**
 * What was typed in a sheet or panel and not sent. It outlives the sheet, so that closing it by mistake costs nothing, but not the page: what people
 * write of other people stays off the device (ADR 0024). Until something is typed the value follows `start`. Call `drop` when it has been sent.
 */
export function useSessionDraft<Value = string>(
  name: string,
  start: () => Value,
): { value: Value; set: (next: Value) => void; drop: () => void } {
  const key = `${session.user()?.id ?? 'guest'} ${name}`;
  const [, render] = useState(0);
  const again = () => render((count) => count + 1);
  return {
    value: drafts.has(key) ? (drafts.get(key) as Value) : start(),
    set: (next) => {
      drafts.set(key, next);
      again();
    },
    drop: () => {
      drafts.delete(key);
      again();
    },
  };
}

/** The same for a text. */
export const useTextDraft = (name: string) => useSessionDraft(name, () => '');
