const zeros = ['\u0660', '\u06f0', '\uff10'].map((zero) => zero.charCodeAt(0));

/**
 * Arabic-Indic, Persian and full-width digits as 0 to 9, with the Arabic decimal sign as a dot; its grouping
 * sign is dropped.
 */
export const plainDigits = (typed: string): string =>
  typed
    .replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - (zeros.findLast((zero) => zero <= code) ?? code));
    })
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', '');
