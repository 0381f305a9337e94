import { describe, expect, it } from 'vitest';
import { homePath } from '../lib/pages/next-path.ts';
import { routeOf, routes } from './routes.ts';
import { screenNames } from './screens.tsx';

const expected = [
  ...new Set(routes.flatMap((route) => (typeof route.screen === 'string' ? [route.screen] : []))),
];

describe('screens', () => {
  it('every path has a separate file, and every file a path', () => {
    expect(screenNames().sort()).toEqual(expected.sort());
  });

  it('home is a screen', () => {
    expect(routeOf(homePath)?.screen).toBe('explore');
  });
});
