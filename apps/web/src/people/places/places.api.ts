/** The public parts of places (docs/architecture.md). Picker, list of names and map load on first use (ADR 20). */

export { locateDevice, PositionError } from './device-position.ts';
export { type Here, rememberPlace, useRememberedPlace } from './here.ts';

import { lazyPart } from '../../lib/pages/load-part.ts';

export { labelOfPoint, pinCountry, splitByPlace } from './find-place.ts';
export type { MapPin } from './map/map-pins.ts';
export { positionProblemText } from './place.labels.ts';
export { useMapSettings, useStartPlace } from './start-place.ts';
export { useTravelText } from './use-travel.ts';

/** Render it inside a Suspense. */
export const PlacePicker = lazyPart(() => import('./place-picker.tsx'));

/** The map; fills its positioned parent. Render it inside a Suspense. */
export const PlacesMap = lazyPart(() => import('./map/map-view.tsx'));
