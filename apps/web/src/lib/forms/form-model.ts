import { useEffect, useId, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useForm,
  useWatch,
} from 'react-hook-form';
import { changedKeys } from './merge-edits.ts';

export type FieldOf<Values> = Extract<keyof Values, string>;
type TextField<Values> = {
  [Name in keyof Values]: string extends Values[Name] ? Name : never;
}[keyof Values];
export type Problems<Field extends string> = Partial<Record<Field, string>>;

type Draft<Values> = { value: Values; set: (values: Values) => void };

type Options<Values, Field extends string> = {
  /** Validates by the contract's rules; runs before every submit. A field without a problem may be undefined. */
  check: (values: Values) => Problems<Field>;
  id?: string;
  /** Focuses the first problem of a short form without a summary of errors. */
  focusProblems?: boolean;
} & (
  | {
      start: () => Values;
    }
  | {
      /** Receives every change. Changes from elsewhere, such as another window, show in the form. */
      draft: Draft<Values>;
    }
);

type Shown<Field> = { all: boolean; fields: readonly Field[]; tries: number };
const nothingShown = { all: false, fields: [], tries: 0 };

export type FormRefusal<Field extends string> = { fields?: Problems<Field>; text?: string | null };

/** The model of the app's forms, on react-hook-form (ADR 150). A refusal stays at its field until that changes. */
export function useFormModel<Values extends FieldValues, Field extends string = FieldOf<Values>>({
  check,
  id: givenId,
  focusProblems = false,
  ...source
}: Options<Values, Field>) {
  const draft = 'draft' in source ? source.draft : null;
  const problemsOf = (candidate: Values) => pick(check(candidate));
  const ownId = useId();
  const idOf = (field: Field) => `${givenId ?? ownId}-${field}`;
  const focusFirst = (fields: readonly string[]) => {
    if (focusProblems && fields[0]) document.getElementById(idOf(fields[0] as Field))?.focus();
  };
  const [initial] = useState(() => ('draft' in source ? source.draft.value : source.start()));
  const form = useCheckedForm(initial, problemsOf);
  const values = useWatch({ control: form.control }) as Values;
  const { errors, isSubmitting } = form.formState;
  const [shownFields, setShownFields] = useState<Shown<Field>>(nothingShown);
  // A form can be submitted twice before its button is rendered as busy, for instance by Enter in a field.
  const sending = useRef(false);
  const resets = useRef(0);
  useChangedDraft(form, draft?.value);
  const missing = problemsOf(values);
  const problems = {
    ...(shownFields.all ? missing : pick(missing, shownFields.fields)),
    ...refusedFields<Field>(errors),
  };
  const change = (part: Partial<Values>) => {
    writeValues(form, part);
    draft?.set(form.getValues());
  };
  return {
    values,
    /** The current values, for a function that has waited since the last render. */
    read: () => form.getValues(),
    missing,
    problems,
    refusal: errors.root?.server?.message ?? null,
    busy: isSubmitting,
    tries: shownFields.tries,
    idOf,
    change,
    /** The props of an input for a text. */
    textField: (field: TextField<Values> & Field) => ({
      id: idOf(field),
      value: values[field] as string,
      error: problems[field],
      onChange: (event: { target: { value: string } }) =>
        change({ [field]: event.target.value } as Partial<Values>),
    }),
    /** Validates the fields of one step and shows their problems. Returns whether there are none. */
    verify: (fields: readonly Field[]): boolean => {
      setShownFields((before) => ({
        ...before,
        fields: [...new Set([...before.fields, ...fields])],
        tries: before.tries + 1,
      }));
      return Object.keys(pick(problemsOf(values), fields)).length === 0;
    },
    refuse: ({ fields = {}, text = null }: FormRefusal<Field>) => {
      let isAtField = false;
      for (const [name, message] of Object.entries(fields as Record<string, string | undefined>)) {
        if (!message) continue;
        form.setError(name as FieldPath<Values>, { type: 'server', message });
        isAtField ||= document.getElementById(idOf(name as Field)) !== null;
      }
      focusFirst(Object.keys(fields));
      // A visible field says the reason itself.
      if (text && !isAtField) form.setError('root.server', { type: 'server', message: text });
    },
    clearRefusal: () => form.clearErrors(),
    submit: async (
      send: (values: Values) => Promise<unknown>,
      onProblems?: (problems: Problems<Field>) => void,
    ): Promise<void> => {
      if (sending.current) return;
      sending.current = true;
      const before = resets.current;
      try {
        await form.handleSubmit(
          async (valid) => {
            await send(valid);
          },
          () => {
            const problems = problemsOf(form.getValues());
            focusFirst(Object.keys(problems));
            onProblems?.(problems);
          },
        )();
      } finally {
        sending.current = false;
        // A form that was just emptied by sending has no problems.
        if (resets.current === before)
          setShownFields((last) => ({ ...last, all: true, tries: last.tries + 1 }));
      }
    },
    reset: (next: Values) => {
      form.reset(next as DefaultValues<Values>);
      resets.current += 1;
      setShownFields(nothingShown);
      draft?.set(next);
    },
  };
}

type LibraryForm<Values extends FieldValues> = UseFormReturn<Values, unknown, Values>;

function useCheckedForm<Values extends FieldValues>(
  initial: Values,
  problemsOf: (values: Values) => Problems<string>,
): LibraryForm<Values> {
  return useForm<Values, unknown, Values>({
    defaultValues: initial as DefaultValues<Values>,
    shouldFocusError: false,
    resolver: (values) => {
      const errors = asErrors<Values>(problemsOf(values));
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
    },
  });
}

function writeValues<Values extends FieldValues>(form: LibraryForm<Values>, part: Partial<Values>): void {
  for (const [name, value] of Object.entries(part)) {
    const path = name as FieldPath<Values>;
    form.setValue(path, value as FieldPathValue<Values, FieldPath<Values>>, { shouldDirty: true });
    form.clearErrors(path);
  }
}

/** Shows a draft that was changed elsewhere. Typed values reach the draft through `change` instead. */
function useChangedDraft<Values extends FieldValues>(
  form: LibraryForm<Values>,
  draftValues: Values | undefined,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a draft that was changed elsewhere replaces the form's values
  useEffect(() => {
    if (!draftValues) return;
    const keys = changedKeys(form.getValues(), draftValues);
    if (keys.length > 0)
      writeValues(form, Object.fromEntries(keys.map((key) => [key, draftValues[key]])) as Partial<Values>);
  }, [draftValues]);
}

/** The problems with a message, of `fields` only. */
const pick = <Field extends string>(
  problems: Problems<Field>,
  fields: readonly Field[] = Object.keys(problems) as Field[],
): Problems<Field> =>
  Object.fromEntries(
    fields.flatMap((field) => (problems[field] ? [[field, problems[field]]] : [])),
  ) as Problems<Field>;

const asErrors = <Values extends FieldValues>(problems: Problems<string>): FieldErrors<Values> =>
  Object.fromEntries(
    Object.entries(problems).map(([name, message]) => [name, { type: 'rule', message }]),
  ) as FieldErrors<Values>;

/** The rules run on every change, so of the library's errors only the server's count. */
const refusedFields = <Field extends string>(errors: FieldErrors): Problems<Field> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([name, error]) =>
      name !== 'root' && error?.type === 'server' ? [[name, String(error.message ?? '')]] : [],
    ),
  ) as Problems<Field>;

/** The problems in the order of their fields, with the ids to link to. */
export const summaryOf = <Field extends string>(
  order: readonly Field[],
  problems: Problems<Field>,
  idOf: (field: Field) => string,
): { id: string; text: string }[] =>
  order.flatMap((field) => {
    const text = problems[field];
    return text ? [{ id: idOf(field), text }] : [];
  });
