import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { type FieldOf, type Problems, useFormModel } from './form-model.ts';
import { changedKeys, mergeEdits } from './merge-edits.ts';

type Base<Values> = { form: Values; version: number };

export type EditConflict<Values> = {
  newest: Base<Values>;
  theirs: (keyof Values)[];
  both: (keyof Values)[];
};

/** A form over a record that others may edit. After a refused stale version, call `meet` with the newest record. */
export function useRecordForm<Values extends FieldValues, Field extends string = FieldOf<Values>>(
  start: Base<Values>,
  check: (values: Values) => Problems<Field>,
) {
  const [base, setBase] = useState(start);
  const [conflict, setConflict] = useState<EditConflict<Values> | null>(null);
  const form = useFormModel<Values, Field>({ start: () => start.form, check });
  const adopt = (next: Base<Values>) => {
    // `values` are the submitted ones, so input during the save is kept.
    const { merged } = mergeEdits(form.values, form.read(), next.form);
    setBase(next);
    setConflict(null);
    form.reset(next.form);
    if (changedKeys(next.form, merged).length > 0) form.change(merged);
  };
  return {
    ...form,
    base,
    conflict,
    dirty: changedKeys(base.form, form.values).length > 0,
    meet: (newest: Base<Values>) => {
      const { theirs, both } = mergeEdits(base.form, form.values, newest.form);
      setConflict({ newest, theirs, both });
    },
    saveTyped: () => {
      if (!conflict) return;
      const { merged } = mergeEdits(base.form, form.values, conflict.newest.form);
      adopt(conflict.newest);
      form.change(merged);
    },
    takeNewest: () => {
      if (conflict) adopt(conflict.newest);
    },
    adopt,
  };
}
