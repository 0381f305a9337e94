import { iosTransitionAnimation, mdTransitionAnimation } from '@ionic/react';
import { limits } from '@nearhand/contract/limits';

/** What Ionic hands to a page transition, as far as we look at it. */
type TransitionOptions = { mode?: 'ios' | 'md'; direction?: 'forward' | 'back'; duration?: number };

/** How long a page change takes (spec §9). */
export function transitionMs({ mode, direction }: TransitionOptions): number {
  if (mode === 'ios') return limits.transitionIosMs;
  return direction === 'back' ? limits.transitionMdBackMs : limits.transitionMdForwardMs;
}

/** Ionic's own curves with our durations. It asks for none (no animation at all) before it comes here. */
export function pageTransition(page: HTMLElement, options: TransitionOptions) {
  const timed = { ...options, duration: options.duration || transitionMs(options) } as Parameters<
    typeof iosTransitionAnimation
  >[1];
  return options.mode === 'ios'
    ? iosTransitionAnimation(page, timed)
    : mdTransitionAnimation(page, timed as never);
}
