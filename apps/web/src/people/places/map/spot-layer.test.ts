import { beforeEach, expect, it, vi } from 'vitest';
import { SpotLayer } from './spot-layer.ts';

const { FakeMarker } = vi.hoisted(() => ({
  FakeMarker: class {
    element: HTMLElement;
    at: unknown;
    constructor({ element }: { element: HTMLElement }) {
      this.element = element;
    }
    setLngLat(at: unknown) {
      this.at = at;
      return this;
    }
    addTo(map: { container: HTMLElement; on: (event: string, listener: () => void) => void }) {
      map.container.append(this.element);
      map.on('move', () => {
        this.element.style.transform = 'moved with the map';
      });
      return this;
    }
  },
}));
vi.mock('maplibre-gl', async (original) => ({
  ...(await original<typeof import('maplibre-gl')>()),
  Marker: FakeMarker,
}));

class FakeMap {
  container = document.createElement('div');
  lng = 4.88;
  lat = 52.37;
  zoom = 13;
  #listeners: (() => void)[] = [];
  on = (_event: string, listener: () => void) => this.#listeners.push(listener);
  getCenter = () => ({ lng: this.lng, lat: this.lat });
  getZoom = () => this.zoom;
  move(change: { lng?: number; zoom?: number }): void {
    Object.assign(this, change);
    for (const listener of this.#listeners) listener();
  }
}

let map: FakeMap;
let layer: SpotLayer;
let spots: HTMLElement[];
let observer: MutationObserver;

const spotAt = (lng: number, lat: number): HTMLElement => {
  const spot = document.createElement('span');
  layer.put(spot, { lng, lat });
  return spot;
};
const placeOf = (spot: HTMLElement | undefined) =>
  (spot?.style.transform.match(/-?[\d.]+/g) ?? []).map(Number);
const writes = () => {
  const targets = observer.takeRecords().map(({ target }) => target);
  return spots.map((spot) => targets.filter((target) => target === spot).length);
};

beforeEach(() => {
  map = new FakeMap();
  layer = new SpotLayer(map as never);
  spots = [spotAt(4.88, 52.37), spotAt(4.89, 52.37), spotAt(4.88, 52.38)];
  observer = new MutationObserver(() => {});
  observer.observe(map.container, { attributes: true, subtree: true });
});

it('writes no style of a spot while the map is dragged, and one per frame of a zoom', () => {
  for (const lng of [4.881, 4.882, 4.883]) map.move({ lng });
  expect(writes()).toEqual([0, 0, 0]);
  map.move({ zoom: 13.1 });
  expect(writes()).toEqual([1, 1, 1]);
});

it('places spots by the zoom, on whole pixels at rest', () => {
  // 512 px × 2^13 is the world: 0.01° of it are 116.5 px.
  expect(placeOf(spots[0])).toEqual([0, 0]);
  expect(placeOf(spots[1])).toEqual([117, 0]);
  expect(placeOf(spots[2])[1]).toBeLessThan(-185);
  map.move({ zoom: 14 });
  expect(placeOf(spots[1])[0]).toBeCloseTo(233.02, 1);
  layer.settle();
  expect(placeOf(spots[1])).toEqual([233, 0]);
});

it('anchors them to the middle of the view when the map rests, also across the date line', () => {
  const here = spotAt(179.99, 52.37);
  map.move({ lng: -179.99 });
  layer.settle();
  expect(placeOf(here)).toEqual([-233, 0]);
});

it('forgets a removed spot', () => {
  const [gone] = spots;
  if (gone) layer.drop(gone);
  map.move({ zoom: 12 });
  expect(writes()).toEqual([0, 1, 1]);
  expect(map.container.firstElementChild?.children).toHaveLength(2);
});
