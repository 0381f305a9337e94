import { useLayoutEffect } from 'react';

/** Stands after the first screen: once that is there, the page that was drawn at build gives way to it (ADR 221). */
export function Drawn() {
  useLayoutEffect(() => document.getElementById('pre')?.remove(), []);
  return null;
}
