import { t } from '@lingui/core/macro';
import type { PositionProblem } from './device-position.ts';

/** Explains why the location is unavailable and what to do instead. */
export function positionProblemText(problem: PositionProblem): string {
  switch (problem) {
    case 'denied':
      return t`Your browser blocks your location. Allow it in your browser or phone settings, or search for a place below.`;
    case 'timeout':
      return t`Your device took too long to find its location. Try again outdoors or near a window, or search for a place below.`;
    case 'unavailable':
      return t`Your device can't find its location right now. Search for a place below instead.`;
    case 'unsupported':
      return t`This browser can't share your location here. Search for a place below instead.`;
  }
}
