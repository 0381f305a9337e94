import { expect, it } from 'vitest';
import { applyMotionStyle, motionMs, motionStyle } from './page-motion.ts';

it('page transitions take the specified duration', () => {
  expect(motionMs('ios', 'forward')).toBe(540);
  expect(motionMs('ios', 'back')).toBe(540);
  expect(motionMs('md', 'forward')).toBe(280);
  expect(motionMs('md', 'back')).toBe(200);
  expect(motionMs('ios', 'none')).toBe(0);
});

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 0, 'md'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 5, 'md'],
] as const)('%s with %i touch points gets the style %s', (userAgent, maxTouchPoints, style) => {
  expect(motionStyle({ userAgent, maxTouchPoints })).toBe(style);
});

it('sets the style and the durations on the root element', () => {
  const root = document.createElement('html');
  applyMotionStyle(root);
  expect([root.dataset.motion, root.style.getPropertyValue('--motion-back')]).toEqual(['md', '200ms']);
});
