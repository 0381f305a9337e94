import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { csvMapping, jsonLdMapping, mappingMistakes } from '../hiring/job-import/mapping.rules.ts';
import { type KnownPlace, type PlaceBook, placeKey } from '../hiring/job-import/posting.rules.ts';
import { StartRefusedError } from '../platform/start-refused.ts';
import { openCsv } from './csv-source.ts';
import { openJsonLd } from './jsonld-source.ts';
import type { PostingSource } from './posting-source.ts';
import { readText, readWholeText, requireFile } from './text-file.ts';

/**
 * Opens a CSV or JSON-LD file, detected by extension, then by its first characters.
 * @throws StartRefusedError
 */
export async function openPostingFile(files: {
  file: string;
  map: string | null;
  places: string | null;
}): Promise<PostingSource> {
  const { file, map } = files;
  await requireFile(file);
  const places = files.places === null ? noPlaces : await readPlaces(files.places);
  if (await isJson(file)) {
    const mapping = map === null ? jsonLdMapping.parse({}) : await readMapping(map, jsonLdMapping);
    return openJsonLd(file, mapping, places);
  }
  if (map === null)
    throw new StartRefusedError(
      'A CSV file needs a mapping of its columns: --map MAPPING.json (docs/import.md).',
    );
  return openCsv(file, await readMapping(map, csvMapping), places);
}

async function isJson(file: string): Promise<boolean> {
  const ending = path.extname(file).toLowerCase();
  if (ending === '.json' || ending === '.jsonld') return true;
  if (['.csv', '.tsv', '.txt'].includes(ending)) return false;
  // windows-1252 accepts any byte, so detection cannot fail on the encoding.
  for await (const part of readText(file, 'windows-1252')) return /^(?:ï»¿)?\s*[[{]/.test(part);
  return false;
}

/** @throws StartRefusedError, which lists every invalid entry */
async function readMapping<Mapping>(file: string, shape: z.ZodType<Mapping>): Promise<Mapping> {
  const name = path.basename(file);
  const text = await readWholeText(file, 10_000_000);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StartRefusedError(`${name} is not JSON: ${(error as Error).message}.`);
  }
  const mapping = shape.safeParse(value);
  if (mapping.success) return mapping.data;
  throw new StartRefusedError(
    `The mapping ${name} is invalid (docs/import.md):\n${mappingMistakes(mapping.error)}`,
  );
}

const degrees = (max: number) =>
  z
    .string()
    .regex(/^[+-]?\d{1,3}(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(-max).max(max));
const optional = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text.trim() === '' ? undefined : text.trim()));

const placeRow = z.object({
  work_location: z.string().trim().min(1),
  lat: degrees(90),
  lng: degrees(180),
  address: optional,
  area: optional,
  country: optional,
});

/** Reads tab-separated place positions: `work_location lat lng`, optionally `address area country`. */
async function readPlaces(file: string): Promise<PlaceBook> {
  const name = path.basename(file);
  const text = await readWholeText(file, 50_000_000);
  const placesById = new Map<string, KnownPlace>();
  let rows: Record<string, string>[];
  try {
    rows = parse(text, {
      delimiter: '\t',
      columns: true,
      quote: false,
      skip_empty_lines: true,
      relax_column_count: true,
      bom: true,
    });
  } catch (error) {
    throw new StartRefusedError(`${name} cannot be read as a table of places: ${(error as Error).message}.`);
  }
  for (const [index, row] of rows.entries()) {
    const parsed = placeRow.safeParse(row);
    if (!parsed.success)
      throw new StartRefusedError(
        `${name}, line ${index + 2}: a row needs work_location, lat and lng (tab-separated); ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')} is invalid.`,
      );
    const { work_location: text, ...place } = parsed.data;
    placesById.set(placeKey(text), place);
  }
  return (text) => placesById.get(placeKey(text));
}

const noPlaces: PlaceBook = () => undefined;
