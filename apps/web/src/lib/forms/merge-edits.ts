const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Merges concurrent edits; local ones win. `both` lists fields that both sides changed since `base`. */
export function mergeEdits<Form extends object>(
  base: Form,
  typed: Form,
  newest: Form,
): { merged: Form; theirs: (keyof Form)[]; both: (keyof Form)[] } {
  const merged = { ...newest };
  const theirs: (keyof Form)[] = [];
  const both: (keyof Form)[] = [];
  for (const key of Object.keys(newest) as (keyof Form)[]) {
    const otherChanged = !isEqual(base[key], newest[key]);
    const ownChanged = !isEqual(base[key], typed[key]);
    if (ownChanged) merged[key] = typed[key];
    if (otherChanged && ownChanged && !isEqual(typed[key], newest[key])) both.push(key);
    else if (otherChanged && !ownChanged) theirs.push(key);
  }
  return { merged, theirs, both };
}

export const changedKeys = <Form extends object>(before: Form, after: Form): (keyof Form)[] =>
  (Object.keys(after) as (keyof Form)[]).filter((key) => !isEqual(before[key], after[key]));
