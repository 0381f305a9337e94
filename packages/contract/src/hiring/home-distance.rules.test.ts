import { describe, expect, it } from 'vitest';
import { metresBetween } from '../people/great-circle.ts';
import { homeCell, roughDistanceM, roughErrorM } from './home-distance.rules.ts';

const inCell = (lat: number, lng: number) => {
  const { lat: row, lng: column } = homeCell({ lat, lng });
  return [
    { lat: row - 0.0044, lng: column - 0.0044 },
    { lat: row + 0.0044, lng: column + 0.0044 },
    { lat: row - 0.0031, lng: column + 0.0017 },
  ] as const;
};

describe('roughDistanceM', () => {
  it('is the same for all homes in one square, wherever the job moves', () => {
    for (const [lat, lng] of [
      [52.3612, 4.9321],
      [40.7128, -74.006],
      [-33.8688, 151.2093],
      [0.0001, -0.0001],
    ] as const) {
      const [first, ...others] = inCell(lat, lng);
      for (let n = 0; n < 400; n += 1) {
        const job = { lat: lat + Math.sin(n) * n * 0.0005, lng: lng + Math.cos(n) * n * 0.0005 };
        for (const other of others) expect(roughDistanceM(other, job)).toBe(roughDistanceM(first, job));
      }
    }
  });

  it('stays near the exact distance, in steps of 500 m', () => {
    for (let lat = -80; lat <= 80; lat += 3.7)
      for (let lng = -180; lng <= 180; lng += 17.3) {
        expect(metresBetween(homeCell({ lat, lng }), { lat, lng })).toBeLessThan(720);
        expect(roughDistanceM({ lat, lng }, { lat, lng }) % 500).toBe(0);
        const job = { lat: lat + 0.05, lng: lng + 0.03 };
        const difference = roughDistanceM({ lat, lng }, job) - metresBetween({ lat, lng }, job);
        expect(Math.abs(difference)).toBeLessThan(roughErrorM);
      }
  });

  it('returns a number at the poles and the date line', () => {
    for (const lat of [-90, 90])
      for (const lng of [-180, 0, 180])
        expect(roughDistanceM({ lat, lng }, { lat: 0, lng: 0 })).toBeGreaterThan(9_000_000);
  });
});
