import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnySchema } from '@orpc/contract';

/** Exported names of schemas and of enums' word lists (ADR 209). */
export type ContractNames = {
  schemas: ReadonlyMap<string, AnySchema>;
  /** Keyed by the list as JSON. */
  enums: ReadonlyMap<string, string>;
};

/**
 * Names schemas by export and enums by their list's singular.
 * @throws Error for a name used twice
 */
export async function contractNames(): Promise<ContractNames> {
  const folder = path.dirname(fileURLToPath(import.meta.resolve('@nearhand/contract/contract')));
  const files = await readdir(folder, { recursive: true });
  const schemas = new Map<string, AnySchema>();
  const namedSchemas = new Set<unknown>();
  const enums = new Map<string, string>();
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort()) {
    const exported = (await import(path.join(folder, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (isSchema(value) && !namedSchemas.has(value)) {
        if (schemas.has(typeName(name))) throw new Error(`two schemas of the contract are called ${name}`);
        schemas.set(typeName(name), value);
        namedSchemas.add(value);
      } else if (isWordList(value) && !enums.has(JSON.stringify(value)))
        enums.set(JSON.stringify(value), typeName(singular(name)));
    }
  }
  return { schemas, enums };
}

export const typeName = (text: string): string =>
  text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, first: string) => first.toUpperCase());

const isSchema = (value: unknown): value is AnySchema =>
  typeof value === 'object' && value !== null && '_zod' in value;

const isWordList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 1 && value.every((word) => typeof word === 'string');

const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|us)es$/, '$1')
    .replace(/([^su])s$/, '$1');
