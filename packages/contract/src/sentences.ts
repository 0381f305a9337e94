/** A sentence without a second full stop behind a value that ends in one, such as `2. Dez.` or `Bakker B.V.`. */
export const endedOnce = (sentence: string, values: Readonly<Record<string, unknown>> = {}): string =>
  Object.values(values).reduce<string>(
    (shown, value) =>
      typeof value === 'string' && /[^.]\.$/.test(value) ? shown.replaceAll(`${value}.`, value) : shown,
    sentence,
  );
