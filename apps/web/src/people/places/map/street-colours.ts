import { isDark, type MapTheme, mixColours } from './map-theme.ts';

export type StreetColours = Record<
  | 'land'
  | 'water'
  | 'park'
  | 'built'
  | 'building'
  | 'road'
  | 'roadEdge'
  | 'mainRoad'
  | 'rail'
  | 'border'
  | 'text'
  | 'text2'
  | 'waterText',
  string
>;

/** Streets lighter than the land, in dark mode too, and everything quieter than our rings and pins. */
export function streetColours(theme: MapTheme): StreetColours {
  const { land, water, ring, edge, text, text2 } = theme;
  const dark = isDark(theme);
  const light = dark ? '#9fb5aa' : '#ffffff';
  return {
    land,
    water,
    text,
    text2,
    park: mixColours(land, dark ? '#3f7a58' : '#7fae84', dark ? 0.22 : 0.3),
    built: mixColours(land, text, dark ? 0.03 : 0.025),
    building: mixColours(land, text, dark ? 0.09 : 0.1),
    road: mixColours(land, light, dark ? 0.2 : 0.85),
    mainRoad: mixColours(land, light, dark ? 0.34 : 1),
    roadEdge: mixColours(land, dark ? '#000000' : text, dark ? 0.35 : 0.17),
    rail: mixColours(land, edge, 0.55),
    border: mixColours(land, edge, 0.8),
    waterText: mixColours(water, dark ? light : ring, dark ? 0.75 : 0.7),
  };
}
