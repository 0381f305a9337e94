import { useSyncExternalStore } from 'react';

/** The listeners of a state outside React; `subscribe` suits `useSyncExternalStore`. */
export function createListeners() {
  const listeners = new Set<() => void>();
  return {
    subscribe(this: void, listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(this: void) {
      for (const listener of [...listeners]) listener();
    },
  };
}

/** A value outside React that components and listeners follow. */
export function createStore<Value>(initial: Value) {
  let value = initial;
  const { notify, subscribe } = createListeners();
  const get = (): Value => value;
  return {
    get,
    subscribe,
    set(next: Value): void {
      if (Object.is(next, value)) return;
      value = next;
      notify();
    },
    useValue: (): Value => useSyncExternalStore(subscribe, get, get),
  };
}
