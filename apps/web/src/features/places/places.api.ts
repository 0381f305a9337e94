/**
 * What other slices may use of places: where a person looks for work, names of points, the field of a form and the map. Other slices import
 * this file only (docs/architecture.md); the picker, the list of names and the map load when they are first shown (ADR 0020, 0021).
 */

export { AddressFields } from './address-fields.tsx';
export { metresBetween } from './geo.ts';
export {
  type Here,
  locateDevice,
  PositionError,
  rememberPlace,
  useRememberedPlace,
} from './here.ts';

import { lazyPart } from '../../lib/load-part.ts';

export type { MapPin } from './map-pins.ts';
export { PlaceField } from './place-field.tsx';
export { labelOfPoint, positionTroubleText } from './place-words.ts';
export { useMapSettings, useStartPlace } from './start-place.ts';

/** The sheet that chooses a place: `<PlacePicker open onClose onPick title near? precise? />`, inside a Suspense. */
export const PlacePicker = lazyPart(() => import('./place-picker.tsx'));

/** The map; fills its positioned parent. `<PlacesMap styleUrl centre reachM label pins? selected? onSelect? … />`, inside a Suspense. */
export const PlacesMap = lazyPart(() => import('./map-view.tsx'));
