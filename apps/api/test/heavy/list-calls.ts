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

/** Every read of the contract: lists, counts and single records. */
export const reads: ContractOperation[] = contractOperations.filter(({ method }) => method === 'GET');

/** Values that a rule requires but no schema describes. */
const chosen: Record<string, Record<string, unknown>> = {
  'cases.figures': { timeZone: 'Europe/Amsterdam' },
  'calendar.mine': { from: '2026-11-01T00:00:00Z', to: '2026-12-31T00:00:00Z' },
};

/** Values tried of longer lists, such as skills and countries. */
const valuesTried = 8;

/** The bare call, then each filter and order alone. */
export function askedFor({ name, operation, path }: ContractOperation, knownValues: Record<string, unknown>) {
  const input = jsonOf(operation['~orpc'].inputSchema, 'input');
  const inPath = (name: string) => path.includes(`{${name}}`);
  const sample = Object.entries({
    ...(sampleOf(input, knownValues) as Record<string, unknown>),
    ...chosen[name],
  });
  const needed = Object.fromEntries(
    sample.filter(([field]) => !inPath(field)).map(([field, value]) => [field, String(value)]),
  );
  const filters = Object.entries(input.properties ?? {}).filter(
    ([field]) => !inPath(field) && !(field in needed) && !['cursor', 'limit'].includes(field),
  );
  return [
    needed,
    ...filters.flatMap(([field, shape]) =>
      valuesOf(field, shape, knownValues).map((value) => ({ ...needed, [field]: value })),
    ),
  ] as Record<string, string>[];
}

function valuesOf(name: string, shape: Schema, knownValues: Record<string, unknown>): string[] {
  if (name in knownValues) return [String(knownValues[name])];
  const { anyOf } = shape;
  if (anyOf) return anyOf.flatMap((part) => valuesOf(name, part, knownValues));
  if (shape.enum) return shape.enum.slice(0, shape.enum.length > valuesTried ? 1 : valuesTried).map(String);
  if (shape.type === 'integer' || shape.type === 'number') return [String(shape.minimum ?? 1)];
  if (shape.format === 'date') return ['2026-11-01'];
  if (shape.format === 'date-time') return ['2026-11-01T00:00:00Z'];
  // A missing word, a frequent letter and a name.
  return ['q', 'search', 'words'].includes(name) ? ['zzzz', 'a', 'Leila'] : [];
}
