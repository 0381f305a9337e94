/** A name as another provider gives it, fit for our accounts; empty if it gives none. */
export const nameOf = (name: unknown): string =>
  typeof name === 'string'
    ? name
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 80)
        .toWellFormed()
    : '';
