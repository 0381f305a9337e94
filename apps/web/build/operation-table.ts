export type OperationRoute = { name: string; method: string; path: string };

const signs: Record<string, string> = { GET: '', POST: '+', PATCH: '*', PUT: '=', DELETE: '-' };

const singular = (word: string): string =>
  word.replace(/ies$/, 'y').replace(/sses$/, 'sss').replace(/s$/, '');

/** The usual parameter after a segment: `jobs` has `jobId`. `lib/api/client/api-link.ts` has the same rule. */
const usualParameter = (segment: string): string =>
  `${singular(segment).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Id`;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function shortSegment(segment: string, before: string | undefined, name: string, isLast: boolean): string {
  const parameter = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (parameter !== undefined)
    return before !== undefined && parameter === usualParameter(before) ? ':' : `:${parameter}`;
  if (!/^[a-z.][a-z.-]*$/.test(segment)) throw new Error(`The table has no way to write ${segment}`);
  return isLast && segment === kebab(name) ? '~' : segment;
}

/** A slice's names and routes. A route shares segments with the previous one; `:` is a parameter, `~` the name. */
export function writeOperations(operations: readonly OperationRoute[]): string {
  let before: string[] = [];
  const words = operations.flatMap(({ name, method, path }) => {
    const sign = signs[method];
    if (sign === undefined) throw new Error(`The table has no sign for ${method}`);
    const segments = path.split('/').slice(1);
    const short = segments.map((segment, index) =>
      shortSegment(segment, segments[index - 1], name, index === segments.length - 1),
    );
    let shared = 0;
    while (shared < short.length && short[shared] === before[shared]) shared += 1;
    before = short;
    return [name, `${sign}${shared || ''}${short.slice(shared).join('/')}`];
  });
  return words.join(' ');
}
