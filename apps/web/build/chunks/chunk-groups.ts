type Modules = {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds?: readonly string[] } | null;
};
export type ChunkGroup = { name: (id: string, modules: Modules) => string | null; priority: number };

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
  entry: string;
  first: Readonly<Record<string, string>>;
  /** The chunk's home, which everyone loads sooner or later, so that others may import it. */
  home: string;
  journeys: Readonly<Partial<Record<Journey, readonly string[]>>>;
};

/** The chunk of a module that several screens import, by all importers' journeys. No two chunks need each other. */
function sharedChunk(journeys: ReadonlySet<Journey>): string {
  const isIn = (journey: Journey) => journeys.has(journey);
  if (isIn('guest')) return 'forms';
  if (isIn('behind')) return 'behind';
  if (isIn('explore')) return 'filters';
  if (isIn('signed-in')) return 'signed-in';
  const hasOneSide = [...journeys].every((journey) => journey === 'work' || journey === 'setup');
  if (hasOneSide) return 'work';
  return journeys.size === 1 ? [...journeys].join() : 'member';
}

/** Every chunk that `sharedChunk` names, after those it may import. */
const sharedChunks = ['forms', 'behind', 'filters', 'signed-in', 'member', 'work', 'hire', 'help'];

/** Code for one side or for members only, which no guest page may load. */
export const memberChunks = ['signed-in', 'member', 'work', 'hire'];

/** Groups modules into `app`, a chunk per first screen and one per journey; the default makes hundreds (ADR 221). */
export function chunkGroups(screens: Screens): ChunkGroup[] {
  let chunkOf: ReadonlyMap<string, string> | undefined;
  const names = ['app', ...Object.keys(screens.first), ...sharedChunks];
  return names.map((name, index) => ({
    name: (id, modules) => {
      chunkOf ??= group(screens, modules);
      return chunkOf.get(id) === name ? name : null;
    },
    // A group also takes the imports of its modules, unless a previous group has them.
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
        const usage = importers.get(id) ?? { screens: 0, journeys: new Set() };
        usage.screens += 1;
        usage.journeys.add(journey);
        importers.set(id, usage);
      }
  const ofMembers = [...importers].filter(([, { journeys: of }]) => !(of.has('guest') || of.has('behind')));
  const inParts = partImports(
    ofMembers.map(([id]) => id),
    modules,
  );
  for (const [id, importerIds] of importers) {
    const chunk = chunkOf.get(id);
    // A separate chunk for a rarely opened screen would be one more file for everyone else.
    if (chunk !== undefined && chunk !== home) chunkOf.set(id, 'app');
    const isShared = importerIds.screens > 1 || inParts.has(id);
    if (isShared && chunk === undefined) chunkOf.set(id, sharedChunk(importerIds.journeys));
  }
  return chunkOf;
}

/** Imports of parts that load by `import()`. Sharing them with a member's screen would add a file to it. */
function partImports(ids: Iterable<string>, modules: Modules): ReadonlySet<string> {
  const reached = new Set<string>();
  for (const id of ids)
    for (const part of modules.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
      for (const imported of staticImports(part, modules)) reached.add(imported);
  return reached;
}

function staticImports(entry: string, modules: Modules): ReadonlySet<string> {
  const reached = new Set<string>();
  const add = (id: string): void => {
    const info = reached.has(id) ? null : modules.getModuleInfo(id);
    if (!info) return;
    reached.add(id);
    for (const next of info.importedIds) add(next);
  };
  add(entry);
  return reached;
}
