import { DARK, type Flavor, LIGHT, layers as protomapsLayers } from '@protomaps/basemaps';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { mapFont } from './map-style.ts';
import { isDark, type MapTheme } from './map-theme.ts';
import { openMapTilesLayers } from './openmaptiles-layers.ts';
import { type StreetColours, streetColours } from './street-colours.ts';

/** How the tiles name what they hold. */
export type TileSchema = 'protomaps' | 'openmaptiles';

/** The source that the layers draw from. */
export const streetSource = 'streets';

/** Without a sprite nothing can be drawn of these; our own ground stands below the tiles. */
const leftOut = new Set(['background', 'pois', 'roads_shields', 'roads_oneway', 'address_label']);

/** The library's flavor in our colours: what it doesn't name here, such as an airfield, keeps its place between them. */
function flavorOf(colours: StreetColours, dark: boolean): Flavor {
  const base = dark ? DARK : LIGHT;
  const { land, water, park, built, building, road, roadEdge, mainRoad, rail, border } = colours;
  const { text, text2, waterText } = colours;
  const named = (part: RegExp, colour: string) =>
    Object.fromEntries(
      Object.keys(base)
        .filter((key) => part.test(key))
        .map((key) => [key, colour]),
    );
  const { landcover: _, pois: __, ...plain } = base;
  return {
    ...plain,
    ...named(/^(hospital|industrial|school|pedestrian|aerodrome|military|glacier|sand|beach)$/, built),
    ...named(/^(park|wood|scrub)_|^zoo$/, park),
    ...named(/^(other|minor|link|tunnel|bridges)/, road),
    ...named(/^(major|highway)$|_(major|highway)$/, mainRoad),
    ...named(/_casing/, roadEdge),
    ...named(/_label(_|$)|_label$/, text2),
    ...named(/_halo$/, land),
    earth: land,
    background: land,
    water,
    buildings: building,
    railway: rail,
    boundaries: border,
    runway: road,
    pier: road,
    ocean_label: waterText,
    city_label: text,
    roads_label_major: text2,
  };
}

/** In the reader's language where the tiles know it, otherwise as signs there say it. */
const nameIn = (language: string): ExpressionSpecification => [
  'coalesce',
  ['get', `name:${language}`],
  ['get', 'name'],
];

/** A text in the page's font: the library's own lines of several scripts each ask for a font of theirs. */
function inOurFont(layer: LayerSpecification, language: string): LayerSpecification {
  if (layer.type !== 'symbol') return layer;
  const { 'icon-image': _, ...layout } = layer.layout ?? {};
  return { ...layer, layout: { ...layout, 'text-field': nameIn(language), 'text-font': mapFont } };
}

/** Every layer of a street map, in our colours. Names come in the reader's language where the tiles know them. */
export function streetLayers(schema: TileSchema, theme: MapTheme, language: string): LayerSpecification[] {
  const colours = streetColours(theme);
  if (schema === 'openmaptiles') return openMapTilesLayers(streetSource, colours, language);
  const flavor = flavorOf(colours, isDark(theme));
  return (protomapsLayers(streetSource, flavor, { lang: language }) as LayerSpecification[])
    .filter(({ id }) => !leftOut.has(id))
    .map((layer) => inOurFont(layer, language));
}
