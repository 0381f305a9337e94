import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sumOf } from '@nearhand/contract/arithmetic';
import { CsvError, type Options, parse } from 'csv-parse';
import { parse as parseAtOnce } from 'csv-parse/sync';
import { readCsvPosting } from '../hiring/job-import/csv-posting.rules.ts';
import { type CsvMapping, mappedColumns } from '../hiring/job-import/mapping.rules.ts';
import type { PlaceBook } from '../hiring/job-import/posting.rules.ts';
import { StartRefusedError } from '../platform/start-refused.ts';
import type { PostingSource, SourceRow } from './posting-source.ts';
import { readText } from './text-file.ts';

const delimiters = [',', ';', '\t', '|'];
/** Limits a row, since a quote that never closes would swallow the rest of the file. */
const longestRow = 4_000_000;
const headBytes = 64 * 1024;

type Read = {
  record: Record<string, string>;
  info: { lines: number; error?: CsvError; columns: boolean | { name: string }[] };
};

/**
 * Opens a CSV file after validating all of it.
 * @throws StartRefusedError
 */
export async function openCsv(file: string, mapping: CsvMapping, places: PlaceBook): Promise<PostingSource> {
  const delimiter = await findDelimiter(file, mapping);
  let count = 0;
  for await (const _row of records(file, mapping, delimiter)) count += 1;
  return {
    name: mapping.source,
    count,
    settings: {
      passed: mapping.passed,
      decimal: mapping.pay.decimal,
      capitals: mapping.capitals,
      keepCapitals: mapping.keepCapitals,
    },
    async *rows() {
      for await (const csvRow of records(file, mapping, delimiter)) yield sourceRow(csvRow, mapping, places);
    },
  };
}

function sourceRow({ record, info }: Read, mapping: CsvMapping, places: PlaceBook): SourceRow {
  // The parser counts to the end of a row, but the report needs its first line.
  const breaks = sumOf(Object.values(record), (cell) => cell?.match(/\n/g)?.length ?? 0);
  const line = info.lines - breaks;
  if (info.error) {
    const cells = Object.keys(record).length;
    const expectedCells = Array.isArray(info.columns) ? info.columns.length : cells;
    return {
      line,
      problem:
        cells < expectedCells
          ? `The row has ${cells} cells; the header has ${expectedCells}.`
          : `The row has more cells than the header.`,
    };
  }
  return { line, posting: readCsvPosting(record, mapping, places) };
}

const parserOptions = (delimiter: string): Options => ({
  delimiter,
  columns: (header: string[]) => header.map((name) => name.trim()),
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: longestRow,
});

async function* records(file: string, mapping: CsvMapping, delimiter: string): AsyncGenerator<Read> {
  const parser = parse(parserOptions(delimiter));
  const pumped = pipeline(Readable.from(readText(file, mapping.encoding)), parser);
  // The stream is destroyed with the parser when a reader stops early.
  pumped.catch(() => {});
  try {
    for await (const csvRow of parser) yield csvRow as Read;
    await pumped;
  } catch (error) {
    throw error instanceof CsvError ? brokenCsv(file, error) : error;
  } finally {
    parser.destroy();
  }
}

function brokenCsv(file: string, error: CsvError): StartRefusedError {
  const line = 'lines' in error && typeof error.lines === 'number' ? `, line ${error.lines}` : '';
  const words: Partial<Record<string, string>> = {
    CSV_QUOTE_NOT_CLOSED: 'a quote is never closed',
    CSV_MAX_RECORD_SIZE:
      'a row is longer than 4 million characters, most likely because a quote is never closed',
  };
  return new StartRefusedError(
    `${path.basename(file)}${line}: ${words[error.code] ?? error.message}. Nothing was imported.`,
  );
}

async function findDelimiter(file: string, mapping: CsvMapping): Promise<string> {
  const name = path.basename(file);
  let head = '';
  for await (const part of readText(file, mapping.encoding)) {
    head += part;
    if (head.length >= headBytes) break;
  }
  if (head.trim() === '') throw new StartRefusedError(`${name} is empty.`);
  const neededColumns = mappedColumns(mapping);
  const candidates = (mapping.delimiter === undefined ? delimiters : [mapping.delimiter]).map((delimiter) => {
    const header = firstLine(head, delimiter);
    return { delimiter, header, missing: neededColumns.filter((column) => !header.includes(column)) };
  });
  const best = candidates.toSorted((a, b) => a.missing.length - b.missing.length)[0];
  if (best === undefined || best.missing.length > 0)
    throw new StartRefusedError(
      `${name} has no column ${(best?.missing ?? neededColumns).map((column) => `'${column}'`).join(', ')}, which the mapping uses. Its header has: ${(best?.header ?? []).slice(0, 60).join(', ').slice(0, 2_000)}.`,
    );
  const twice = neededColumns.find((column) => best.header.filter((name) => name === column).length > 1);
  if (twice !== undefined)
    throw new StartRefusedError(`${name} has two columns '${twice}', which is ambiguous.`);
  return best.delimiter;
}

function firstLine(head: string, delimiter: string): string[] {
  try {
    const [header] = parseAtOnce(head, {
      delimiter,
      to: 1,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return ((header as string[] | undefined) ?? []).map((name) => name.trim());
  } catch {
    return [];
  }
}
