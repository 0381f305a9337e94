import type { MapTiles, Point } from '@nearhand/contract/people/places';
import { type GeoJSONSource, type LayerSpecification, Map as MapLibreMap, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import { type Gazetteer, placesInside } from '../gazetteer.ts';
import { loadGazetteer } from '../gazetteer-source.ts';
import { circleAround } from '../geo.ts';
import { labelRoom, makeBoxes } from './label-collision.ts';
import { loadLand, tilesIn } from './land.ts';
import type { Credit } from './map-credits.ts';
import { blurShapes, ringShapes, ringsFor } from './map-rings.ts';
import { addOwnLayers, lowestOverlay, onceLoaded, ownGround, paintMap, repaintLayers } from './map-style.ts';
import { type MapTheme, readTheme, watchTheme } from './map-theme.ts';
import { PinMarkers, type Pins, roomOf, spanElement } from './pin-markers.ts';
import { RingLabels } from './ring-labels.ts';
import { SpotLayer } from './spot-layer.ts';

setWorkerUrl(workerUrl);

export type Camera = { center: [lng: number, lat: number]; zoom: number };

/** The area that overlays cover at the edges, in pixels: the centre and the selected pin stay clear of it. */
export type Padding = { top?: number; bottom?: number };

export type MapOptions = {
  styleUrl: string | null;
  tiles: MapTiles | null;
  language: string;
  centre: Point;
  /** Radius of the first view, in metres. */
  reachM: number;
  label: string;
  rings: boolean;
  camera?: Camera;
  padding?: Padding;
  groupName: (count: number) => string;
  onSelect: (pins: string[]) => void;
  onMove?: (middle: Point) => void;
  /** Called with the credits once streets are drawn, and with null if there are none. */
  onStreets: (credits: readonly Credit[] | null) => void;
  onFail: () => void;
};

type Streets = {
  layers: (theme: MapTheme) => LayerSpecification[];
  covers: (point: Point, zoom: number) => boolean;
};

/** One map: background, rings, names and pins. React passes facts in; the map calls back. */
export class MapEngine {
  #map: MapLibreMap;
  #options: MapOptions;
  #element: HTMLElement;
  #theme: MapTheme;
  #stopTheme: () => void;
  #landKnown = false;
  #pieces = '';
  #styleKnown = false;
  #gazetteer: Gazetteer | null = null;
  #streets: Streets | null = null;
  #pins: Pins = { pins: [], selected: null, pointed: null, seen: new Set() };
  #layer: SpotLayer;
  #pinMarkers: PinMarkers;
  #ringLabels: RingLabels;
  #radii: number[] = [];
  #here: HTMLElement | null = null;
  #gone = false;
  #timeZone: string | undefined;

  constructor(element: HTMLElement, options: MapOptions) {
    this.#element = element;
    this.#options = options;
    this.#theme = readTheme(element);
    const reach = circleAround(options.centre, options.reachM, 4);
    const [north, east, south, west] = reach;
    this.#map = new MapLibreMap({
      container: element,
      style: options.styleUrl ?? ownGround(this.#theme),
      ...(options.camera ?? {
        bounds: [
          [west?.[0] ?? 0, south?.[1] ?? 0],
          [east?.[0] ?? 0, north?.[1] ?? 0],
        ],
        fitBoundsOptions: { padding: { top: 24, bottom: 24, left: 24, right: 24, ...options.padding } },
      }),
      minZoom: 2,
      maxZoom: 17,
      attributionControl: options.styleUrl ? { compact: true } : false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      fadeDuration: 0,
      locale: { 'Map.Title': options.label },
    });
    const { groupName, onSelect } = options;
    const layer = new SpotLayer(this.#map);
    this.#layer = layer;
    this.#pinMarkers = new PinMarkers({ map: this.#map, element, layer, groupName, onSelect });
    this.#ringLabels = new RingLabels(this.#map, element, layer);
    makeBoxes(this.#map);
    this.#map.touchZoomRotate.disableRotation();
    this.#map.keyboard.disableRotation();
    this.#map.on('style.load', () => this.#styled());
    this.#map.on('moveend', (event) => {
      this.#draw();
      if ((event as { originalEvent?: unknown }).originalEvent) this.#moved();
    });
    this.#map.on('click', () => this.#options.onSelect([]));
    this.#map.on('error', ({ error }) => {
      // The style's provider doesn't respond, so draw our own background. Later problems are left to the map.
      if (this.#styleKnown || !this.#options.styleUrl) return;
      console.warn('The map style could not be loaded', error);
      this.#options = { ...this.#options, styleUrl: null };
      this.#map.setStyle(ownGround(this.#theme));
    });
    this.#map.on('webglcontextlost', () => this.#options.onFail());
    this.#stopTheme = watchTheme(() => {
      this.#theme = readTheme(element);
      paintMap(this.#map, this.#theme, this.#landKnown);
      if (this.#streets) repaintLayers(this.#map, this.#streets.layers(this.#theme));
    });
    void loadGazetteer().then(
      (list) => {
        this.#gazetteer = list;
        if (!this.#gone) this.#drawNames();
      },
      () => {},
    );
  }

  remove(): void {
    this.#gone = true;
    this.#stopTheme();
    this.#map.remove();
  }

  camera(): Camera {
    const { lng, lat } = this.#map.getCenter();
    return { center: [lng, lat], zoom: this.#map.getZoom() };
  }

  resize(): void {
    this.#map.resize();
  }

  zoom(by: 1 | -1): void {
    if (by > 0) this.#map.zoomIn();
    else this.#map.zoomOut();
  }

  look(centre: Point, reachM: number): void {
    this.#options = { ...this.#options, centre, reachM };
    const [north, east, south, west] = circleAround(centre, reachM, 4);
    this.#map.fitBounds(
      [
        [west?.[0] ?? 0, south?.[1] ?? 0],
        [east?.[0] ?? 0, north?.[1] ?? 0],
      ],
      {
        padding: { top: 24, bottom: 24, left: 24, right: 24, ...this.#options.padding },
        maxZoom: 16,
        duration: 500,
      },
    );
    this.#drawRings();
    this.#drawPins();
  }

  measureAs(timeZone: string | undefined): void {
    if (timeZone === this.#timeZone) return;
    this.#timeZone = timeZone;
    this.#drawRings();
    this.#drawPins();
  }

  setPins(next: Pins): void {
    this.#pins = next;
    this.#drawPins();
    this.#showSelected();
  }

  keepClear(padding: Padding): void {
    this.#options = { ...this.#options, padding };
    this.#showSelected();
  }

  #showSelected(): void {
    const { pins, selected: id } = this.#pins;
    const selected = pins.find((pin) => pin.id === id);
    if (!selected || this.#inView(selected)) return;
    const { bottom = 0, top = 0 } = this.#options.padding ?? {};
    const offset: [number, number] = [0, (top - bottom) / 2];
    this.#map.panTo([selected.lng, selected.lat], { duration: 350, offset });
  }

  #inView(point: Point): boolean {
    const { x, y } = this.#map.project([point.lng, point.lat]);
    const { bottom = 0, top = 0 } = this.#options.padding ?? {};
    const { clientWidth, clientHeight } = this.#element;
    return x > 40 && x < clientWidth - 40 && y > 60 + top && y < clientHeight - 20 - bottom;
  }

  #moved(): void {
    const { lng, lat } = this.#map.getCenter().wrap();
    this.#options.onMove?.({ lat, lng });
  }

  #styled(): void {
    this.#styleKnown = true;
    addOwnLayers(this.#map, this.#theme);
    paintMap(this.#map, this.#theme, this.#landKnown);
    this.#draw();
    void this.#openStreets();
  }

  /** Our own background and names stay until the first tile arrives, and permanently if none does. */
  async #openStreets(): Promise<void> {
    const { tiles, styleUrl, language } = this.#options;
    if (styleUrl || this.#streets) return;
    if (!tiles) return this.#options.onStreets(null);
    const { firstTile, openStreetTiles, streetLayers, streetSource } = await import('./street-tiles.ts');
    const added: string[] = [];
    try {
      const { source, schema, credits, bounds, minZoom } = await openStreetTiles(tiles);
      if (this.#gone) return;
      const [west, south, east, north] = bounds;
      const layers = (theme: MapTheme) => streetLayers(schema, theme, language);
      this.#map.addSource(streetSource, source);
      const arrival = firstTile(this.#map);
      for (const layer of layers(this.#theme)) {
        this.#map.addLayer(layer, layer.type === 'symbol' ? 'names' : lowestOverlay);
        added.push(layer.id);
      }
      await arrival;
      if (this.#gone) return;
      this.#streets = {
        layers,
        covers: ({ lat, lng }, zoom) =>
          zoom >= minZoom && lng > west && lng < east && lat > south && lat < north,
      };
      repaintLayers(this.#map, layers(this.#theme));
      this.#drawNames();
      this.#options.onStreets(credits);
    } catch (failure) {
      console.warn('The map goes on without streets', failure);
      if (this.#gone) return;
      for (const id of added) this.#map.removeLayer(id);
      if (this.#map.getSource(streetSource)) this.#map.removeSource(streetSource);
      this.#options.onStreets(null);
    }
  }

  #set(source: string, data: GeoJSON.GeoJSON): void {
    this.#map.getSource<GeoJSONSource>(source)?.setData(data);
  }

  #box() {
    const bounds = this.#map.getBounds();
    return {
      west: bounds.getWest(),
      south: bounds.getSouth(),
      east: bounds.getEast(),
      north: bounds.getNorth(),
    };
  }

  #draw(): void {
    if (this.#gone) return;
    void this.#drawLand();
    this.#drawRings();
    this.#drawNames();
    this.#drawPins();
    this.#layer.settle();
  }

  async #drawLand(): Promise<void> {
    if (this.#options.styleUrl) return;
    const names = tilesIn(this.#box(), this.#map.getZoom());
    if (names.join() === this.#pieces) return;
    this.#pieces = names.join();
    try {
      const land = await loadLand(names);
      if (this.#gone || this.#pieces !== names.join()) return;
      // Colour the sea only once the land is there, or everything flashes as water.
      onceLoaded(this.#map, 'land', () => {
        this.#landKnown = true;
        paintMap(this.#map, this.#theme, true);
      });
      this.#set('land', land.ground);
      this.#set('coast', land.coast);
    } catch {
      // Offline and not cached, so there is no coastline. The next move retries.
      this.#pieces = '';
    }
  }

  #drawRings(): void {
    if (!this.#options.rings || !this.#map.getSource('rings')) return;
    const { centre } = this.#options;
    const at = this.#map.project([centre.lng, centre.lat]);
    const [edge] = circleAround(centre, 1_000, 4);
    const up = this.#map.project([edge?.[0] ?? 0, edge?.[1] ?? 0]);
    const radii = ringsFor(Math.abs(at.y - up.y) / 1_000, this.#timeZone);
    this.#set('rings', ringShapes(centre, radii));
    this.#radii = radii;
    if (!this.#here) {
      this.#here = spanElement('map-spot');
      this.#here.append(spanElement('map-here'));
      this.#here.setAttribute('aria-hidden', 'true');
    }
    this.#layer.put(this.#here, centre);
  }

  /** Draws names of our own list if no street map names its places. */
  #drawNames(): void {
    if (!this.#gazetteer || this.#options.styleUrl) return;
    const zoom = this.#map.getZoom();
    const { lat, lng } = this.#map.getCenter();
    const metresPerPx = (40_075_017 * Math.cos((lat * Math.PI) / 180)) / (512 * 2 ** zoom);
    const inside = this.#streets?.covers({ lat, lng }, zoom)
      ? []
      : placesInside(this.#gazetteer, this.#box(), {
          limit: 40,
          apartM: metresPerPx * 40,
          quarters: zoom > 10.8,
          towns: zoom < 12.6,
        });
    this.#set('names', {
      type: 'FeatureCollection',
      features: inside.map((place, order) => ({
        type: 'Feature',
        properties: { name: place.name, quarter: place.quarter, order },
        geometry: { type: 'Point', coordinates: [place.lng, place.lat] },
      })),
    });
  }

  #drawPins(): void {
    const { pins, selected } = this.#pins;
    const { centre } = this.#options;
    const groups = this.#pinMarkers.draw(this.#pins);
    const labels = this.#ringLabels.draw(centre, this.#radii, groups, this.#timeZone);
    const here = this.#here ? [labelRoom(centre, 32, 32)] : [];
    this.#set('room', {
      type: 'FeatureCollection',
      features: [...here, ...labels, ...groups.flatMap(roomOf)],
    });
    // Draws one disc only, because discs for all pins would cover the town.
    this.#set('blurred', blurShapes(pins.filter(({ id, blurred }) => blurred && id === selected)));
  }
}
