import { useState } from 'react';
import { changedKeys, mergeEdits } from './merge-edits.ts';

type Base<Form> = { form: Form; version: number };

export type EditConflict<Form> = {
  newest: Base<Form>;
  /** Changed by the other person only; taken over. */
  theirs: (keyof Form)[];
  /** Changed by both; what was typed here would win. */
  both: (keyof Form)[];
};

/**
 * A form over a record that others may change meanwhile. `base` is what it was opened with and the version to send. After the server
 * refused a stale version, `meet` is called with the newest record; `keepTyped` or `takeNewest` then settles it. Nothing typed is lost.
 */
export function useEditSession<Form extends object>(start: Base<Form>) {
  const [base, setBase] = useState(start);
  const [typed, setTyped] = useState(start.form);
  const [conflict, setConflict] = useState<EditConflict<Form> | null>(null);
  const settle = (form: Form, next: Base<Form>) => {
    setBase(next);
    setTyped(form);
    setConflict(null);
  };
  return {
    base,
    typed,
    conflict,
    dirty: changedKeys(base.form, typed).length > 0,
    change: (part: Partial<Form>) => setTyped((before) => ({ ...before, ...part })),
    meet: (newest: Base<Form>) => {
      const { theirs, both } = mergeEdits(base.form, typed, newest.form);
      setConflict({ newest, theirs, both });
    },
    keepTyped: () => {
      if (conflict) settle(mergeEdits(base.form, typed, conflict.newest.form).merged, conflict.newest);
    },
    takeNewest: () => {
      if (conflict) settle(conflict.newest.form, conflict.newest);
    },
    /** After a save, or to start again from the record. */
    reset: (next: Base<Form>) => settle(next.form, next),
  };
}
