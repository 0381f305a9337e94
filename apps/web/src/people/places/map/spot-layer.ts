import type { Point } from '@nearhand/contract/people/places';
import { type Map as MapLibreMap, Marker, MercatorCoordinate } from 'maplibre-gl';

/** The width of the world in pixels at zoom 0. */
const worldPx = 512;

/** The map's HTML elements in one container: panning moves only the container, and zooming its elements (ADR 330). */
export class SpotLayer {
  #map: MapLibreMap;
  #layer: Marker;
  #element = document.createElement('div');
  #spots = new Map<HTMLElement, MercatorCoordinate>();
  #anchor: MercatorCoordinate;
  #zoom: number;

  constructor(map: MapLibreMap) {
    this.#map = map;
    this.#element.className = 'map-spots';
    const centre = map.getCenter();
    this.#anchor = MercatorCoordinate.fromLngLat(centre);
    this.#zoom = map.getZoom();
    this.#layer = new Marker({ element: this.#element, anchor: 'top-left' }).setLngLat(centre).addTo(map);
    map.on('move', () => {
      if (map.getZoom() !== this.#zoom) this.#place((px) => px);
    });
  }

  put(spot: HTMLElement, { lng, lat }: Point): void {
    this.#spots.set(spot, MercatorCoordinate.fromLngLat([lng, lat]));
    this.#shift(spot, Math.round);
    if (spot.parentElement !== this.#element) this.#element.append(spot);
  }

  drop(spot: HTMLElement): void {
    this.#spots.delete(spot);
    spot.remove();
  }

  /** Re-anchors the container to the view's center on whole pixels, once the map is idle. */
  settle(): void {
    const centre = this.#map.getCenter();
    this.#anchor = MercatorCoordinate.fromLngLat(centre);
    this.#layer.setLngLat(centre);
    this.#place(Math.round);
  }

  #place(round: (px: number) => number): void {
    this.#zoom = this.#map.getZoom();
    for (const spot of this.#spots.keys()) this.#shift(spot, round);
  }

  #shift(spot: HTMLElement, round: (px: number) => number): void {
    const at = this.#spots.get(spot);
    if (!at) return;
    const world = worldPx * 2 ** this.#zoom;
    const east = at.x - this.#anchor.x;
    // The copy of the world that is nearest to the middle.
    const x = (east - Math.round(east)) * world;
    const y = (at.y - this.#anchor.y) * world;
    spot.style.transform = `translate(${round(x)}px, ${round(y)}px)`;
  }
}
