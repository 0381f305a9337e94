import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { namedPlaces, pack, packOtherNames } from './gazetteer.ts';
import { landCells, worldLand } from './land.ts';

/** Includes villages: 112,000 names are some 0.9 MB gzip, loaded when a place is first searched. */
const minPopulation = 1_000;

/** The newest change of the sources: this folder and the installed packages. */
function madeOf(root: string): number {
  const buildTimes = readdirSync(join(root, 'build')).map(
    (name) => statSync(join(root, 'build', name)).mtimeMs,
  );
  return Math.max(...buildTimes, statSync(join(root, 'package.json')).mtimeMs);
}

function write(folder: string): void {
  rmSync(join(folder, 'land'), { recursive: true, force: true });
  mkdirSync(join(folder, 'land'), { recursive: true });
  writeFileSync(join(folder, 'land/world.json'), JSON.stringify(worldLand()));
  for (const [name, land] of landCells()) {
    writeFileSync(join(folder, `land/${name}.json`), JSON.stringify(land));
  }
  const places = namedPlaces(minPopulation);
  writeFileSync(join(folder, 'other-names.json'), JSON.stringify(packOtherNames(places)));
  // Written last: its age shows that all files exist.
  writeFileSync(join(folder, 'gazetteer.json'), JSON.stringify(pack(places)));
}

/** Writes place names (GeoNames, CC BY 4.0) and land (Natural Earth, public domain) after a change (ADR 20). */
export function placesData(root: string): Plugin {
  return {
    name: 'nearhand:places-data',
    config() {
      const folder = join(root, 'src/generated');
      const builtFile = join(folder, 'gazetteer.json');
      const whole = ['gazetteer.json', 'other-names.json', 'land/world.json'].every((name) =>
        existsSync(join(folder, name)),
      );
      if (whole && statSync(builtFile).mtimeMs > madeOf(root)) return;
      write(folder);
    },
  };
}
