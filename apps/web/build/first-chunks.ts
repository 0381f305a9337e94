type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/**
 * Groups everything the first screens import statically: the modules of the entry, and those that two screens share, go into the chunk `app`; the rest
 * of a screen into a chunk of its own. By default, the bundler makes about fifty small files of it, which take more requests and compress worse.
 */
export function firstChunks(
  entry: string,
  screens: Readonly<Record<string, string>>,
): (id: string, modules: Modules) => string | null {
  let chunkOf: ReadonlyMap<string, string> | undefined;
  return (id, modules) => {
    chunkOf ??= group(entry, screens, modules);
    return chunkOf.get(id) ?? null;
  };
}

function group(entry: string, screens: Readonly<Record<string, string>>, modules: Modules) {
  const chunkOf = new Map<string, string>();
  for (const [name, screen] of Object.entries(screens))
    for (const id of staticImports(screen, modules)) chunkOf.set(id, chunkOf.has(id) ? 'app' : name);
  for (const id of staticImports(entry, modules)) chunkOf.set(id, 'app');
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
