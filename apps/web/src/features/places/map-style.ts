import type { LayerSpecification, Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import type { MapTheme } from './map-theme.ts';

/** Our own ground, for when no map style is configured: paper, water and coast, and the sketch of the demo town. */
export const ownGround = (theme: MapTheme): StyleSpecification => ({
  version: 8,
  sources: {
    land: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, tolerance: 0.2 },
    coast: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, tolerance: 0.2 },
    sketch: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, tolerance: 0.1 },
  },
  layers: [
    // Paper until the coast is known, so that no city starts out as sea.
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
    sketchLines('road', theme.street),
    sketchAreas('park', theme.park),
    sketchAreas('water', theme.water),
    sketchLines('canal', theme.water),
  ],
});

/** Pixels a metre at zoom 10, at the latitude of the sketch. */
const pxPerM = 1 / 46.6;

function sketchLines(kind: 'road' | 'canal', colour: string): LayerSpecification {
  return {
    id: `sketch-${kind}`,
    type: 'line',
    source: 'sketch',
    minzoom: 9.5,
    filter: ['==', ['get', 'kind'], kind],
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': colour,
      'line-width': [
        'interpolate',
        ['exponential', 2],
        ['zoom'],
        10,
        ['*', ['get', 'metres'], pxPerM],
        18,
        ['*', ['get', 'metres'], pxPerM * 256],
      ],
    },
  };
}

const sketchAreas = (kind: 'park' | 'water', colour: string): LayerSpecification => ({
  id: `sketch-${kind}`,
  type: 'fill',
  source: 'sketch',
  minzoom: 9.5,
  filter: ['==', ['get', 'kind'], kind],
  paint: { 'fill-color': colour },
});

const empty = { type: 'FeatureCollection' as const, features: [] };

/** Rings and blurred places, above whatever ground there is. Safe to call again after a change of style. */
export function addOwnLayers(map: MapLibreMap, theme: MapTheme): void {
  for (const id of ['rings', 'blurred'])
    if (!map.getSource(id)) map.addSource(id, { type: 'geojson', data: empty, tolerance: 0 });
  if (map.getLayer('ring-fill')) return;
  map.addLayer({
    id: 'ring-fill',
    type: 'fill',
    source: 'rings',
    filter: ['==', ['get', 'first'], true],
    paint: { 'fill-color': theme.ring, 'fill-opacity': 0.05 },
  });
  map.addLayer({
    id: 'blurred',
    type: 'fill',
    source: 'blurred',
    paint: { 'fill-color': theme.here, 'fill-opacity': 0.07 },
  });
  map.addLayer({
    id: 'ring-first',
    type: 'line',
    source: 'rings',
    filter: ['==', ['get', 'first'], true],
    paint: { 'line-color': theme.ring, 'line-width': 1.6, 'line-opacity': 0.75 },
  });
  map.addLayer({
    id: 'ring-more',
    type: 'line',
    source: 'rings',
    filter: ['==', ['get', 'first'], false],
    layout: { 'line-cap': 'round' },
    paint: { 'line-color': theme.ring, 'line-width': 1.5, 'line-opacity': 0.55, 'line-dasharray': [0, 4] },
  });
}

/** Paints everything of ours in the colours of the page. */
export function paint(map: MapLibreMap, theme: MapTheme, landKnown: boolean): void {
  const set = (layer: string, property: 'background-color' | 'fill-color' | 'line-color', value: string) => {
    if (map.getLayer(layer)) map.setPaintProperty(layer, property, value);
  };
  set('sea', 'background-color', landKnown ? theme.water : theme.land);
  set('land', 'fill-color', theme.land);
  set('coast', 'line-color', theme.edge);
  set('sketch-road', 'line-color', theme.street);
  set('sketch-park', 'fill-color', theme.park);
  set('sketch-water', 'fill-color', theme.water);
  set('sketch-canal', 'line-color', theme.water);
  set('ring-fill', 'fill-color', theme.ring);
  set('ring-first', 'line-color', theme.ring);
  set('ring-more', 'line-color', theme.ring);
  set('blurred', 'fill-color', theme.here);
}
