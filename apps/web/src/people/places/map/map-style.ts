import type {
  LayerSpecification,
  Map as MapLibreMap,
  MapSourceDataEvent,
  StyleSpecification,
  VariableAnchorOffsetCollectionSpecification,
} from 'maplibre-gl';
import type { MapTheme } from './map-theme.ts';

/** The page's own font, so no font server is needed. MapLibre reads the weight from the first name. */
export const mapFont = ['Semibold', 'Figtree Variable'];

const empty = { type: 'FeatureCollection' as const, features: [] };

/** The background that needs no server: land, water and coast. */
export const ownGround = (theme: MapTheme): StyleSpecification => ({
  version: 8,
  sources: {
    land: { type: 'geojson', data: empty, tolerance: 0.2 },
    coast: { type: 'geojson', data: empty, tolerance: 0.2 },
  },
  layers: [
    // Land colour until the coast has loaded, so no city starts as sea.
    { id: 'sea', type: 'background', paint: { 'background-color': theme.land } },
    {
      id: 'land',
      type: 'fill',
      source: 'land',
      paint: { 'fill-color': theme.land, 'fill-antialias': false },
    },
    {
      id: 'coast',
      type: 'line',
      source: 'coast',
      paint: { 'line-color': theme.edge, 'line-opacity': 0.45, 'line-width': 1 },
    },
  ],
});

/** The lowest of our layers above the background. Layers of the street map go below this one. */
export const lowestOverlay = 'ring-fill';

/** Anchors of a name with offsets in ems, nearest first: in a busy town, pins cover most places themselves. */
const namePositions: VariableAnchorOffsetCollectionSpecification = (
  [
    ['center', 0, 0],
    ['bottom', 0, -1],
    ['top', 0, 1],
    ['left', 1, 0],
    ['right', -1, 0],
    ['bottom', 0, -2.5],
    ['top', 0, 2.5],
    ['left', 2.5, 0],
    ['right', -2.5, 0],
  ] as const
).flatMap(([anchor, x, y]) => [anchor, [x, y] as [number, number]]);

/** MapLibre places texts from the topmost layer down, so names give way to pins, and street names to place names. */
const overlays = (theme: MapTheme): LayerSpecification[] => [
  {
    id: lowestOverlay,
    type: 'fill',
    source: 'rings',
    filter: ['==', ['get', 'first'], true],
    paint: { 'fill-color': theme.ring, 'fill-opacity': 0.05 },
  },
  {
    id: 'blurred',
    type: 'fill',
    source: 'blurred',
    paint: { 'fill-color': theme.here, 'fill-opacity': 0.14 },
  },
  {
    id: 'ring-first',
    type: 'line',
    source: 'rings',
    filter: ['==', ['get', 'first'], true],
    paint: { 'line-color': theme.ring, 'line-width': 1.6, 'line-opacity': 0.75 },
  },
  {
    id: 'ring-more',
    type: 'line',
    source: 'rings',
    filter: ['==', ['get', 'first'], false],
    layout: { 'line-cap': 'round' },
    paint: { 'line-color': theme.ring, 'line-width': 1.5, 'line-opacity': 0.55, 'line-dasharray': [0, 4] },
  },
  {
    id: 'names',
    type: 'symbol',
    source: 'names',
    layout: {
      'text-field': ['get', 'name'],
      'text-font': mapFont,
      'text-size': ['case', ['get', 'quarter'], 12, 14],
      'text-transform': ['case', ['get', 'quarter'], 'uppercase', 'none'],
      'text-letter-spacing': ['case', ['get', 'quarter'], 0.08, 0],
      'text-padding': 3,
      'text-max-width': 9,
      'text-justify': 'auto',
      'text-variable-anchor-offset': namePositions,
      'symbol-sort-key': ['get', 'order'],
    },
    paint: { 'text-color': theme.text2, 'text-halo-color': theme.land, 'text-halo-width': 1.4 },
  },
  {
    id: 'room',
    type: 'symbol',
    source: 'room',
    layout: {
      'icon-image': ['get', 'box'],
      'icon-anchor': ['get', 'anchor'],
      'icon-allow-overlap': true,
      'icon-padding': 1,
    },
  },
];

/** Adds our own layers above the background. Safe to call again after a style change. */
export function addOwnLayers(map: MapLibreMap, theme: MapTheme): void {
  for (const id of ['rings', 'blurred', 'names', 'room'])
    if (!map.getSource(id)) map.addSource(id, { type: 'geojson', data: empty, tolerance: 0 });
  if (map.getLayer(lowestOverlay)) return;
  for (const layer of overlays(theme)) map.addLayer(layer);
}

/**
 * Runs once the new data of a source is ready to draw. The map's `idle` would also wait for every other source:
 * street tiles that never come, or pins that are still arriving.
 */
export function onceLoaded(
  map: Pick<MapLibreMap, 'on' | 'off' | 'isSourceLoaded'>,
  source: string,
  run: () => void,
): void {
  const onData = ({ sourceId, tile }: MapSourceDataEvent) => {
    // Without a tile, the event comes before the tiles are reloaded with the new data.
    if (sourceId !== source || !tile || !map.isSourceLoaded(source)) return;
    map.off('sourcedata', onData);
    run();
  };
  map.on('sourcedata', onData);
}

export function repaintLayers(map: MapLibreMap, layers: readonly LayerSpecification[]): void {
  for (const { id, paint = {} } of layers) {
    if (!map.getLayer(id)) continue;
    for (const [name, value] of Object.entries(paint))
      if (name.endsWith('-color')) map.setPaintProperty(id, name as 'fill-color', value);
  }
}

export function paintMap(map: MapLibreMap, theme: MapTheme, landKnown: boolean): void {
  repaintLayers(map, [...ownGround(theme).layers, ...overlays(theme)]);
  if (map.getLayer('sea')) {
    map.setPaintProperty('sea', 'background-color', landKnown ? theme.water : theme.land);
  }
}
