import path from 'node:path';
import type { z } from 'zod';
import { mappingMistakes } from '../hiring/job-import/mapping.rules.ts';
import { StartRefused } from '../platform/start-refused.ts';
import { readWholeText } from './text-file.ts';

/** @throws StartRefused naming every invalid entry */
export async function readMapping<Mapping>(file: string, shape: z.ZodType<Mapping>): Promise<Mapping> {
  const name = path.basename(file);
  const text = await readWholeText(file, 10_000_000);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StartRefused(`${name} is not JSON: ${(error as Error).message}.`);
  }
  const mapping = shape.safeParse(value);
  if (mapping.success) return mapping.data;
  throw new StartRefused(
    `The mapping ${name} is invalid (docs/import.md):\n${mappingMistakes(mapping.error)}`,
  );
}
