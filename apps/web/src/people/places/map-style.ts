import type { Map as MapLibreMap, StyleSpecification } from 'maplibre-gl';
import type { MapTheme } from './map-theme.ts';

/** The background without a configured map style: land, water and coast. */
export const ownGround = (theme: MapTheme): StyleSpecification => ({
  version: 8,
  sources: {
    land: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, tolerance: 0.2 },
    coast: { type: 'geojson', data: { type: 'FeatureCollection', features: [] }, tolerance: 0.2 },
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

const empty = { type: 'FeatureCollection' as const, features: [] };

/** Adds rings and blurred places above the background. Safe to call again after a style change. */
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

/** Repaints our own layers in the page's colours. */
export function paint(map: MapLibreMap, theme: MapTheme, landKnown: boolean): void {
  const set = (layer: string, property: 'background-color' | 'fill-color' | 'line-color', value: string) => {
    if (map.getLayer(layer)) map.setPaintProperty(layer, property, value);
  };
  set('sea', 'background-color', landKnown ? theme.water : theme.land);
  set('land', 'fill-color', theme.land);
  set('coast', 'line-color', theme.edge);
  set('ring-fill', 'fill-color', theme.ring);
  set('ring-first', 'line-color', theme.ring);
  set('ring-more', 'line-color', theme.ring);
  set('blurred', 'fill-color', theme.here);
}
