import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { contract } from '@nearhand/contract/contract';
import type { OperationMeta } from '@nearhand/contract/operation';
import type { AnyContractProcedure } from '@orpc/contract';
import type { Plugin } from 'vite';
import { writeOperations } from './operation-table.ts';

const require = createRequire(import.meta.url);
const iconAssets = join(dirname(require.resolve('@phosphor-icons/core/regular/bell.svg')), '..');

function writeIfChanged(file: string, text: string): void {
  let before = '';
  try {
    before = readFileSync(file, 'utf8');
  } catch {
    mkdirSync(dirname(file), { recursive: true });
  }
  if (before !== text) writeFileSync(file, text);
}

/** Writes the contract's methods and paths without schemas, so that no zod reaches the browser. */
function writeContracts(root: string): void {
  const tableOf = (keep: (access: string) => boolean) =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries(contract).map(([slice, operations]) => [
          slice,
          writeOperations(
            Object.entries(operations as Record<string, AnyContractProcedure>).flatMap(
              ([name, operation]) => {
                const { route, meta } = operation['~orpc'];
                const { method = 'POST', path = '' } = route;
                return keep((meta as OperationMeta).access) ? [{ name, method, path }] : [];
              },
            ),
          ),
        ]),
      ),
      (_, value) => (value === '' ? undefined : value),
    );
  writeIfChanged(
    join(root, 'src/generated/operations.json'),
    tableOf((access) => access !== 'operator'),
  );
  writeIfChanged(
    join(root, 'src/generated/console-operations.json'),
    tableOf(() => true),
  );
}

/** Parses `src/ui/art/icon-names.ts` as text: the file may change while the dev server runs. */
function iconNames(root: string): string[] {
  const source = readFileSync(join(root, 'src/ui/art/icon-names.ts'), 'utf8');
  return [...source.matchAll(/^ {2}'([a-z0-9-]+)',$/gm)].map((match) => String(match[1]));
}

function writeSprite(root: string): void {
  const symbols = iconNames(root).map((name) => {
    const weight = name.endsWith('-fill') ? 'fill' : 'regular';
    const svg = readFileSync(join(iconAssets, weight, `${name}.svg`), 'utf8');
    const body = svg.replace(/^[\s\S]*?<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '');
    return `<symbol id="${name}" viewBox="0 0 256 256">${body}</symbol>`;
  });
  const sprite = `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`;
  writeIfChanged(join(root, 'src/generated/icons.svg'), sprite);
}

/** Writes `src/generated/` before anything reads it: in a build, in the dev server and in tests. */
export function generated(root: string): Plugin {
  return {
    name: 'nearhand:generated',
    config() {
      writeContracts(root);
      writeSprite(root);
    },
    handleHotUpdate({ file }) {
      if (file.endsWith('/src/ui/art/icon-names.ts')) writeSprite(root);
    },
  };
}
