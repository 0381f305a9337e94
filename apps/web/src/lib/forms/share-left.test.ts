import { expect, it } from 'vitest';
import { shareLeft } from './share-left.ts';

const now = new Date('2026-11-21T09:00:00Z');

it('is full when the time is set, at any length, and empty once it is over', () => {
  expect(shareLeft('2026-11-21T09:00:00Z', '2026-11-21T09:09:00Z', now)).toBe(1);
  expect(shareLeft('2026-11-21T08:51:00Z', '2026-11-21T09:09:00Z', now)).toBe(0.5);
  expect(shareLeft('2026-11-21T08:00:00Z', '2026-11-21T09:00:00Z', now)).toBe(0);
  expect(shareLeft('2026-11-21T10:00:00Z', '2026-11-21T09:30:00Z', now)).toBe(0);
  expect(shareLeft('2026-11-21T09:01:00Z', '2026-11-21T09:09:00Z', now)).toBe(1);
  expect(shareLeft('not a time', '2026-11-21T09:09:00Z', now)).toBe(0);
});
