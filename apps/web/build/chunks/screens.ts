import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Route, routes } from '../../src/app/routes.ts';
import type { Journey, Screens } from './chunk-groups.ts';

const firstNames = ['getting-started', 'explore'];

/** Parts that the shell loads after the first screen, for anyone. */
export const behind = [
  'app/background/background.tsx',
  'lib/api/query-persistence.ts',
  'app/shell/side-menu.tsx',
  'trust/service-status/service-line.tsx',
];
const signedIn = ['app/background/signed-in.tsx', 'app/start-sync.ts'];
/** Parts that Explore opens, for guests too: they must not include code for members. */
const ofExplore = ['hiring/nearby/filter-sheet.tsx'];

const helpScreens = new Set(['help', 'help-article', 'help-center', 'contact', 'ticket']);

const journeyOf = ({ entry, side, screen }: Route): Journey =>
  helpScreens.has(String(screen)) ? 'help' : (entry ?? side ?? 'member');

export function screenFiles(root: string): (name: string) => string {
  const files = new Map(
    globSync(['src/*/*/*.screen.tsx', 'src/app/*.screen.tsx'], { cwd: root }).map((file) => [
      basename(file, '.screen.tsx'),
      join(root, file),
    ]),
  );
  return (name) => {
    const file = files.get(name);
    if (!file) throw new Error(`There is no screen ${name}`);
    return file;
  };
}

export function screensOf(root: string, fileOf: (name: string) => string): Screens {
  const journeys: Partial<Record<Journey, string[]>> = {
    behind: behind.map((file) => join(root, 'src', file)),
    explore: ofExplore.map((file) => join(root, 'src', file)),
    'signed-in': signedIn.map((file) => join(root, 'src', file)),
  };
  const placed = new Set(firstNames);
  for (const route of routes) {
    if (typeof route.screen !== 'string' || placed.has(route.screen)) continue;
    placed.add(route.screen);
    const journey = journeyOf(route);
    journeys[journey] = [...(journeys[journey] ?? []), fileOf(route.screen)];
  }
  return {
    entry: join(root, 'src/app/main.tsx'),
    first: Object.fromEntries(firstNames.map((name) => [name, fileOf(name)])),
    home: 'explore',
    journeys,
  };
}
