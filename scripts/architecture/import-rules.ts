import type { SourceFile } from './source-files.ts';

/** What is wrong, where, and how to mend it. */
export type Violation = { file: string; message: string };

/**
 * Which services may call which other slices' services: an edge is added here on purpose, in review, never by an import that happened.
 * The direction follows who owns the fact: an application knows its job, a job does not know applications but asks to close them.
 */
export const serviceEdges: Record<string, readonly string[]> = {
  accounts: ['businesses', 'calendar', 'notifications', 'profiles'],
  applications: [
    'businesses',
    'chat',
    'files',
    'interviews',
    'jobs',
    'notifications',
    'offers',
    'pipeline',
    'profiles',
    'reliability',
  ],
  attendance: ['businesses', 'chat', 'engagements', 'jobs', 'notifications'],
  calendar: ['businesses', 'engagements', 'interviews', 'jobs', 'profiles'],
  // Chat knows nobody's states: what happened in the work is told to it (ADR 0093).
  chat: ['businesses', 'files', 'notifications'],
  disputes: ['businesses', 'chat', 'engagements', 'holds', 'notifications', 'timesheets'],
  engagements: [
    'applications',
    'attendance',
    'businesses',
    'chat',
    'disputes',
    'holds',
    'jobs',
    'notifications',
    'offers',
    'timesheets',
  ],
  interviews: ['applications', 'businesses', 'chat', 'jobs', 'notifications'],
  offers: [
    'applications',
    'businesses',
    'chat',
    'engagements',
    'holds',
    'interviews',
    'jobs',
    'notifications',
    'payments',
  ],
  // Holds ask for charges; payments tell holds what came of them, and nothing else (ADR 88).
  holds: [
    'businesses',
    'chat',
    'engagements',
    'jobs',
    'ledger',
    'offers',
    'payments',
    'payouts',
    'statements',
    'timesheets',
  ],
  payments: ['businesses', 'holds', 'ledger', 'notifications', 'payouts'],
  operators: ['attendance', 'chat', 'disputes', 'holds', 'timesheets'],
  payouts: ['ledger', 'notifications'],
  pipeline: ['applications', 'businesses', 'chat', 'jobs', 'notifications', 'profiles'],
  reliability: ['businesses', 'profiles'],
  sandbox: [],
  timesheets: ['applications', 'chat', 'disputes', 'engagements', 'files', 'holds', 'notifications'],
  businesses: ['files', 'jobs', 'notifications', 'payments'],
  jobs: ['applications', 'businesses', 'holds', 'notifications', 'offers'],
  ledger: [],
  statements: ['businesses', 'ledger'],
  analytics: ['statements'],
  notifications: [],
  places: [],
  profiles: ['accounts', 'applications', 'businesses', 'files'],
  files: ['applications', 'businesses', 'timesheets'],
};

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file) || file.includes('/test/');
const isFixture = (file: string) => /\.fixtures\.ts$/.test(file);
const isOurs = (target: string) => /^(apps|packages|e2e|scripts)\//.test(target);
const isContract = (target: string) => target.startsWith('packages/contract/');
const isPlatform = (target: string) => target.startsWith('apps/api/src/platform/');

/** `{ side: 'api', slice: 'jobs', layer: 'service' }` for `apps/api/src/features/jobs/jobs.service.ts`. */
function place(file: string): { side: 'api' | 'web'; slice: string; layer: string } | null {
  const found = /^apps\/(api|web)\/src\/features\/([^/]+)\/(.+)\.tsx?$/.exec(file);
  if (!found) return null;
  const [, side, slice, name] = found as unknown as [string, 'api' | 'web', string, string];
  return { side, slice, layer: name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : 'own' };
}

/** Who may import whom (docs/architecture.md). Each message says the fix. */
export function importViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      file.imports.flatMap((target) => {
        const message = refusal(file.path, target);
        return message === null ? [] : [{ file: file.path, message: `imports ${target}: ${message}` }];
      }),
    );
}

function refusal(from: string, target: string): string | null {
  if (isOurs(target) && isTest(target))
    return 'only tests may import tests; move what is needed into a *.fixtures.ts';
  if (isContract(from)) return contractRefusal(target);
  if (isPlatform(from))
    return isOurs(target) && !isContract(target) && !isPlatform(target)
      ? 'platform knows no slice; hand it in as an argument from app.ts'
      : null;
  const here = place(from);
  if (here?.side === 'api') return apiRefusal(from, here, target);
  if (from.startsWith('apps/web/src/')) return webRefusal(from, here, target);
  return null;
}

function contractRefusal(target: string): string | null {
  if (isContract(target) || target === 'zod' || target === '@orpc/contract') return null;
  return 'the contract stands on zod and the contract builder alone';
}

type Place = { slice: string; layer: string };

function apiRefusal(from: string, here: Place, target: string): string | null {
  if (target.startsWith('apps/web/'))
    return 'the server knows nothing of the web app; share through the contract';
  if (target === 'apps/api/src/app.ts' || target === 'apps/api/src/main.ts')
    return 'nothing imports app.ts or main.ts';
  const there = place(target);
  if (isFixture(from)) return null;
  if (there && isFixture(target)) return 'fixtures feed tests and the demo seed, not the server';
  if (here.layer === 'rules' || here.layer === 'policy') {
    const fine =
      isContract(target) || (there?.slice === here.slice && ['rules', 'policy'].includes(there.layer));
    return fine || (!isOurs(target) && !target.startsWith('node:'))
      ? null
      : 'rules and policies are pure: contract and own rules only';
  }
  if (here.layer === 'sql') {
    const fine =
      !isOurs(target) ||
      isContract(target) ||
      isPlatform(target) ||
      (there?.slice === here.slice && ['rules', 'sql'].includes(there.layer));
    return fine
      ? null
      : 'SQL knows the contract, the database and its own slice; let the service put slices together';
  }
  if (!there || there.slice === here.slice) return null;
  if (there.layer !== 'service') return `another slice is reached through its ${there.slice}.service.ts only`;
  if (here.layer === 'routes' || here.layer === 'tasks')
    return 'routes and tasks call their own service; let it call the other one';
  if (!serviceEdges[here.slice]?.includes(there.slice))
    return `the edge ${here.slice} -> ${there.slice} is not listed in scripts/architecture/import-rules.ts; add it if the dependency is meant`;
  return null;
}

function webRefusal(from: string, here: Place | null, target: string): string | null {
  if (target.startsWith('apps/api/')) return 'the web app knows the server by its contract only';
  if (from.startsWith('apps/web/src/app/')) return null;
  if (target.startsWith('apps/web/src/app/'))
    return 'nothing imports app; hand it in as a prop, or move the piece to ui or lib';
  const there = place(target);
  if (here) {
    if (there && there.slice !== here.slice && !['api', 'part'].includes(there.layer))
      return `another slice is reached through its ${there.slice}.api.ts or a *.part.tsx that it offers; parts without data live in ui`;
    return null;
  }
  return there ? 'ui and lib know no slice; hand data in as props' : null;
}

/** Circles of imports, types included; each is told once, from its first file by name. */
export function importCycles(files: readonly SourceFile[]): Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const state = new Map<string, 'open' | 'done'>();
  const found: Violation[] = [];
  const walk = (file: string, trail: string[]) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      const circle = [...trail.slice(trail.indexOf(file)), file];
      found.push({
        file,
        message: `import cycle: ${circle.join(' -> ')}; move what both need into a third file`,
      });
      return;
    }
    state.set(file, 'open');
    for (const target of byPath.get(file)?.imports ?? [])
      if (byPath.has(target)) walk(target, [...trail, file]);
    state.set(file, 'done');
  };
  for (const file of [...byPath.keys()].sort()) walk(file, []);
  return found;
}
