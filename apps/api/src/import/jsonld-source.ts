import path from 'node:path';
import { postingsOf, readJsonLdPosting } from '../hiring/job-import/jsonld-posting.rules.ts';
import type { JsonLdMapping } from '../hiring/job-import/mapping.rules.ts';
import type { PlaceBook } from '../hiring/job-import/posting.rules.ts';
import { StartRefusedError } from '../platform/start-refused.ts';
import type { PostingSource, SourceRow } from './posting-source.ts';
import { readWholeText } from './text-file.ts';

/**
 * Opens schema.org JobPostings: one, a list or an @graph. "Lines" count postings.
 * @throws StartRefusedError
 */
export async function openJsonLd(
  file: string,
  mapping: JsonLdMapping,
  places: PlaceBook,
): Promise<PostingSource> {
  const name = path.basename(file);
  const text = await readWholeText(file, 200_000_000);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new StartRefusedError(`${name} is not JSON: ${(error as Error).message}. Nothing was imported.`);
  }
  const nodes = postingsOf(document);
  if (!nodes.some((node) => node !== null))
    throw new StartRefusedError(
      `${name} contains no schema.org JobPosting: none of its items has "@type": "JobPosting".`,
    );
  return {
    name: mapping.source,
    count: nodes.length,
    settings: {
      passed: mapping.passed,
      decimal: '.',
      capitals: mapping.capitals,
      keepCapitals: mapping.keepCapitals,
    },
    async *rows() {
      for (const [index, node] of nodes.entries()) yield sourceRow(index + 1, node, mapping, places);
    },
  };
}

function sourceRow(
  line: number,
  node: ReturnType<typeof postingsOf>[number],
  mapping: JsonLdMapping,
  places: PlaceBook,
): SourceRow {
  if (node === null) return { line, problem: 'The item is not a JobPosting.' };
  return { line, posting: readJsonLdPosting(node, mapping, places) };
}
