import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planned } from './planned.ts';
import { homePath, routeOf, routes } from './routes.ts';
import { screenNames } from './screens.tsx';

const wanted = [
  ...new Set(routes.flatMap((route) => (typeof route.screen === 'string' ? [route.screen] : []))),
];

describe('screens', () => {
  it('every path has its own file or a sentence about what will be there', () => {
    const built = new Set(screenNames());
    const missing = wanted.filter((screen) => !built.has(screen)).sort();
    expect(missing).toEqual(Object.keys(planned).sort());
  });

  it('no screen is without a path', () => {
    const known = new Set([...wanted, 'planned']);
    expect(screenNames().filter((screen) => !known.has(screen))).toEqual([]);
  });

  it('planned screens link to screens that exist', () => {
    for (const [screen, { lead }] of Object.entries(planned)) {
      const route = routeOf(lead.to);
      expect([screen, typeof route?.screen === 'string' && !(route.screen in planned)]).toEqual([
        screen,
        true,
      ]);
    }
    expect(routeOf(homePath)?.screen).toBe('explore');
  });

  it('docs/screens.md lists what is not built yet', () => {
    const text = readFileSync(`${import.meta.dirname}/../../../../docs/screens.md`, 'utf8');
    const listed = [...text.matchAll(/^\| `\/([a-z-]+)`/gm)].map((match) => match[1]);
    expect(listed.sort()).toEqual(Object.keys(planned).sort());
  });
});
