import { t } from '@lingui/core/macro';
import type { Point } from '@nearhand/contract/places';
import { nameOfPoint } from './gazetteer-source.ts';
import type { PositionTrouble } from './here.ts';

/** What to tell a person whose device did not say where it is, and what to do instead. */
export function positionTroubleText(trouble: PositionTrouble): string {
  switch (trouble) {
    case 'denied':
      return t`Your browser does not let Nearhand see your position. Allow it in the settings of the browser or the phone, or search for a place below.`;
    case 'timeout':
      return t`Your device took too long to find where it is. Try again outdoors or by a window, or search for a place below.`;
    case 'unavailable':
      return t`Your device cannot tell where it is right now. Search for a place below instead.`;
    case 'unsupported':
      return t`This browser gives no position here. Search for a place below instead.`;
  }
}

/** Degrees people can read out when no named place is near: "52.373, 4.894". */
export const coordinates = ({ lat, lng }: Point): string => `${lat.toFixed(3)}, ${lng.toFixed(3)}`;

/** A name for a point that somebody stands on or put a pin on. */
export async function labelOfPoint(point: Point): Promise<string> {
  try {
    return (await nameOfPoint(point)) ?? coordinates(point);
  } catch {
    return coordinates(point);
  }
}
