import { useId, useState } from 'react';
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  useForm,
  useWatch,
} from 'react-hook-form';

/** The name of a field of a form. */
export type FieldOf<Values> = Extract<keyof Values, string>;
/** What is wrong, in words, by field. */
export type Problems<Field extends string> = Partial<Record<Field, string>>;

type Options<Values, Field extends string> = {
  /** Read once, when the form opens. */
  start: () => Values;
  /** What the server would refuse, by the rules of the contract; run before every submit. */
  check: (values: Values) => Problems<Field>;
  /** Start of the ids of the fields; made up where nothing outside the form needs them. */
  id?: string;
  /** For a short form without a summary of errors: the first problem takes the focus. */
  focusProblems?: boolean;
  /** Called after every change, for drafts and autosave. */
  onChange?: (values: Values) => void;
};

/** The server's answer to a submit: problems at their fields, and a sentence for the whole form. */
export type Refused<Field extends string> = { fields?: Problems<Field>; text?: string | null };

/**
 * The one model behind the app's forms, on react-hook-form (ADR 150). `submit` sends only what `check` finds nothing wrong with; after the first try
 * problems follow the typing. What the server refused stays at its field until that field changes.
 */
export function useFormModel<Values extends FieldValues, Field extends string = FieldOf<Values>>({
  start,
  check,
  onChange,
  id: givenId,
  focusProblems = false,
}: Options<Values, Field>) {
  const ownId = useId();
  const idOf = (field: Field) => `${givenId ?? ownId}-${field}`;
  const focusFirst = (fields: readonly string[]) => {
    if (focusProblems && fields[0]) document.getElementById(idOf(fields[0] as Field))?.focus();
  };
  const [initial] = useState(start);
  const form = useForm<Values, unknown, Values>({
    defaultValues: initial as DefaultValues<Values>,
    shouldFocusError: false,
    resolver: (values) => {
      const errors = asErrors<Values>(check(values));
      return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
    },
  });
  const values = useWatch({ control: form.control }) as Values;
  const { errors, isSubmitting, submitCount } = form.formState;
  return {
    values,
    problems: { ...(submitCount > 0 ? check(values) : {}), ...refusedFields<Field>(errors) },
    /** The sentence about the whole form, from the last refusal. */
    refusal: errors.root?.server?.message ?? null,
    busy: isSubmitting,
    /** How often a submit was tried; a key for what announces itself each time. */
    tries: submitCount,
    idOf,
    change: (part: Partial<Values>) => {
      for (const [name, value] of Object.entries(part)) {
        const path = name as FieldPath<Values>;
        form.setValue(path, value as FieldPathValue<Values, FieldPath<Values>>, { shouldDirty: true });
        form.clearErrors(path);
      }
      onChange?.(form.getValues());
    },
    refuse: ({ fields = {}, text = null }: Refused<Field>) => {
      for (const [name, message] of Object.entries(fields as Record<string, string | undefined>))
        if (message) form.setError(name as FieldPath<Values>, { type: 'server', message });
      focusFirst(Object.keys(fields));
      if (text) form.setError('root.server', { type: 'server', message: text });
    },
    /** Forgets what the server refused. */
    clearRefusal: () => form.clearErrors(),
    submit: (send: (values: Values) => Promise<unknown>) =>
      form.handleSubmit(
        async (valid) => {
          await send(valid);
        },
        (broken) => focusFirst(Object.keys(broken)),
      )(),
    reset: (next: Values) => form.reset(next as DefaultValues<Values>),
  };
}

const asErrors = <Values extends FieldValues>(problems: Problems<string>): FieldErrors<Values> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([name, message]) =>
      message === undefined ? [] : [[name, { type: 'rule', message }]],
    ),
  ) as FieldErrors<Values>;

/** The rules are asked anew at every change, so of the library's errors only the server's count. */
const refusedFields = <Field extends string>(errors: FieldErrors): Problems<Field> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([name, error]) =>
      name !== 'root' && error?.type === 'server' ? [[name, String(error.message ?? '')]] : [],
    ),
  ) as Problems<Field>;

/** The problems in the order of the page, for the summary above a form. */
export const summaryOf = <Field extends string>(
  order: readonly Field[],
  problems: Problems<Field>,
  idOf: (field: Field) => string,
): { id: string; text: string }[] =>
  order.flatMap((field) => {
    const text = problems[field];
    return text ? [{ id: idOf(field), text }] : [];
  });
