import path from 'node:path';
import { csvMapping, jsonLdMapping } from '../hiring/job-import/mapping.rules.ts';
import { StartRefused } from '../platform/start-refused.ts';
import { openCsv } from './csv-source.ts';
import { openJsonLd } from './jsonld-source.ts';
import { readMapping } from './mapping-file.ts';
import { noPlaces, readPlaces } from './places-file.ts';
import type { PostingSource } from './posting-source.ts';
import { readText, requireFile } from './text-file.ts';

/**
 * The postings of a file, by its extension, otherwise by its first characters: CSV with a mapping, or JSON-LD.
 * @throws StartRefused worded for anyone who runs the import; then nothing was written
 */
export async function openSource(files: {
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
    throw new StartRefused('A CSV file needs a mapping of its columns: --map MAPPING.json (docs/import.md).');
  return openCsv(file, await readMapping(map, csvMapping), places);
}

async function isJson(file: string): Promise<boolean> {
  const ending = path.extname(file).toLowerCase();
  if (ending === '.json' || ending === '.jsonld') return true;
  if (['.csv', '.tsv', '.txt'].includes(ending)) return false;
  // Read as one byte per character, so that no encoding can be wrong here.
  for await (const part of readText(file, 'windows-1252')) return /^(?:ï»¿)?\s*[[{]/.test(part);
  return false;
}
