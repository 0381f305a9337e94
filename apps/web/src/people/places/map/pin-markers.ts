import type { Feature, Point as PointShape } from 'geojson';
import type { Map as MapLibreMap } from 'maplibre-gl';
import { boxId } from './label-collision.ts';
import { canPart, groupPins, type MapPin, type PinGroup, pinBox } from './map-pins.ts';
import type { SpotLayer } from './spot-layer.ts';

export type Pins = {
  pins: readonly MapPin[];
  selected: string | null;
  pointed: string | null;
  seen: ReadonlySet<string>;
};

type PinMarkersOptions = {
  map: MapLibreMap;
  element: HTMLElement;
  layer: SpotLayer;
  groupName: (count: number) => string;
  onSelect: (pins: string[]) => void;
};

/** Pins this far outside the view are drawn too, so that they are visible as soon as a drag brings them in. */
const marginPx = 120;

export const spanElement = (className: string, text = ''): HTMLElement => {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
};

/** The pins as HTML buttons, for accessible names. Overlapping ones are one button with a count. */
export class PinMarkers {
  #options: PinMarkersOptions;
  #spots = new Map<string, HTMLElement>();

  constructor(options: PinMarkersOptions) {
    this.#options = options;
  }

  draw({ pins, selected, pointed, seen }: Pins): PinGroup[] {
    const { map, element } = this.#options;
    const { clientWidth, clientHeight } = element;
    const placed = pins
      .map((pin) => {
        const { x, y } = map.project([pin.lng, pin.lat]);
        return { x, y, pin };
      })
      .filter(
        ({ x, y }) =>
          x > -marginPx && y > -marginPx && x < clientWidth + marginPx && y < clientHeight + marginPx,
      );
    const groups = groupPins(placed, pointed ?? selected);
    const keys = new Set<string>();
    for (const { pins: members } of groups) {
      const [first] = members;
      if (!first) continue;
      const key = `${first.id}:${members.length}`;
      keys.add(key);
      let spot = this.#spots.get(key);
      if (!spot) {
        spot = this.#make(members);
        this.#spots.set(key, spot);
      }
      const button = spot.firstElementChild as HTMLElement;
      const isSelected = members.some(({ id }) => id === selected);
      const on = isSelected || members.some(({ id }) => id === pointed);
      const isDimmed = !on && members.every(({ id }) => seen.has(id));
      button.className = ['pin', on ? 'on' : '', isDimmed ? 'seen' : ''].filter(Boolean).join(' ');
      button.setAttribute('aria-pressed', String(isSelected));
      spot.classList.toggle('front', on);
    }
    for (const [key, spot] of this.#spots) {
      if (keys.has(key)) continue;
      this.#options.layer.drop(spot);
      this.#spots.delete(key);
    }
    return groups;
  }

  #make(members: readonly MapPin[]): HTMLElement {
    const [first] = members as [MapPin];
    const spot = spanElement('map-spot pins');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = first.label;
    let name = first.name;
    if (members.length > 1) {
      const more = `+${members.length - 1}`;
      button.append(' ', spanElement('pin-more', more));
      // The accessible name starts with the visible text (WCAG 2.5.3).
      name = `${first.label} ${more}, ${this.#options.groupName(members.length)}: ${first.name}`;
    }
    button.setAttribute('aria-label', name);
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      this.#press(members);
    });
    spot.append(button);
    this.#options.layer.put(spot, first);
    return spot;
  }

  /** Zooms into a group that can split; otherwise selects all of it. */
  #press(members: readonly MapPin[]): void {
    const { map, onSelect } = this.#options;
    if (members.length === 1 || !canPart(members) || map.getZoom() > 16.5) {
      onSelect(members.map((pin) => pin.id));
      return;
    }
    const lngs = members.map((pin) => pin.lng);
    const lats = members.map((pin) => pin.lat);
    map.fitBounds(
      [
        [Math.min(...lngs), Math.min(...lats)],
        [Math.max(...lngs), Math.max(...lats)],
      ],
      { padding: 90, maxZoom: Math.min(17, map.getZoom() + 2), duration: 400 },
    );
  }
}

export function roomOf(group: PinGroup): Feature<PointShape>[] {
  const [first] = group.pins;
  if (!first) return [];
  const { width, height } = pinBox(group);
  return [
    {
      type: 'Feature',
      properties: { box: boxId(width, height), anchor: 'bottom' },
      geometry: { type: 'Point', coordinates: [first.lng, first.lat] },
    },
  ];
}
