/** A job on the map. `label` is the pin's text, `name` its accessible name. */
export type MapPin = { id: string; lat: number; lng: number; label: string; name: string; blurred: boolean };

export type Placed = { x: number; y: number; pin: MapPin };
/** Overlapping pins as one; the first is nearest to the user. */
export type PinGroup = { x: number; y: number; pins: MapPin[] };

export const pinBox = (group: PinGroup): { width: number; height: number } => ({
  width: widthOf(group),
  height: height + 8,
});

const widthOf = (group: PinGroup | Placed): number =>
  'pins' in group
    ? (group.pins[0]?.label.length ?? 0) * 8.5 +
      (group.pins.length > 1 ? 54 + String(group.pins.length - 1).length * 8.5 : 24)
    : group.pin.label.length * 8.5 + 24;
const height = 34;

/** Groups overlapping pins. Earlier ones (nearer or selected) keep their place and absorb the others. */
export function groupPins(placed: readonly Placed[], selected: string | null): PinGroup[] {
  const ordered = [...placed].sort((a, b) => Number(b.pin.id === selected) - Number(a.pin.id === selected));
  const groups: PinGroup[] = [];
  for (const label of ordered) {
    const close = groups.find((group) => overlap(group, label));
    if (close) close.pins.push(label.pin);
    else groups.push({ x: label.x, y: label.y, pins: [label.pin] });
  }
  return settled(groups);
}

/** Slightly less than both widths: edges may touch. */
const overlap = (a: PinGroup | Placed, b: PinGroup | Placed): boolean =>
  Math.abs(a.x - b.x) < ((widthOf(a) + widthOf(b)) / 2) * 0.9 && Math.abs(a.y - b.y) < height;

/** Merges groups until none overlap: a count makes a pin wider, so it may cover another. */
function settled(groups: PinGroup[]): PinGroup[] {
  const apart: PinGroup[] = [];
  for (const group of groups) {
    const close = apart.find((placed) => overlap(placed, group));
    if (close) close.pins.push(...group.pins);
    else apart.push(group);
  }
  return apart.length === groups.length ? apart : settled(apart);
}

export function canPart(pins: readonly MapPin[]): boolean {
  const first = pins[0];
  return pins.some(
    (pin) => first && (Math.abs(pin.lat - first.lat) > 5e-5 || Math.abs(pin.lng - first.lng) > 5e-5),
  );
}
