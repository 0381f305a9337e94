const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Two people edited the same record: what this one typed stays, what only the other one changed is taken over. `both` names the fields that
 * both changed, `theirs` those that came from the other one. `base` is what the form was opened with.
 */
export function mergeEdits<Form extends object>(
  base: Form,
  typed: Form,
  newest: Form,
): { merged: Form; theirs: (keyof Form)[]; both: (keyof Form)[] } {
  const merged = { ...newest };
  const theirs: (keyof Form)[] = [];
  const both: (keyof Form)[] = [];
  for (const key of Object.keys(newest) as (keyof Form)[]) {
    const otherChanged = !same(base[key], newest[key]);
    const ownChanged = !same(base[key], typed[key]);
    if (ownChanged) merged[key] = typed[key];
    if (otherChanged && ownChanged && !same(typed[key], newest[key])) both.push(key);
    else if (otherChanged && !ownChanged) theirs.push(key);
  }
  return { merged, theirs, both };
}

/** The fields of a form that are not as they were. */
export const changedKeys = <Form extends object>(before: Form, after: Form): (keyof Form)[] =>
  (Object.keys(after) as (keyof Form)[]).filter((key) => !same(before[key], after[key]));
