type Shape = {
  type?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  minimum?: number;
  minItems?: number;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  default?: unknown;
};

const words = [
  'Abc',
  'NL',
  'nl',
  '123456',
  '08:00',
  '2026-11',
  'tok_0123456789abcdef',
  '+31612345678',
  'Europe/Amsterdam',
];

/** The minimal value: required properties only, first options, smallest numbers. `known` gives values by name. */
export function sampleOf(shape: unknown, knownValues: Record<string, unknown>, name = ''): unknown {
  const of = shape as Shape;
  if (name in knownValues) return knownValues[name];
  if (of.const !== undefined) return of.const;
  if (of.enum) return of.enum[0];
  const [first] = of.anyOf ?? of.oneOf ?? [];
  if (first) return sampleOf(first, knownValues, name);
  if (of.allOf) return Object.assign({}, ...of.allOf.map((part) => sampleOf(part, knownValues, name)));
  switch (of.type) {
    case 'object': {
      const requiredKeys = (of.required ?? []).filter((key) => of.properties?.[key]?.default === undefined);
      return Object.fromEntries(
        requiredKeys.map((key) => [key, sampleOf(of.properties?.[key] ?? {}, knownValues, key)]),
      );
    }
    case 'array':
      return Array.from({ length: of.minItems ?? 0 }, () => sampleOf(of.items ?? {}, knownValues));
    case 'integer':
    case 'number':
      return Math.max(1, of.minimum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return sampleText(of);
    default:
      return 1;
  }
}

function sampleText({ format, pattern, minLength = 0 }: Shape): string {
  if (format === 'uuid') return crypto.randomUUID();
  if (format === 'date-time') return '2026-12-24T09:00:00Z';
  if (format === 'date') return '2026-12-24';
  if (format === 'email') return 'somebody@example.test';
  if (format === 'uri') return 'https://example.test/';
  const fits = words.find(
    (word) => word.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(word)),
  );
  return fits ?? 'x'.repeat(Math.max(8, minLength));
}
