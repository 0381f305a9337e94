import { describe, expect, it } from 'vitest';
import { canPart, groupPins, type MapPin } from './map-pins.ts';
import { ringsFor } from './map-rings.ts';

const pin = (id: string, lat = 52, lng = 4): MapPin => ({
  id,
  lat,
  lng,
  label: '€108',
  name: id,
  blurred: false,
});
const at = (id: string, x: number, y: number) => ({ x, y, pin: pin(id) });

describe('groupPins', () => {
  it("joins pins that would cover each other, keeping the earlier one's place", () => {
    const groups = groupPins([at('a', 100, 100), at('b', 120, 110), at('c', 400, 100)], null);
    expect(groups.map((group) => group.pins.map((pin) => pin.id))).toEqual([['a', 'b'], ['c']]);
  });

  it('joins pins that only the count makes overlap', () => {
    const groups = groupPins([at('a', 100, 100), at('far', 165, 100), at('b', 100, 110)], null);
    expect(groups.map((group) => group.pins.map((pin) => pin.id))).toEqual([['a', 'b', 'far']]);
  });

  it('keeps the selected one in front', () => {
    const groups = groupPins([at('a', 100, 100), at('b', 120, 110)], 'b');
    expect(groups[0]?.pins.map((pin) => pin.id)).toEqual(['b', 'a']);
  });

  it("detects pins that zooming can't separate", () => {
    expect(canPart([pin('a'), pin('b')])).toBe(false);
    expect(canPart([pin('a'), pin('b', 52.01)])).toBe(true);
  });
});

describe('ringsFor', () => {
  it('picks three easily clickable rings', () => {
    const rings = ringsFor(0.1);
    expect(rings).toHaveLength(3);
    expect((rings[0] ?? 0) * 0.1).toBeGreaterThanOrEqual(74);
    expect(ringsFor(1e-9)).toHaveLength(1);
  });
});
