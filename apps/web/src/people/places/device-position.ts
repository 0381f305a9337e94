import type { Point } from '@nearhand/contract/people/places';
import { isNative } from '../../lib/device/platform.ts';

export type PositionProblem = 'denied' | 'unavailable' | 'timeout' | 'unsupported';

export class PositionError extends Error {
  readonly problem: PositionProblem;
  constructor(problem: PositionProblem) {
    super(problem);
    this.name = 'PositionError';
    this.problem = problem;
  }
}

export type DevicePosition = Point & { accuracyM: number };

/** Long enough for a phone indoors, short enough to fall back to search. */
const waitMs = 12_000;

/** Gets the device's location; rejects with a PositionError. `precise` requests a fresh fix to check in. */
export async function locateDevice({ precise = false }: { precise?: boolean } = {}): Promise<DevicePosition> {
  const options = { enableHighAccuracy: precise, timeout: waitMs, maximumAge: precise ? 5_000 : 120_000 };
  if (isNative()) {
    const position = await import('../../lib/native/position.ts').then(({ locatePhone }) =>
      locatePhone(options),
    );
    if (typeof position === 'string') throw new PositionError(position);
    return position;
  }
  const source = globalThis.navigator?.geolocation;
  // Browsers share the location only with secure pages.
  if (!source || globalThis.isSecureContext === false) {
    throw new PositionError('unsupported');
  }
  return new Promise((resolve, reject) => {
    source.getCurrentPosition(
      ({ coords }) =>
        resolve({ lat: coords.latitude, lng: coords.longitude, accuracyM: Math.round(coords.accuracy) }),
      ({ code }) => reject(new PositionError(code === 1 ? 'denied' : code === 3 ? 'timeout' : 'unavailable')),
      options,
    );
  });
}
