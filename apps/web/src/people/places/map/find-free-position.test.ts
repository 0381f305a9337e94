import { describe, expect, it } from 'vitest';
import { freeSpot } from './ring-labels.ts';

const view = { width: 390, height: 700 };
const size = { width: 100, height: 20 };
const top = { x: 195, y: 200 };
const bottom = { x: 195, y: 500 };

describe('freeSpot', () => {
  it('takes the first uncovered position', () => {
    expect(freeSpot([top, bottom], size, [], view)).toBe(0);
    const pin = { x: 270, y: 195, width: 60, height: 42 };
    expect(freeSpot([top, bottom], size, [pin], view)).toBe(1);
    expect(freeSpot([top, bottom], size, [{ ...pin, x: 280 }], view)).toBe(0);
  });

  it('takes none outside the view, and none at all if all are covered', () => {
    expect(freeSpot([{ x: 30, y: 200 }, { x: 195, y: 690 }, bottom], size, [], view)).toBe(2);
    expect(freeSpot([top], size, [{ ...top, width: 10, height: 10 }], view)).toBe(-1);
  });
});
