import { useEffect, useRef, useState } from 'react';
import { session } from '../session.ts';
import { createListeners } from '../store.ts';
import { dropSessionDrafts, useSessionDraft } from './session-draft.ts';
import { readStored, writeStored } from './stored.ts';

/** Drafts belong to the account that wrote them; another one on the same device never sees them. */
const fullKey = (key: string, prefix = 'nearhand-draft'): string =>
  `${prefix}:${session.user()?.id ?? 'guest'}:${key}`;

/** Returns a stored draft; null if there is none or it has an older version's shape. */
export function readDraft<Value>(key: string, isValid: (value: unknown) => value is Value): Value | null {
  try {
    const stored: unknown = JSON.parse(readStored(fullKey(key)) ?? 'null');
    return isValid(stored) ? stored : null;
  } catch {
    return null;
  }
}

const { notify, subscribe } = createListeners();

/**
 * Calls the watcher after each change of a draft, also in another tab. Returns the function that stops it.
 */
export function watchDrafts(watcher: () => void): () => void {
  const unsubscribe = subscribe(watcher);
  globalThis.addEventListener('storage', watcher);
  return () => {
    unsubscribe();
    globalThis.removeEventListener('storage', watcher);
  };
}

/** Returns whether the device stored it: storage may be full or blocked. */
export function storeDraft(key: string, value: unknown): boolean {
  const isStored = writeStored(fullKey(key), JSON.stringify(value));
  if (isStored) notify();
  return isStored;
}

export function dropDraft(key: string): void {
  writeStored(fullKey(key), null);
  notify();
}

const operatorKey = (key: string): string => fullKey(key, 'nearhand-operator');

/** Starts the names of operators' texts among the drafts of the page. */
const operatorName = 'operator ';

/** An operator's text that is kept until the page closes. */
export const useOperatorText = (key: string) => useSessionDraft(`${operatorName}${key}`, () => '');

/**
 * An operator's text, stored on the device as it is typed, so that it outlives the page. Call `drop` once it is sent:
 * the field is then empty again.
 */
export function useStoredText(key: string): { value: string; set: (next: string) => void; drop: () => void } {
  const storedKey = operatorKey(key);
  const draft = useSessionDraft(`${operatorName}${key}`, () => readStored(storedKey) ?? '');
  return {
    value: draft.value,
    set: (next) => {
      writeStored(storedKey, next === '' ? null : next);
      draft.set(next);
    },
    drop: () => {
      writeStored(storedKey, null);
      draft.drop();
    },
  };
}

/**
 * Removes the account's texts as an operator at a deliberate sign-out, while it is still signed in: a shared device
 * keeps no text about others. Its own drafts and unsent work stay.
 */
export function dropOperatorTexts(): void {
  try {
    const prefix = operatorKey('');
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage may be blocked; then it has no texts.
  }
  dropSessionDrafts(operatorName);
}

const waitMs = 400;

/** A form stored on the device as it is typed. Call `drop` once it is sent. */
export function useDeviceDraft<Value>(
  key: string,
  empty: () => Value,
  isValid: (value: unknown) => value is Value,
): {
  value: Value;
  set: (next: Value | ((before: Value) => Value)) => void;
  restored: boolean;
  drop: () => void;
} {
  const [start] = useState(() => readDraft(key, isValid));
  const [value, set] = useState<Value>(() => start ?? empty());
  const dropped = useRef(false);
  const lastValue = useRef(value);
  // Runs each time the page is shown: another page may have changed the same draft.
  useEffect(() => {
    if (dropped.current) return;
    const draft = readDraft(key, isValid);
    if (draft === null || JSON.stringify(draft) === JSON.stringify(lastValue.current)) return;
    lastValue.current = draft;
    set(draft);
  }, [key, isValid]);
  useEffect(() => {
    if (lastValue.current === value || dropped.current) return;
    lastValue.current = value;
    const store = () => {
      if (!dropped.current) storeDraft(key, value);
    };
    const timer = setTimeout(store, waitMs);
    // Nothing unmounts when the page is closed or reloaded.
    globalThis.addEventListener('pagehide', store);
    return () => {
      clearTimeout(timer);
      globalThis.removeEventListener('pagehide', store);
      store();
    };
  }, [key, value]);
  return {
    value,
    set,
    restored: start !== null,
    drop: () => {
      dropped.current = true;
      dropDraft(key);
    },
  };
}
