import { expect, it } from 'vitest';
import { transitionMs } from './transitions.ts';

it('page transitions last as long as the specification says', () => {
  expect(transitionMs({ mode: 'ios', direction: 'forward' })).toBe(540);
  expect(transitionMs({ mode: 'ios', direction: 'back' })).toBe(540);
  expect(transitionMs({ mode: 'md', direction: 'forward' })).toBe(280);
  expect(transitionMs({ mode: 'md', direction: 'back' })).toBe(200);
});
