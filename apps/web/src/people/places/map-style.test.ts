import { describe, expect, it } from 'vitest';
import { ownGround } from './map-style.ts';

const theme = { land: '#111111', water: '#222222', ring: '#333333', here: '#444444', edge: '#555555' };

describe('ownGround', () => {
  it('draws land, water and coast, and nothing it has no data for', () => {
    const style = ownGround(theme);
    expect(Object.keys(style.sources)).toEqual(['land', 'coast']);
    expect(style.layers.map((layer) => layer.id)).toEqual(['sea', 'land', 'coast']);
  });
});
