import { useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Applies the query of a link that leads to a mounted page. It runs once per link, not each time the page is
 * shown again.
 */
export function useLinkQuery<Value>(
  read: (search: string) => Value | null,
  apply: (value: Value) => void,
): void {
  const { key, search } = useLocation();
  const [handledKey, setHandledKey] = useState(key);
  if (handledKey === key) return;
  setHandledKey(key);
  const value = read(search);
  if (value !== null) apply(value);
}

export function useLinkFrom(): { from: string; query: string } {
  const { search } = useLocation();
  const from = new URLSearchParams(search).get('from') ?? '';
  if (!/^\/(?!\/)/.test(from)) return { from: '', query: '' };
  return { from, query: `?from=${encodeURIComponent(from)}` };
}
