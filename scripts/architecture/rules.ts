// Rules of docs/architecture.md that neither TypeScript nor Biome checks.
import { Visitor } from 'oxc-parser';
import type { SourceFile } from './source-files.ts';
import { tablesOf } from './table-owners.ts';

/** Each domain may import only from earlier ones. */
export const domains = ['people', 'talk', 'money', 'work', 'hiring', 'trust'];

export type Violation = { file: string; message: string };

const isTest = (file: string) => /\.(test|spec|fixtures)\.tsx?$|\/test\/|^e2e\//.test(file);
const isOurs = (target: string) => /^(apps|packages|e2e|scripts)\//.test(target);

function placeOf(file: string) {
  const match = /^(?:apps|packages)\/(api|web|contract)\/src\/([^/]+)\/([^/.]+)/.exec(file);
  const [, side = '', domain = '', slice = ''] = match ?? [];
  return domains.includes(domain) ? { side, domain, slice } : null;
}

/** Finds forbidden imports; type imports count too. */
export function importViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, imports }) =>
      imports.flatMap((target) => {
        const message = refusal(path, target);
        return message === null ? [] : [{ file: path, message: `imports ${target}: ${message}` }];
      }),
    );
}

function refusal(from: string, target: string): string | null {
  const here = placeOf(from);
  const there = placeOf(target);
  const inside = (file: string, folder: string) => file.startsWith(folder);
  const lab = 'apps/lab/';
  const contract = 'packages/contract/';
  const platform = 'apps/api/src/platform/';
  const web = 'apps/web/src/';
  const app = 'apps/web/src/app/';
  const console = 'apps/web/src/console/';

  if (inside(target, lab) && !inside(from, lab)) return 'the lab measures the product; nothing imports it';
  if (isOurs(target) && isTest(target) && !inside(from, lab) && !inside(from, 'apps/api/src/seed/'))
    return 'tests and fixtures serve tests and the demo town only';
  if (here && there && domains.indexOf(there.domain) > domains.indexOf(here.domain))
    return `${here.domain} comes before ${there.domain}; take the facts as arguments, or call a hook of ${here.domain}`;

  if (inside(from, contract)) {
    if (!here && there && from !== 'packages/contract/src/contract.ts')
      return 'the root of the contract knows no domain';
    if (/\.rules\.ts$/.test(from) && !isOurs(target)) return 'rules run in the browser without libraries';
    return inside(target, contract) || /^(zod|@orpc\/contract|libphonenumber-js(\/.*)?)$/.test(target)
      ? null
      : 'the contract needs only zod and libphonenumber-js';
  }
  if (inside(from, platform))
    return isOurs(target) && !inside(target, contract) && !inside(target, platform)
      ? 'the platform knows no slice'
      : null;

  if (inside(from, web)) {
    if (target.startsWith('apps/api/')) return 'the web app knows the server by its contract only';
    if (inside(from, app)) return null;
    if (inside(target, app)) return 'nothing imports app; pass it as a prop, or move it to ui or lib';
    if (inside(from, console) !== inside(target, console) && isOurs(target))
      return !inside(target, console) &&
        /^(apps\/web\/src\/(ui|lib|generated)|packages\/contract)\//.test(target)
        ? null
        : 'the console is an app of its own; share through ui and lib';
    if (!here && there && !inside(target, contract)) return 'ui and lib know no slice; pass data as props';
    if (here && there && here.slice !== there.slice && /[.-]screen\.tsx$/.test(target))
      return 'a screen belongs to its slice; share a part of it';
    return null;
  }

  if (!inside(from, 'apps/api/src/')) return null;
  if (inside(target, web)) return 'the server may not import the web app; share through the contract';
  if (!here) return null;
  if (/^apps\/api\/src\/(app|main|register-hooks)\.ts$/.test(target))
    return 'no slice imports the start of the server';
  if (/\.rules\.ts$/.test(from) && !inside(target, contract) && !/\.rules\.ts$/.test(target))
    return isOurs(target) || target.startsWith('node:') ? 'rules are pure: no I/O, no clock' : null;
  if (there?.side === 'api' && there.slice !== here.slice && /\.routes\.ts$/.test(target))
    return 'routes belong to their slice; call a function of it';
  return null;
}

/** Ignores column lists, which are facts about tables. */
export function sliceCycles(files: readonly SourceFile[]): string[] {
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    const here = placeOf(path);
    if (here?.side !== 'api' || isTest(path)) continue;
    for (const target of imports) {
      const there = placeOf(target);
      if (there?.side !== 'api' || there.domain !== here.domain || there.slice === here.slice) continue;
      if (!/\.columns\.ts$/.test(target))
        edges.set(here.slice, (edges.get(here.slice) ?? new Set()).add(there.slice));
    }
  }
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (slice: string, trail: string[]) => {
    const start = trail.indexOf(slice);
    if (start >= 0) circles.push([...trail.slice(start), slice].join(' -> '));
    if (start >= 0 || finished.has(slice)) return;
    for (const next of edges.get(slice) ?? []) visit(next, [...trail, slice]);
    finished.add(slice);
  };
  for (const slice of [...edges.keys()].sort()) visit(slice, []);
  return circles;
}

export function nameViolations(files: readonly SourceFile[]): Violation[] {
  const dumpingGround = /(^|[/.-])(utils?|helpers?|common|misc|manager)([/.-]|$)/;
  /** These describe what was done to a value or point to it; a name describes the value itself. */
  const vague = /^(of|own|gone|said|known|given|kept|told|shown|asked|notified|most|least)$/;
  return files.flatMap(({ path, text, program }) => {
    const messages: string[] = [];
    if (/(^|\/)index\.tsx?$/.test(path) || /^\s*export \*/m.test(text))
      messages.push('a barrel hides where things are; import the file itself');
    if (dumpingGround.test(path)) messages.push('a dumping ground; name the file after what it does');
    if (!/^[a-z0-9]+([.-][a-z0-9]+)*\.tsx?$/.test(path.split('/').at(-1) ?? ''))
      messages.push('file names are kebab-case');
    const check = (name: string | undefined) => {
      if (name !== undefined && vague.test(name)) messages.push(`declares "${name}"; name it for what it is`);
    };
    const checkAll = (targets: readonly { type: string; name?: string }[]) => {
      for (const { type, name } of targets) if (type === 'Identifier') check(name);
    };
    if (!isTest(path) && /^(apps\/(api|web)\/src|packages)\//.test(path))
      new Visitor({
        VariableDeclarator: ({ id }) => checkAll([id]),
        FunctionDeclaration: ({ id, params }) => checkAll([...(id ? [id] : []), ...params]),
        ArrowFunctionExpression: ({ params }) => checkAll(params),
      }).visit(program);
    return messages.map((message) => ({ file: path, message }));
  });
}

/** Routes and tasks must be where the server's list looks for them. */
export function strayExports(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(({ path, text }) => {
    const here = placeOf(path);
    if (here?.side !== 'api' || isTest(path)) return [];
    const name = /^export const (\w+(Routes|Tasks)) = /m.exec(text)?.[1];
    const places = ['', '.routes', '.tasks'].map((suffix) => `${here.slice}${suffix}.ts`);
    return name === undefined || places.includes(path.split('/').at(-1) ?? '')
      ? []
      : [{ file: path, message: `exports ${name}: move it to ${places.join(' or ')}` }];
  });
}

export function clockViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => /^apps\/api\/src\/(?!platform\/clock\.ts)/.test(path) && !/\.test\.ts$/.test(path))
    .flatMap(({ path, text, program }) => {
      let reads = false;
      new Visitor({
        NewExpression({ start, end }) {
          reads ||= /^new Date(\(\))?$/.test(text.slice(start, end));
        },
        CallExpression({ start, end }) {
          reads ||= /^Date(\.now)?\(/.test(text.slice(start, end));
        },
      }).visit(program);
      return reads ? [{ file: path, message: 'reads the clock; take the time from a Clock' }] : [];
    });
}

const writes = [
  /\b(?:insert\s+into|delete\s+from)\s+"?([a-z_]+)"?/gi,
  /(?<!for )\bupdate\s+(?:only\s+)?"?([a-z_]+)"?\s+(?:as\s+\w+\s+|\w+\s+)?set\b/gi,
  /\.(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(\s*['"`]([a-z_]+)/g,
];

export function tableWrites(files: readonly SourceFile[]): { used: Set<string>; violations: Violation[] } {
  const used = new Set<string>();
  const violations: Violation[] = [];
  const owned = new Set(Object.values(tablesOf).flatMap((tables) => tables.split(' ')));
  for (const { path, text } of files) {
    if (!path.startsWith('apps/api/src/') || isTest(path)) continue;
    const slice = placeOf(path)?.slice ?? 'platform';
    for (const pattern of writes)
      for (const [, table = ''] of text.matchAll(pattern)) {
        used.add(`${slice} ${table}`);
        // Prose may contain "insert into" too, but a builder certainly names a table.
        if (!owned.has(table) && pattern !== writes[2] && !/^[a-z_]+s$/.test(table)) continue;
        if (!tablesOf[slice]?.split(' ').includes(table))
          violations.push({
            file: path,
            message: `writes ${table}, which ${slice} does not own (table-owners.ts)`,
          });
      }
  }
  return { used, violations };
}
