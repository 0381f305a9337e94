import type { Point } from '@nearhand/contract/people/places';
import { type GeoJSONSource, Map as MapLibreMap, Marker, setWorkerUrl } from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { Gazetteer } from './gazetteer.ts';
import { placesInside } from './gazetteer.ts';
import { loadGazetteer } from './gazetteer-source.ts';
import { circle } from './geo.ts';
import { landOf, piecesOf } from './land.ts';
import { canPart, groupPins, type MapPin } from './map-pins.ts';
import { blurShapes, labelPoint, ringLabel, ringShapes, ringsFor } from './map-rings.ts';
import { addOwnLayers, ownGround, paint } from './map-style.ts';
import { type MapTheme, readTheme, watchTheme } from './map-theme.ts';

setWorkerUrl(workerUrl);

export type Camera = { center: [lng: number, lat: number]; zoom: number };

export type MapOptions = {
  styleUrl: string | null;
  centre: Point;
  /** Radius of the first view, in metres. */
  reachM: number;
  /** The map's accessible name. */
  label: string;
  /** Shows rings around the centre and its point. */
  rings: boolean;
  /** The view of an earlier map of this page, to restore. */
  camera?: Camera | undefined;
  /** Keeps the centre clear of overlays. */
  padding?: { top?: number; bottom?: number; left?: number; right?: number };
  groupName: (count: number) => string;
  onSelect: (pins: string[]) => void;
  /** Called with the new centre after the user moved the map. */
  onMove?: (middle: Point) => void;
  onFail: () => void;
};

type Pins = { pins: readonly MapPin[]; selected: string | null; seen: ReadonlySet<string> };

const span = (className: string, text = ''): HTMLElement => {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
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
  #pins: Pins = { pins: [], selected: null, seen: new Set() };
  #pinMarkers = new Map<string, Marker>();
  #nameMarkers = new Map<string, Marker>();
  #ringMarkers: Marker[] = [];
  #here: Marker | null = null;
  #gone = false;
  #timeZone: string | undefined;

  constructor(element: HTMLElement, options: MapOptions) {
    this.#element = element;
    this.#options = options;
    this.#theme = readTheme(element);
    const reach = circle(options.centre, options.reachM, 4);
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
    this.#map.touchZoomRotate.disableRotation();
    this.#map.keyboard.disableRotation();
    this.#map.on('style.load', () => this.#styled());
    this.#map.on('moveend', (event) => {
      this.#draw();
      if ((event as { originalEvent?: unknown }).originalEvent) this.#moved();
    });
    this.#map.on('click', () => this.#options.onSelect([]));
    this.#map.on('error', ({ error }) => {
      // The style's provider doesn't respond, so draw our own background. Later problems, such as one tile, are left to the map.
      if (this.#styleKnown || !this.#options.styleUrl) return;
      console.warn('The map style could not be loaded', error);
      this.#options = { ...this.#options, styleUrl: null };
      this.#map.setStyle(ownGround(this.#theme));
    });
    this.#map.on('webglcontextlost', () => this.#options.onFail());
    this.#stopTheme = watchTheme(() => {
      this.#theme = readTheme(element);
      paint(this.#map, this.#theme, this.#landKnown);
    });
    void loadGazetteer().then(
      (list) => {
        this.#gazetteer = list;
        if (!this.#gone) this.#drawNames();
      },
      // Without the list, the map only lacks names.
      () => {},
    );
  }

  remove(): void {
    this.#gone = true;
    this.#stopTheme();
    this.#map.remove();
  }

  /** The current view, to restore it later. */
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

  /** Shows another centre. */
  look(centre: Point, reachM: number): void {
    this.#options = { ...this.#options, centre, reachM };
    const [north, east, south, west] = circle(centre, reachM, 4);
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
  }

  /** Rings in the units of this zone's country. */
  measureAs(timeZone: string | undefined): void {
    if (timeZone === this.#timeZone) return;
    this.#timeZone = timeZone;
    this.#drawRings();
  }

  setPins(next: Pins): void {
    this.#pins = next;
    this.#drawPins();
    this.#set('blurred', blurShapes(next.pins.filter((pin) => pin.blurred)));
    const selected = next.pins.find((pin) => pin.id === next.selected);
    if (selected && !this.#inView(selected)) this.#map.panTo([selected.lng, selected.lat], { duration: 350 });
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
    paint(this.#map, this.#theme, this.#landKnown);
    this.#drawRings();
    this.#draw();
    this.#set('blurred', blurShapes(this.#pins.pins.filter((pin) => pin.blurred)));
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
  }

  async #drawLand(): Promise<void> {
    if (this.#options.styleUrl) return;
    const names = piecesOf(this.#box(), this.#map.getZoom());
    if (names.join() === this.#pieces) return;
    this.#pieces = names.join();
    try {
      const land = await landOf(names);
      if (this.#gone || this.#pieces !== names.join()) return;
      this.#set('land', land.ground);
      this.#set('coast', land.coast);
      // Colour the sea only after the land is drawn, or everything flashes as water.
      this.#map.once('idle', () => {
        if (this.#gone) return;
        this.#landKnown = true;
        paint(this.#map, this.#theme, true);
      });
    } catch {
      // Offline and not cached: no coast. The next move retries.
      this.#pieces = '';
    }
  }

  #drawRings(): void {
    if (!this.#options.rings || !this.#map.getSource('rings')) return;
    const { centre } = this.#options;
    const at = this.#map.project([centre.lng, centre.lat]);
    const [edge] = circle(centre, 1_000, 4);
    const up = this.#map.project([edge?.[0] ?? 0, edge?.[1] ?? 0]);
    const radii = ringsFor(Math.abs(at.y - up.y) / 1_000, this.#timeZone);
    this.#set('rings', ringShapes(centre, radii));
    for (const marker of this.#ringMarkers) marker.remove();
    this.#ringMarkers = radii.map((metres) => {
      const label = span('map-spot');
      label.append(span('rlab', ringLabel(metres, this.#timeZone)));
      label.setAttribute('aria-hidden', 'true');
      const { lng, lat } = labelPoint(centre, metres);
      return new Marker({ element: label, anchor: 'top-left' }).setLngLat([lng, lat]).addTo(this.#map);
    });
    if (!this.#here) {
      const spot = span('map-spot');
      spot.append(span('map-here'));
      spot.setAttribute('aria-hidden', 'true');
      this.#here = new Marker({ element: spot, anchor: 'top-left' });
    }
    this.#here.setLngLat([centre.lng, centre.lat]).addTo(this.#map);
  }

  #drawNames(): void {
    if (!this.#gazetteer || this.#options.styleUrl) return;
    const zoom = this.#map.getZoom();
    const metresPerPx =
      (40_075_017 * Math.cos((this.#map.getCenter().lat * Math.PI) / 180)) / (512 * 2 ** zoom);
    const inside = placesInside(this.#gazetteer, this.#box(), {
      limit: 26,
      apartM: metresPerPx * 88,
      quarters: zoom > 10.8,
      towns: zoom < 12.6,
    });
    // The centre's name is in the bar, so it needs no label.
    const centre = this.#map.project([this.#options.centre.lng, this.#options.centre.lat]);
    const clear = inside.filter((place) => {
      const { x, y } = this.#map.project([place.lng, place.lat]);
      return !this.#options.rings || Math.abs(x - centre.x) > 58 || Math.abs(y - centre.y) > 30;
    });
    const wanted = new Set(clear.map((place) => `${place.name}${place.lat}`));
    for (const [key, marker] of this.#nameMarkers) {
      if (wanted.has(key)) continue;
      marker.remove();
      this.#nameMarkers.delete(key);
    }
    for (const place of clear) {
      const key = `${place.name}${place.lat}`;
      if (this.#nameMarkers.has(key)) continue;
      const spot = span('map-spot');
      spot.append(span(place.quarter ? 'map-name quarter' : 'map-name', place.name));
      spot.setAttribute('aria-hidden', 'true');
      const marker = new Marker({ element: spot, anchor: 'top-left' }).setLngLat([place.lng, place.lat]);
      this.#nameMarkers.set(key, marker.addTo(this.#map));
    }
  }

  #drawPins(): void {
    const { pins, selected, seen } = this.#pins;
    const { clientWidth, clientHeight } = this.#element;
    const placed = pins
      .map((pin) => ({ ...this.#map.project([pin.lng, pin.lat]), pin }))
      .map(({ x, y, pin }) => ({ x, y, pin }))
      .filter(({ x, y }) => x > -60 && y > -60 && x < clientWidth + 60 && y < clientHeight + 60);
    const groups = groupPins(placed, selected);
    const wanted = new Set<string>();
    for (const { pins: members } of groups) {
      const [first] = members;
      if (!first) continue;
      const key = `${first.id}:${members.length}`;
      wanted.add(key);
      let marker = this.#pinMarkers.get(key);
      if (!marker) {
        marker = this.#makePin(members);
        this.#pinMarkers.set(key, marker);
      }
      const button = marker.getElement().firstElementChild as HTMLElement;
      const on = members.some((pin) => pin.id === selected);
      button.className = [
        'pin',
        on ? 'on' : '',
        !on && members.every((pin) => seen.has(pin.id)) ? 'seen' : '',
      ]
        .filter(Boolean)
        .join(' ');
      button.setAttribute('aria-pressed', String(on));
      marker.getElement().classList.toggle('front', on);
    }
    for (const [key, marker] of this.#pinMarkers) {
      if (wanted.has(key)) continue;
      marker.remove();
      this.#pinMarkers.delete(key);
    }
  }

  #makePin(members: readonly MapPin[]): Marker {
    const [first] = members as [MapPin];
    const spot = span('map-spot pins');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = first.label;
    let name = first.name;
    if (members.length > 1) {
      const more = `+${members.length - 1}`;
      button.append(' ', span('pin-more', more));
      // The accessible name starts with the visible text (WCAG 2.5.3).
      name = `${first.label} ${more}, ${this.#options.groupName(members.length)}: ${first.name}`;
    }
    button.setAttribute('aria-label', name);
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      this.#press(members);
    });
    spot.append(button);
    return new Marker({ element: spot, anchor: 'top-left' })
      .setLngLat([first.lng, first.lat])
      .addTo(this.#map);
  }

  /** Zooms into a group that can split; otherwise selects all of it. */
  #press(members: readonly MapPin[]): void {
    if (members.length === 1 || !canPart(members) || this.#map.getZoom() > 16.5) {
      this.#options.onSelect(members.map((pin) => pin.id));
      return;
    }
    const lngs = members.map((pin) => pin.lng);
    const lats = members.map((pin) => pin.lat);
    this.#map.fitBounds(
      [
        [Math.min(...lngs), Math.min(...lats)],
        [Math.max(...lngs), Math.max(...lats)],
      ],
      { padding: 90, maxZoom: Math.min(17, this.#map.getZoom() + 2), duration: 400 },
    );
  }
}
