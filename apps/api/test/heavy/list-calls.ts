import { z } from 'zod';
import { type ContractOperation, contractOperations } from '../contract-operations.ts';
import { sampleOf } from '../sample-input.ts';

type Schema = {
  type?: string;
  format?: string;
  enum?: unknown[];
  minimum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
};

const jsonOf = (schema: unknown, io: 'input' | 'output'): Schema =>
  schema ? (z.toJSONSchema(schema as z.ZodType, { io, unrepresentable: 'any' }) as Schema) : {};

/** Whether an answer is a list or has one of records, or counts them: those grow with a person. */
function hasList(shape: Schema): boolean {
  if (shape.type === 'array') return true;
  const parts = [...Object.values(shape.properties ?? {}), ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])];
  return parts.some((part) => part.type === 'array' && part.items?.type !== 'string');
}

const isCount = ({ properties = {} }: Schema) =>
  Object.values(properties).length > 0 && Object.values(properties).every(({ type }) => type === 'integer');

/** Every operation of the contract that reads a list of records or counts them. */
export const listOperations: ContractOperation[] = contractOperations.filter(({ method, operation }) => {
  const output = jsonOf(operation['~orpc'].outputSchema, 'output');
  return method === 'GET' && (hasList(output) || isCount(output));
});

/** What no schema describes but a rule requires. */
const chosen: Record<string, Record<string, unknown>> = {
  'calendar.mine': { from: '2026-11-01T00:00:00Z', to: '2026-12-31T00:00:00Z' },
};

/** Of longer lists (skills, countries) one value is tried: they differ in nothing that matters here. */
const valuesTried = 8;

/** What a list is asked for: nothing more than it needs, then with each of its filters and orders, one at a time. */
export function askedFor({ name, operation, path }: ContractOperation, known: Record<string, unknown>) {
  const input = jsonOf(operation['~orpc'].inputSchema, 'input');
  const inPath = (name: string) => path.includes(`{${name}}`);
  const sample = Object.entries({ ...(sampleOf(input, known) as Record<string, unknown>), ...chosen[name] });
  const needed = Object.fromEntries(
    sample.filter(([field]) => !inPath(field)).map(([field, value]) => [field, String(value)]),
  );
  const filters = Object.entries(input.properties ?? {}).filter(
    ([field]) => !inPath(field) && !(field in needed) && !['cursor', 'limit'].includes(field),
  );
  return [
    needed,
    ...filters.flatMap(([field, shape]) =>
      valuesOf(field, shape, known).map((value) => ({ ...needed, [field]: value })),
    ),
  ] as Record<string, string>[];
}

function valuesOf(name: string, shape: Schema, known: Record<string, unknown>): string[] {
  if (name in known) return [String(known[name])];
  const { anyOf } = shape;
  if (anyOf) return anyOf.flatMap((part) => valuesOf(name, part, known));
  if (shape.enum) return shape.enum.slice(0, shape.enum.length > valuesTried ? 1 : valuesTried).map(String);
  if (shape.type === 'integer' || shape.type === 'number') return [String(shape.minimum ?? 1)];
  if (shape.format === 'date') return ['2026-11-01'];
  if (shape.format === 'date-time') return ['2026-11-01T00:00:00Z'];
  // A word that nothing has, a letter that nearly everything has, and a name.
  return ['q', 'search', 'words'].includes(name) ? ['zzzz', 'a', 'Leila'] : [];
}
