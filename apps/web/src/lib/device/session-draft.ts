import { useState } from 'react';
import { session } from '../session.ts';

const drafts = new Map<string, unknown>();

/**
 * Unsent input of a sheet or panel. It survives the sheet, so that closing it by mistake costs nothing, but not the page: what people
 * write about others stays off the device (ADR 24). Until it is edited the value follows `start`. Call `drop` once it is sent.
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
