import type { Motion } from './page-stack.ts';

export type MotionStyle = 'ios' | 'md';

/** iOS style on iPhones and iPads, including iPads that report a Mac user agent. */
export function motionStyle({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>) {
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return isApple ? 'ios' : 'md';
}

/** Duration of a page transition (spec §9). */
export function motionMs(style: MotionStyle, motion: Motion): number {
  if (motion === 'none') return 0;
  if (style === 'ios') return 540;
  return motion === 'back' ? 200 : 280;
}

export const canAnimatePages = (): boolean =>
  typeof document.startViewTransition === 'function' &&
  !matchMedia('(prefers-reduced-motion: reduce)').matches;

export function applyMotionStyle(root: HTMLElement = document.documentElement): void {
  const style = motionStyle(navigator);
  root.dataset.motion = style;
  for (const motion of ['forward', 'back'] as const)
    root.style.setProperty(`--motion-${motion}`, `${motionMs(style, motion)}ms`);
}
