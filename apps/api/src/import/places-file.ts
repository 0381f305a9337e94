import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { type KnownPlace, type PlaceBook, placeKey } from '../hiring/job-import/posting.rules.ts';
import { StartRefused } from '../platform/start-refused.ts';
import { readWholeText } from './text-file.ts';

const degrees = (most: number) =>
  z
    .string()
    .regex(/^[+-]?\d{1,3}(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().min(-most).max(most));
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

/**
 * Positions of places by the source's name for them: tab-separated, header `work_location lat lng` and optionally `address`, `area` and
 * `country`.
 * @throws StartRefused naming the invalid line
 */
export async function readPlaces(file: string): Promise<PlaceBook> {
  const name = path.basename(file);
  const text = await readWholeText(file, 50_000_000);
  const known = new Map<string, KnownPlace>();
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
    throw new StartRefused(`${name} cannot be read as a table of places: ${(error as Error).message}.`);
  }
  for (const [index, row] of rows.entries()) {
    const read = placeRow.safeParse(row);
    if (!read.success)
      throw new StartRefused(
        `${name}, line ${index + 2}: a row needs work_location, lat and lng (tab-separated); ${read.error.issues.map((issue) => issue.path.join('.')).join(', ')} is invalid.`,
      );
    const { work_location: text, ...place } = read.data;
    known.set(placeKey(text), place);
  }
  return (text) => known.get(placeKey(text));
}

export const noPlaces: PlaceBook = () => undefined;
