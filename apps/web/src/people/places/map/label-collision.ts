import type { Feature, Point as PointShape } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';

const step = 8;

/** The name of a transparent icon of about this size, in pixels. */
export const boxId = (width: number, height: number): string =>
  `box-${Math.ceil(width / step) * step}x${Math.ceil(height / step) * step}`;

export const labelRoom = (
  at: { lng: number; lat: number },
  width: number,
  height: number,
): Feature<PointShape> => ({
  type: 'Feature',
  properties: { box: boxId(width, height), anchor: 'center' },
  geometry: { type: 'Point', coordinates: [at.lng, at.lat] },
});

/** Generates transparent icons on demand, so that the map's label collision avoids our HTML markers. */
export function makeBoxes(map: MapLibreMap): void {
  map.setMissingStyleImageResolver((id) => {
    const [, width, height] = /^box-(\d+)x(\d+)$/.exec(id) ?? [];
    if (!width || !height || map.hasImage(id)) return;
    const size = { width: Number(width), height: Number(height) };
    map.addImage(id, { ...size, data: new Uint8Array(size.width * size.height * 4) });
  });
}
