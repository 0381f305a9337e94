type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };
export type ChunkGroup = { name: (id: string, modules: Modules) => string | null; priority: number };

/** Ways through the app: before signing in, setting up an account, working, hiring, what both sides have, help, and what runs behind every screen. */
export type Journey = 'guest' | 'setup' | 'work' | 'hire' | 'member' | 'help' | 'behind';

export type Screens = {
  /** The module that starts the app. */
  entry: string;
  /** Screens that a guest may open first, by name. */
  first: Readonly<Record<string, string>>;
  /** The others, each in the one journey that it is part of. */
  journeys: Readonly<Partial<Record<Journey, readonly string[]>>>;
};

/** The chunk of a module that several screens import. Its journeys include those of every module that imports it, so no two chunks need each other. */
function sharedChunk(journeys: ReadonlySet<Journey>): string {
  const has = (journey: Journey) => journeys.has(journey);
  if (has('guest')) return 'forms';
  if (has('behind')) return 'behind';
  if (has('hire') && (has('work') || has('setup'))) return 'common';
  if (has('member') || (has('help') && journeys.size > 1)) return 'member';
  if (has('work')) return 'work';
  return [...journeys].join();
}

/** Every chunk that `sharedChunk` names, after those it may import. */
const sharedChunks = ['forms', 'behind', 'common', 'member', 'work', 'hire', 'setup', 'help'];

/**
 * Groups modules into chunks: `app` is the entry and what two first screens share, and the rest of a first screen has its name. What several other screens
 * import is in one chunk of their journey; what one screen alone imports stays with it. So a screen takes few files, and nobody loads a side of the app
 * that they are not on. By default the bundler makes a file for each set of screens that share code, hundreds of them (ADR 0221).
 */
export function chunkGroups(screens: Screens): ChunkGroup[] {
  let chunkOf: ReadonlyMap<string, string> | undefined;
  const names = ['app', ...Object.keys(screens.first), ...sharedChunks];
  return names.map((name, index) => ({
    name: (id, modules) => {
      chunkOf ??= group(screens, modules);
      return chunkOf.get(id) === name ? name : null;
    },
    // With a module, a group takes what that imports, unless a group before it has.
    priority: names.length - index,
  }));
}

function group({ entry, first, journeys }: Screens, modules: Modules): ReadonlyMap<string, string> {
  const chunkOf = new Map<string, string>();
  for (const [name, screen] of Object.entries(first))
    for (const id of staticImports(screen, modules)) chunkOf.set(id, chunkOf.has(id) ? 'app' : name);
  for (const id of staticImports(entry, modules)) chunkOf.set(id, 'app');

  const importers = new Map<string, { screens: number; journeys: Set<Journey> }>();
  for (const [journey, files = []] of Object.entries(journeys) as [Journey, string[]][])
    for (const file of files)
      for (const id of staticImports(file, modules)) {
        const found = importers.get(id) ?? { screens: 0, journeys: new Set() };
        found.screens += 1;
        found.journeys.add(journey);
        importers.set(id, found);
      }
  for (const [id, found] of importers)
    if (found.screens > 1 && !chunkOf.has(id)) chunkOf.set(id, sharedChunk(found.journeys));
  return chunkOf;
}

/** A module and everything it imports, directly or not, except by `import()`. */
function staticImports(entry: string, modules: Modules): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (id: string): void => {
    const info = found.has(id) ? null : modules.getModuleInfo(id);
    if (!info) return;
    found.add(id);
    for (const next of info.importedIds) add(next);
  };
  add(entry);
  return found;
}
