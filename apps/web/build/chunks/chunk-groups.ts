type Modules = {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds?: readonly string[] } | null;
};
export type ChunkGroup = { name: (id: string, modules: Modules) => string | null; priority: number };

/**
 * Ways through the app: before signing in, setting up an account, working, hiring, what both sides have, help, what Explore opens, and what runs behind the screens, a
 * guest's or a member's.
 */
export type Journey =
  | 'guest'
  | 'setup'
  | 'work'
  | 'hire'
  | 'member'
  | 'help'
  | 'behind'
  | 'explore'
  | 'signed-in';

export type Screens = {
  /** The module that starts the app. */
  entry: string;
  /** Screens that a guest may open first, by name. */
  first: Readonly<Record<string, string>>;
  /** The one of them whose chunk everyone loads sooner or later, so that others may import it. */
  home: string;
  /** The others, each in the one journey that it is part of. */
  journeys: Readonly<Partial<Record<Journey, readonly string[]>>>;
};

/** The chunk of a module that several screens import. Its journeys include those of every module that imports it, so no two chunks need each other. */
function sharedChunk(journeys: ReadonlySet<Journey>): string {
  const has = (journey: Journey) => journeys.has(journey);
  if (has('guest')) return 'forms';
  if (has('behind')) return 'behind';
  if (has('explore')) return 'filters';
  if (has('signed-in')) return 'signed-in';
  const hasOneSide = [...journeys].every((journey) => journey === 'work' || journey === 'setup');
  if (hasOneSide) return 'work';
  return journeys.size === 1 ? [...journeys].join() : 'member';
}

/** Every chunk that `sharedChunk` names, after those it may import. */
const sharedChunks = ['forms', 'behind', 'filters', 'signed-in', 'member', 'work', 'hire', 'help'];

/** What no page of a guest may load: one side's code, and what only members use. */
export const memberChunks = ['signed-in', 'member', 'work', 'hire'];

/**
 * Groups modules into chunks: `app` is the entry and what a first screen shares with another or with signing in, and the rest of a first screen has its name.
 * What several other screens import is in one chunk of their journey; what one screen alone imports stays with it. So a screen takes few files, and nobody loads a side of the app
 * that they are not on. By default the bundler makes a file for each set of screens that share code, hundreds of them (ADR 221).
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

function group({ entry, first, home, journeys }: Screens, modules: Modules): ReadonlyMap<string, string> {
  const chunkOf = new Map<string, string>();
  for (const [name, screen] of Object.entries(first))
    for (const id of staticImports(screen, modules)) chunkOf.set(id, chunkOf.has(id) ? 'app' : name);
  for (const file of journeys.guest ?? [])
    for (const id of staticImports(file, modules)) if (chunkOf.has(id)) chunkOf.set(id, 'app');
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
  const ofMembers = [...importers].filter(([, { journeys: of }]) => !(of.has('guest') || of.has('behind')));
  const inParts = partImports(
    ofMembers.map(([id]) => id),
    modules,
  );
  for (const [id, found] of importers) {
    const chunk = chunkOf.get(id);
    // A screen that few open would be one more file for everyone else.
    if (chunk !== undefined && chunk !== home) chunkOf.set(id, 'app');
    const isShared = found.screens > 1 || inParts.has(id);
    if (isShared && chunk === undefined) chunkOf.set(id, sharedChunk(found.journeys));
  }
  return chunkOf;
}

/** Parts that these modules load by `import()`, and what they import. Shared with a member's screen, it would be one more file for that. */
function partImports(ids: Iterable<string>, modules: Modules): ReadonlySet<string> {
  const found = new Set<string>();
  for (const id of ids)
    for (const part of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      for (const imported of staticImports(part, modules)) found.add(imported);
  return found;
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
