import { useLayoutEffect } from 'react';

/** Removes the prerendered page once the first screen has rendered (ADR 221). */
export function RemovePrerendered() {
  useLayoutEffect(() => document.getElementById('pre')?.remove(), []);
  return null;
}
