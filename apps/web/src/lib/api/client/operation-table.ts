/** Slices with their operations, as `build/operation-table.ts` writes them. */
export type OperationTable = Readonly<Record<string, string>>;

/** How an operation is called. `segments`: of its path under `/api`; a parameter starts with a colon. */
export type Route = { method: string; segments: readonly string[] };

const methods: Record<string, string> = { '+': 'POST', '*': 'PATCH', '=': 'PUT', '-': 'DELETE' };

const usualParameter = (segment: string): string => {
  const singular = segment.replace(/ies$/, 'y').replace(/sses$/, 'sss').replace(/s$/, '');
  return `:${singular.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Id`;
};

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The operations of one slice of the table. */
export function readOperations(text: string): Map<string, Route> {
  const found = new Map<string, Route>();
  const words = text.split(' ');
  let before: string[] = [];
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index] ?? '';
    const [, sign = '', shared = '', rest = ''] = /^([+*=-]?)(\d*)(.*)$/.exec(words[index + 1] ?? '') ?? [];
    before = [...before.slice(0, Number(shared)), ...(rest ? rest.split('/') : [])];
    const short = before;
    const segments = short.map((segment, at) => {
      if (segment === '~') return kebab(name);
      return segment === ':' ? usualParameter(short[at - 1] ?? '') : segment;
    });
    found.set(name, { method: methods[sign] ?? 'GET', segments });
  }
  return found;
}
