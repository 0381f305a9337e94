import { domainOf, goesUp } from './domains.ts';
import type { SourceFile } from './source-files.ts';

/** What is wrong, where, and how to fix it. */
export type Violation = { file: string; message: string };

/**
 * Which slices of one domain may call each other's services. The edges form no circle: news that must travel back goes through the outcomes of the domain.
 * Add an edge on purpose, in review. Across domains the line of domains decides.
 */
export const serviceEdges: Record<string, readonly string[]> = {
  'account-settings': [],
  accounts: [],
  sessions: [],
  'sign-in': ['accounts', 'sessions'],
  passkeys: ['sessions', 'sign-in'],
  'firebase-sign-in': ['accounts', 'sessions', 'sign-in'],
  'email-change': ['accounts', 'firebase-sign-in', 'passkeys', 'sessions', 'sign-in'],
  'data-exports': ['accounts'],
  'account-deletion': [
    'account-settings',
    'accounts',
    'branches',
    'businesses',
    'certificates',
    'data-exports',
    'files',
    'email-change',
    'firebase-sign-in',
    'identity-checks',
    'passkeys',
    'profiles',
    'sessions',
    'sign-in',
    'team',
    'verification',
  ],
  'terms-of-use': ['accounts'],
  profiles: ['accounts', 'files'],
  businesses: ['files'],
  branches: ['businesses'],
  team: ['branches', 'businesses', 'sign-in'],
  verification: ['account-settings', 'profiles'],
  'business-verification': ['businesses', 'files'],
  'identity-checks': ['accounts', 'files'],
  certificates: ['accounts', 'files', 'identity-checks'],
  files: [],
  places: [],
  settings: [],
  conversations: ['notifications'],
  messages: ['conversations', 'notifications'],
  'chat-reports': ['conversations', 'messages', 'notifications'],
  notifications: ['devices', 'notification-settings'],
  'notification-settings': ['devices'],
  devices: [],
  ledger: [],
  cards: [],
  charges: ['cards', 'ledger'],
  wallet: ['cards', 'charges', 'ledger'],
  provider: ['charges', 'holds', 'payouts'],
  holds: ['charges', 'invoices', 'ledger', 'payouts', 'wallet'],
  tips: ['charges', 'holds', 'invoices', 'ledger', 'payouts', 'wallet'],
  corrections: ['charges', 'holds', 'ledger', 'payouts', 'tips'],
  payees: [],
  payouts: ['ledger', 'payees'],
  statements: ['cards', 'ledger'],
  invoices: ['cards', 'statements'],
  downloads: ['invoices', 'statements'],
  sandbox: [],
  engagements: [],
  pay: ['engagements', 'timesheets'],
  referrals: ['settlement'],
  attendance: ['engagements'],
  settlement: ['engagements'],
  disputes: ['engagements', 'settlement'],
  timesheets: ['disputes', 'engagements', 'settlement'],
  calendar: ['interviews', 'jobs'],
  reliability: [],
  jobs: ['matching', 'screening'],
  screening: [],
  nearby: [],
  'job-import': ['jobs'],
  'public-pages': ['jobs'],
  'job-shares': ['jobs', 'public-pages'],
  seats: ['jobs'],
  matching: ['reliability'],
  applications: ['invitations', 'jobs', 'matching'],
  applicants: ['applications', 'interviews', 'jobs', 'offers'],
  pipeline: ['applications', 'jobs'],
  invitations: ['jobs', 'matching'],
  'saved-jobs': ['jobs'],
  'saved-searches': ['jobs', 'nearby'],
  'followed-businesses': [],
  pools: ['invitations', 'jobs', 'matching', 'reliability'],
  rebook: ['applications', 'jobs', 'offers'],
  interviews: ['applications', 'jobs', 'matching'],
  offers: ['applications', 'interviews', 'jobs', 'seats'],
  waitlist: ['applications', 'jobs', 'offers', 'seats'],
  'instant-hire': ['jobs', 'offers', 'seats'],
  operators: ['sanctions', 'service-status', 'tickets'],
  cases: [
    'appeals',
    'job-reviews',
    'operators',
    'payout-reviews',
    'reports',
    'reviews',
    'second-approvals',
    'tickets',
  ],
  'second-approvals': ['operators', 'payout-reviews'],
  'staff-search': ['sanctions'],
  'operator-log': ['cases', 'operators'],
  tickets: [],
  sanctions: ['reviews'],
  'job-reviews': ['sanctions'],
  'payout-reviews': ['sanctions'],
  reports: ['reviews', 'sanctions'],
  appeals: ['sanctions'],
  help: [],
  'service-status': [],
  reviews: [],
  dashboard: [],
  'platform-health': [],
};

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file) || file.includes('/test/');
const isFixture = (file: string) => /\.fixtures\.ts$/.test(file);
const isOurs = (target: string) => /^(apps|packages|e2e|scripts)\//.test(target);
const isLab = (file: string) => file.startsWith('apps/lab/');
const isContract = (target: string) => target.startsWith('packages/contract/');
const isPlatform = (target: string) => target.startsWith('apps/api/src/platform/');

/** `{ side: 'api', slice: 'jobs', layer: 'service' }` for `apps/api/src/hiring/jobs/jobs.service.ts`. */
function place(file: string): { side: 'api' | 'web'; slice: string; layer: string } | null {
  const found = /^apps\/(api|web)\/src\/[^/]+\/([^/]+)\/(.+)\.tsx?$/.exec(file);
  if (!found || domainOf(file) === null) return null;
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
  if (isLab(target) && !isLab(from))
    return 'the lab measures the product; move what the product or its tests need out of apps/lab';
  if (isOurs(target) && isTest(target))
    return 'only tests may import tests; move what is needed into a *.fixtures.ts';
  if (!isFixture(from) && goesUp(from, target))
    return `${domainOf(from)} comes before ${domainOf(target)} in the line of domains; hand the facts in, or send the news through ${domainOf(from)}'s outcomes`;
  if (isContract(from)) return contractRefusal(from, target);
  if (isPlatform(from))
    return isOurs(target) && !isContract(target) && !isPlatform(target)
      ? 'platform knows no slice; pass it as an argument from app.ts'
      : null;
  const here = place(from);
  if (here?.side === 'api') return apiRefusal(from, here, target);
  if (from.startsWith('apps/web/src/')) return webRefusal(from, here, target);
  return null;
}

function contractRefusal(from: string, target: string): string | null {
  if (domainOf(from) === null && domainOf(target) !== null && from !== 'packages/contract/src/contract.ts')
    return 'the shared contract knows no domain; only contract.ts lists their operations';
  if (isContract(target) || target === 'zod' || target === '@orpc/contract') return null;
  return 'the contract uses only zod and the contract builder';
}

type Place = { slice: string; layer: string };

function apiRefusal(from: string, here: Place, target: string): string | null {
  if (target.startsWith('apps/web/'))
    return 'the server may not import the web app; share through the contract';
  if (/^apps\/api\/src\/(app|main|wire-outcomes)\.ts$/.test(target))
    return 'no slice imports app.ts, main.ts or wire-outcomes.ts';
  const there = place(target);
  if (isFixture(from)) return null;
  if (there && isFixture(target)) return 'fixtures are for tests and the demo seed, not the server';
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
      there?.layer === 'columns' ||
      (there?.slice === here.slice && ['rules', 'sql'].includes(there.layer));
    return fine
      ? null
      : 'SQL may import the contract, the database, its own slice and the *.columns.ts of others; let the service combine slices';
  }
  if (here.layer === 'columns')
    return isOurs(target) && !isContract(target) && !isPlatform(target)
      ? 'columns files may import only contract and database'
      : null;
  if (!there || there.slice === here.slice || there.layer === 'columns') return null;
  if (there.layer !== 'service') return `another slice is reached through its ${there.slice}.service.ts only`;
  if (here.layer === 'routes' || here.layer === 'tasks')
    return 'routes and tasks call their own service; let it call the other one';
  if (domainOf(from) === domainOf(target) && !serviceEdges[here.slice]?.includes(there.slice))
    return `the edge ${here.slice} -> ${there.slice} is not listed in scripts/architecture/import-rules.ts; add it if the dependency is meant`;
  return null;
}

function webRefusal(from: string, here: Place | null, target: string): string | null {
  if (target.startsWith('apps/api/')) return 'the web app may import only the contract from the server side';
  const ofConsole = (file: string) => file.startsWith('apps/web/src/console/');
  if (ofConsole(target) && !ofConsole(from))
    return 'the operators’ console is an app of its own (ADR 182); nothing imports it';
  if (ofConsole(from) && isOurs(target) && !ofConsole(target))
    return /^(apps\/web\/src\/(ui|lib|generated)|packages\/contract)\//.test(target)
      ? null
      : 'the console may import ui, lib and the contract only; move a part without data to ui';
  if (from.startsWith('apps/web/src/app/')) return null;
  if (target.startsWith('apps/web/src/app/'))
    return 'nothing imports app; pass it as a prop, or move the piece to ui or lib';
  const there = place(target);
  if (here) {
    if (there && there.slice !== here.slice && !['api', 'part', 'words'].includes(there.layer))
      return `another slice is reached through its ${there.slice}.api.ts, a *.words.ts or a *.part.tsx that it offers; parts without data live in ui`;
    return null;
  }
  return there ? 'ui and lib know no slice; pass data as props' : null;
}

/** Import cycles, including types; each is reported once, from its first file by name. */
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

type Edges = Record<string, readonly string[]>;

/** Circles of declared edges, mutual pairs among them; each is reported once, from its first slice by name. */
export function edgeCircles(edges: Edges): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (slice: string, trail: readonly string[]) => {
    const from = trail.indexOf(slice);
    if (from >= 0) found.push([...trail.slice(from), slice].join(' -> '));
    if (from >= 0 || done.has(slice)) return;
    for (const next of edges[slice] ?? []) walk(next, [...trail, slice]);
    done.add(slice);
  };
  for (const slice of Object.keys(edges).sort()) walk(slice, []);
  return found;
}

/** Declared edges that no import uses, so that the list shows the real dependencies. */
export function unusedEdges(files: readonly SourceFile[], edges: Edges): string[] {
  const used = new Set(
    files
      .filter((file) => !isTest(file.path) && !isFixture(file.path))
      .flatMap((file) => {
        const here = place(file.path);
        if (here?.side !== 'api') return [];
        return file.imports.flatMap((target) => {
          const there = place(target);
          return there?.layer === 'service' ? [`${here.slice} -> ${there.slice}`] : [];
        });
      }),
  );
  return Object.entries(edges)
    .flatMap(([slice, others]) => others.map((other) => `${slice} -> ${other}`))
    .filter((edge) => !used.has(edge));
}
