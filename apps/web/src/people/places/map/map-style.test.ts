import { validateStyleMin } from '@maplibre/maplibre-gl-style-spec';
import type { LayerSpecification } from 'maplibre-gl';
import { describe, expect, it, vi } from 'vitest';
import { addOwnLayers, onceLoaded, ownGround } from './map-style.ts';
import { isDark, mixColours } from './map-theme.ts';
import { streetLayers } from './street-tiles.ts';

const theme = {
  land: '#ece6d8',
  water: '#bfd9dc',
  ring: '#12352a',
  here: '#1e5fb0',
  edge: '#858b7f',
  text: '#12352a',
  text2: 'rgb(74, 96, 86)',
};

describe('ownGround', () => {
  it('draws land, water and coast, and nothing without data', () => {
    const style = ownGround(theme);
    expect(Object.keys(style.sources)).toEqual(['land', 'coast']);
    expect(style.layers.map((layer) => layer.id)).toEqual(['sea', 'land', 'coast']);
  });
});

describe('addOwnLayers', () => {
  it('lets names move out of the way of pins', () => {
    const sources: Record<string, object> = {};
    const layers: LayerSpecification[] = [];
    const map = {
      getSource: (id: string) => sources[id],
      addSource: (id: string, source: object) => {
        sources[id] = source;
      },
      getLayer: () => undefined,
      addLayer: (layer: LayerSpecification) => layers.push(layer),
    };
    addOwnLayers(map as never, theme);
    expect(validateStyleMin({ version: 8, sources, layers } as never)).toEqual([]);
    const names = layers.find(({ id }) => id === 'names');
    const positions = (names?.layout as { 'text-variable-anchor-offset'?: unknown[] } | undefined)?.[
      'text-variable-anchor-offset'
    ];
    expect(positions?.filter((part) => typeof part === 'string').length).toBeGreaterThan(4);
  });
});

describe('onceLoaded', () => {
  it('runs with the last tile of its source, whatever the others still load', () => {
    const listeners = new Set<(event: object) => void>();
    let loaded = false;
    const map = {
      on: (_name: string, listener: (event: object) => void) => listeners.add(listener),
      off: (_name: string, listener: (event: object) => void) => listeners.delete(listener),
      isSourceLoaded: (source: string) => source === 'land' && loaded,
    };
    const fire = (event: object) => {
      for (const listener of [...listeners]) listener(event);
    };
    const run = vi.fn();
    onceLoaded(map as never, 'land', run);
    fire({ sourceId: 'land', tile: {} });
    loaded = true;
    fire({ sourceId: 'streets', tile: {} });
    fire({ sourceId: 'land', sourceDataType: 'content' });
    expect(run).not.toHaveBeenCalled();
    fire({ sourceId: 'land', tile: {} });
    fire({ sourceId: 'land', tile: {} });
    expect(run).toHaveBeenCalledOnce();
    expect(listeners.size).toBe(0);
  });
});

describe('colours', () => {
  it('mix, in any browser format', () => {
    expect(mixColours('#000000', 'rgb(255, 255, 255)', 0.5)).toBe('rgb(128, 128, 128)');
    expect(isDark(theme)).toBe(false);
    expect(isDark({ land: 'rgb(19, 28, 24)' })).toBe(true);
  });
});

describe('streetLayers', () => {
  it.each(['protomaps', 'openmaptiles'] as const)('makes a valid style of the schema %s', (schema) => {
    for (const language of ['en', 'ar']) {
      const layers = streetLayers(schema, theme, language);
      const style = { version: 8, sources: { streets: { type: 'vector', url: 'pmtiles://x' } }, layers };
      expect(validateStyleMin(style as never)).toEqual([]);
      expect(new Set(layers.map(({ id }) => id)).size).toBe(layers.length);
    }
  });

  it.each(['protomaps', 'openmaptiles'] as const)('loads no fonts and pictures: %s', (schema) => {
    const asking = (what: string) =>
      streetLayers(schema, theme, 'nl').flatMap(({ id, layout = {} }) =>
        JSON.stringify(layout).includes(what) ? [id] : [],
      );
    expect(asking('icon-image')).toEqual([]);
    expect(asking('Noto')).toEqual([]);
    expect(asking('Figtree Variable').length).toBeGreaterThan(3);
  });

  it.each(['protomaps', 'openmaptiles'] as const)('follows the theme, with the same layers: %s', (schema) => {
    const dark = { ...theme, land: '#131c18', text: '#f4f1e8' };
    const day = streetLayers(schema, theme, 'en');
    const night = streetLayers(schema, dark, 'en');
    expect(night.map(({ id }) => id)).toEqual(day.map(({ id }) => id));
    expect(night).not.toEqual(day);
  });
});
