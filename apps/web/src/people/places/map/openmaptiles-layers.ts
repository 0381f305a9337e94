import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  LineLayerSpecification,
} from 'maplibre-gl';
import { mapFont } from './map-style.ts';
import type { StreetColours } from './street-colours.ts';

/** The width of a street by zoom, in pixels; at zoom 18 as wide as about ten metres. */
const widths: Record<string, ExpressionSpecification> = {
  path: ['interpolate', ['exponential', 1.6], ['zoom'], 14, 0.4, 18, 3],
  small: ['interpolate', ['exponential', 1.6], ['zoom'], 12, 0.4, 15, 3, 18, 13],
  main: ['interpolate', ['exponential', 1.6], ['zoom'], 8, 0.6, 12, 1.8, 15, 5, 18, 18],
  large: ['interpolate', ['exponential', 1.6], ['zoom'], 5, 0.6, 12, 2.4, 15, 6, 18, 20],
};
const wider = (width: ExpressionSpecification): ExpressionSpecification =>
  width.map((part, at) =>
    at > 3 && at % 2 === 0 && typeof part === 'number' ? part + 1.6 : part,
  ) as ExpressionSpecification;

const isOf = (...classes: string[]): FilterSpecification => ['in', ['get', 'class'], ['literal', classes]];
const streets: { id: string; classes: string[]; width: string; minzoom: number }[] = [
  { id: 'path', classes: ['path', 'track', 'service'], width: 'path', minzoom: 14 },
  { id: 'small', classes: ['minor', 'busway', 'pedestrian'], width: 'small', minzoom: 12 },
  { id: 'main', classes: ['secondary', 'tertiary'], width: 'main', minzoom: 9 },
  { id: 'large', classes: ['motorway', 'trunk', 'primary'], width: 'large', minzoom: 5 },
];

/** The layers for tiles of the OpenMapTiles schema (openmaptiles.org/schema). */
export function openMapTilesLayers(
  source: string,
  colours: StreetColours,
  language: string,
): LayerSpecification[] {
  const name: ExpressionSpecification = [
    'coalesce',
    ['get', `name:${language}`],
    ['get', 'name:latin'],
    ['get', 'name'],
  ];
  const fill = (id: string, layer: string, colour: string, filter?: FilterSpecification) =>
    ({
      id: `omt-${id}`,
      type: 'fill',
      source,
      'source-layer': layer,
      ...(filter ? { filter } : {}),
      paint: { 'fill-color': colour },
    }) as LayerSpecification;
  const street = (
    edge: boolean,
    { id, classes, width, minzoom }: (typeof streets)[number],
  ): LineLayerSpecification => ({
    id: `omt-road-${id}${edge ? '-edge' : ''}`,
    type: 'line',
    source,
    minzoom,
    'source-layer': 'transportation',
    filter: isOf(...classes),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: {
      'line-color': edge
        ? colours.roadEdge
        : id === 'large' || id === 'main'
          ? colours.mainRoad
          : colours.road,
      'line-width': edge ? wider(widths[width] as ExpressionSpecification) : widths[width],
    },
  });
  const text = (id: string, layer: string, rest: Record<string, unknown>, colour: string) => {
    const { filter, minzoom, ...layout } = rest;
    return {
      id: `omt-${id}`,
      type: 'symbol',
      source,
      'source-layer': layer,
      ...(filter ? { filter } : {}),
      ...(minzoom ? { minzoom } : {}),
      layout: { 'text-field': name, 'text-font': mapFont, 'text-max-width': 8, ...layout },
      paint: { 'text-color': colour, 'text-halo-color': colours.land, 'text-halo-width': 1.3 },
    } as LayerSpecification;
  };
  return [
    fill('green', 'landcover', colours.park, isOf('wood', 'grass', 'wetland', 'farmland')),
    fill('built', 'landuse', colours.built, isOf('industrial', 'commercial', 'hospital', 'school')),
    fill('rest', 'landuse', colours.park, isOf('cemetery', 'pitch', 'playground', 'stadium')),
    fill('park', 'park', colours.park),
    fill('water', 'water', colours.water),
    {
      id: 'omt-waterway',
      type: 'line',
      source,
      'source-layer': 'waterway',
      minzoom: 9,
      paint: {
        'line-color': colours.water,
        'line-width': ['interpolate', ['exponential', 1.6], ['zoom'], 9, 0.5, 18, 10],
      },
    },
    { ...fill('building', 'building', colours.building), minzoom: 13 } as LayerSpecification,
    ...streets.map((layer) => street(true, layer)),
    ...streets.map((layer) => street(false, layer)),
    {
      id: 'omt-rail',
      type: 'line',
      source,
      'source-layer': 'transportation',
      minzoom: 11,
      filter: isOf('rail', 'transit'),
      paint: { 'line-color': colours.rail, 'line-width': 1 },
    },
    {
      id: 'omt-border',
      type: 'line',
      source,
      'source-layer': 'boundary',
      filter: ['all', ['<=', ['get', 'admin_level'], 4], ['!=', ['get', 'maritime'], 1]],
      paint: { 'line-color': colours.border, 'line-width': 1, 'line-dasharray': [3, 2] },
    },
    text(
      'street-name',
      'transportation_name',
      { minzoom: 13, 'symbol-placement': 'line', 'text-size': 12, 'text-max-width': 20 },
      colours.text2,
    ),
    text('water-name', 'water_name', { 'text-size': 12 }, colours.waterText),
    text(
      'quarter',
      'place',
      {
        filter: isOf('suburb', 'quarter', 'neighbourhood'),
        minzoom: 11,
        'text-size': 11,
        'text-transform': 'uppercase',
        'text-letter-spacing': 0.08,
        'symbol-sort-key': ['coalesce', ['get', 'rank'], 99],
      },
      colours.text2,
    ),
    text(
      'town',
      'place',
      {
        filter: isOf('city', 'town', 'village', 'hamlet'),
        'text-size': ['match', ['get', 'class'], 'city', 16, 'town', 14, 12],
        'symbol-sort-key': ['coalesce', ['get', 'rank'], 99],
      },
      colours.text,
    ),
  ];
}
