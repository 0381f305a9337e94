import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { namedPlaces, pack } from './gazetteer.ts';
import { landCells, worldLand } from './land.ts';

/** Villages count: a worker names the place they live in. 112,000 names come to some 0.9 MB gzip, loaded when a place is first searched. */
const minPopulation = 1_000;

/** Newest change of what the data is made of: this folder and, through the lock file's neighbour, the installed packages. */
function madeOf(root: string): number {
  const own = readdirSync(join(root, 'build')).map((name) => statSync(join(root, 'build', name)).mtimeMs);
  return Math.max(...own, statSync(join(root, 'package.json')).mtimeMs);
}

function write(folder: string): void {
  // Pieces of an earlier size must not lie among the new ones.
  rmSync(join(folder, 'land'), { recursive: true, force: true });
  mkdirSync(join(folder, 'land'), { recursive: true });
  writeFileSync(join(folder, 'land/world.json'), JSON.stringify(worldLand()));
  for (const [name, land] of landCells()) {
    writeFileSync(join(folder, `land/${name}.json`), JSON.stringify(land));
  }
  // Last: its age says that all of it is there.
  writeFileSync(join(folder, 'gazetteer.json'), JSON.stringify(pack(namedPlaces(minPopulation))));
}

/**
 * Writes the names of places (GeoNames, CC BY 4.0) and the shape of the land (Natural Earth, public domain) into `src/generated/`, where the
 * app loads them by address when a map or a place search opens. Takes about four seconds, so only when something changed (ADR 0020).
 */
export function placesData(root: string): Plugin {
  return {
    name: 'nearhand:places-data',
    config() {
      const folder = join(root, 'src/generated');
      const made = join(folder, 'gazetteer.json');
      const whole = existsSync(made) && existsSync(join(folder, 'land/world.json'));
      if (whole && statSync(made).mtimeMs > madeOf(root)) return;
      write(folder);
    },
  };
}
