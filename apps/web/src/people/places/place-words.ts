import { t } from '@lingui/core/macro';
import type { Point } from '@nearhand/contract/people/places';
import type { PositionProblem } from './here.ts';

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

export const coordinates = ({ lat, lng }: Point): string => `${lat.toFixed(3)}, ${lng.toFixed(3)}`;

/** The country (ISO 3166-1) of a pin; null if unknown or the list of places can't be loaded. */
export async function countryOfPin(point: Point): Promise<string | null> {
  try {
    const { countryOfPoint } = await import('./gazetteer-source.ts');
    return await countryOfPoint(point);
  } catch {
    return null;
  }
}

export async function labelOfPoint(point: Point): Promise<string> {
  try {
    const { nameOfPoint } = await import('./gazetteer-source.ts');
    return (await nameOfPoint(point)) ?? coordinates(point);
  } catch {
    return coordinates(point);
  }
}
