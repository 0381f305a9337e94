/** A job on the map. `label` is what the pin says, `name` what a screen reader says. */
export type MapPin = { id: string; lat: number; lng: number; label: string; name: string; blurred: boolean };

export type Placed = { x: number; y: number; pin: MapPin };
/** Pins that would cover each other, as one. The first is the nearest to the person. */
export type PinGroup = { x: number; y: number; pins: MapPin[] };

/** Half the room of a pin in pixels, a little less than it is drawn: edges may touch. */
const room = { x: 54, y: 34 };

/** Groups pins that lie on top of each other. Earlier ones (nearer, or selected) keep their place and gather the others. */
export function groupPins(placed: readonly Placed[], selected: string | null): PinGroup[] {
  const ordered = [...placed].sort((a, b) => Number(b.pin.id === selected) - Number(a.pin.id === selected));
  const groups: PinGroup[] = [];
  for (const { x, y, pin } of ordered) {
    const close = groups.find((group) => Math.abs(group.x - x) < room.x && Math.abs(group.y - y) < room.y);
    if (close) close.pins.push(pin);
    else groups.push({ x, y, pins: [pin] });
  }
  return groups;
}

/** Whether zooming in can part them. */
export function canPart(pins: readonly MapPin[]): boolean {
  const first = pins[0];
  return pins.some(
    (pin) => first && (Math.abs(pin.lat - first.lat) > 5e-5 || Math.abs(pin.lng - first.lng) > 5e-5),
  );
}
