import type { Point } from '@nearhand/contract/people/places';
import type { Feature, Point as PointShape } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { labelRoom } from './label-collision.ts';
import { type PinGroup, pinBox } from './map-pins.ts';
import { labelPoint, ringLabel } from './map-rings.ts';
import { spanElement } from './pin-markers.ts';
import type { SpotLayer } from './spot-layer.ts';

/** Possible label positions on a ring, as compass bearings; the first free one is used. */
const bearings = [0, 180, 30, 330, 150, 210, 60, 300, 120, 240];

/** The labels of the rings. A label avoids pins and buttons, and is omitted if its ring has no free spot. */
export class RingLabels {
  #map: MapLibreMap;
  #element: HTMLElement;
  #layer: SpotLayer;
  #labels: HTMLElement[] = [];

  constructor(map: MapLibreMap, element: HTMLElement, layer: SpotLayer) {
    this.#map = map;
    this.#element = element;
    this.#layer = layer;
  }

  /** Draws the labels. Returns the boxes of labels and buttons, for names to avoid. */
  draw(
    centre: Point,
    radii: readonly number[],
    groups: readonly PinGroup[],
    timeZone: string | undefined,
  ): Feature<PointShape>[] {
    for (const label of this.#labels) this.#layer.drop(label);
    this.#labels = [];
    const buttons = this.#buttons();
    const room = buttons.map(({ x, y, width, height }) =>
      labelRoom(this.#map.unproject([x, y]), width, height),
    );
    const boxes = [...buttons, ...groups.map(boxOf)];
    const { clientWidth: width, clientHeight: height } = this.#element;
    for (const metres of radii) {
      const text = ringLabel(metres, timeZone);
      const size = { width: text.length * 6.5 + 16, height: 20 };
      const spots = bearings.map((bearing) => labelPoint(centre, metres, bearing));
      const places = spots.map(({ lng, lat }) => this.#map.project([lng, lat]));
      const free = freeSpot(places, size, boxes, { width, height });
      const spot = spots[free];
      const place = places[free];
      if (!spot || !place) continue;
      boxes.push({ x: place.x, y: place.y, ...size });
      room.push(labelRoom(spot, size.width, size.height));
      const label = spanElement('map-spot');
      label.append(spanElement('rlab', text));
      label.setAttribute('aria-hidden', 'true');
      this.#layer.put(label, spot);
      this.#labels.push(label);
    }
    return room;
  }

  #buttons(): Box[] {
    const { left, top } = this.#element.getBoundingClientRect();
    return [...(this.#element.parentElement?.querySelectorAll('.mapctl') ?? [])]
      .map((element) => element.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ x, y, width, height }) => ({
        x: x - left + width / 2,
        y: y - top + height / 2,
        width,
        height,
      }));
  }
}

const boxOf = (group: PinGroup): Box => {
  const { width, height } = pinBox(group);
  return { x: group.x, y: group.y - height / 2, width, height };
};

type Box = { x: number; y: number; width: number; height: number };

const edge = { side: 4, top: 14, bottom: 14 };

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

/** The index of the first position where a label of this size is in view and free; -1 if there is none. */
export function freeSpot(
  places: readonly { x: number; y: number }[],
  size: { width: number; height: number },
  boxes: readonly Box[],
  view: { width: number; height: number },
): number {
  return places.findIndex(({ x, y }) => {
    const box = { x, y, ...size };
    const inView =
      x - size.width / 2 >= edge.side &&
      x + size.width / 2 <= view.width - edge.side &&
      y >= edge.top &&
      y <= view.height - edge.bottom;
    return inView && !boxes.some((placed) => overlap(box, placed));
  });
}
