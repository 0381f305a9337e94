/** Removes a second full stop after a value that ends in one, such as `2. Dez.` or `Bakker B.V.`. */
export const endedOnce = (sentence: string, values: Readonly<Record<string, unknown>> = {}): string =>
  Object.values(values).reduce<string>(
    (text, value) =>
      typeof value === 'string' && /[^.]\.$/.test(value) ? text.replaceAll(`${value}.`, value) : text,
    sentence,
  );
