const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Merges concurrent edits; local ones win. `both` lists fields that both sides changed since `base`. */
export function mergeEdits<Form extends object>(
  base: Form,
  typed: Form,
  newest: Form,
): { merged: Form; theirs: (keyof Form)[]; both: (keyof Form)[] } {
  const merged = { ...newest };
  const theirKeys: (keyof Form)[] = [];
  const conflicting: (keyof Form)[] = [];
  for (const key of Object.keys(newest) as (keyof Form)[]) {
    const otherChanged = !isEqual(base[key], newest[key]);
    const ownChanged = !isEqual(base[key], typed[key]);
    if (ownChanged) merged[key] = typed[key];
    if (otherChanged && ownChanged && !isEqual(typed[key], newest[key])) conflicting.push(key);
    else if (otherChanged && !ownChanged) theirKeys.push(key);
  }
  return { merged, theirs: theirKeys, both: conflicting };
}

/** The fields whose values differ. */
export const changedKeys = <Form extends object>(before: Form, after: Form): (keyof Form)[] =>
  (Object.keys(after) as (keyof Form)[]).filter((key) => !isEqual(before[key], after[key]));
