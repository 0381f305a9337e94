import path from 'node:path';
import { parseArgs } from 'node:util';
import { StartRefusedError } from '../platform/start-refused.ts';

export const usage = `Imports jobs from a CSV file or from schema.org JobPosting JSON-LD (docs/import.md).

  npm run import -- FILE --map MAPPING.json --owner EMAIL [--places PLACES.tsv] [--dry-run] [--report FILE]

  --map      which column means what; needed for CSV
  --owner    the account that owns the businesses of the postings; it must exist and be verified
  --places   positions of places by name: a .tsv with work_location, lat, lng
  --dry-run  judge every row and write nothing to the database
  --report   where the refused rows are listed; otherwise in DATA_DIR/imports
`;

export type ImportArguments = {
  file: string;
  map: string | null;
  places: string | null;
  owner: string | null;
  report: string | null;
  dryRun: boolean;
};

/**
 * Parses arguments and resolves paths against the caller's folder.
 * @throws StartRefusedError
 */
export function readArguments(args: readonly string[], folder: string): ImportArguments | 'help' {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    throw new StartRefusedError(`${(error as Error).message}\n\n${usage}`);
  }
  const { values, positionals } = parsed;
  if (values.help) return 'help';
  const [file, ...extraFiles] = positionals;
  if (file === undefined) throw new StartRefusedError(`Name the file to import.\n\n${usage}`);
  if (extraFiles.length > 0)
    throw new StartRefusedError(`One file at a time: ${extraFiles.join(', ')} is too many.\n\n${usage}`);
  const dryRun = values['dry-run'] ?? false;
  if (!dryRun && values.owner === undefined)
    throw new StartRefusedError(
      'Set the owner of the businesses with --owner EMAIL, or try --dry-run first.',
    );
  const absolutePath = (option: string | undefined) =>
    option === undefined ? null : path.resolve(folder, option);
  return {
    file: path.resolve(folder, file),
    map: absolutePath(values.map),
    places: absolutePath(values.places),
    owner: values.owner ?? null,
    report: absolutePath(values.report),
    dryRun,
  };
}

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      map: { type: 'string' },
      owner: { type: 'string' },
      places: { type: 'string' },
      report: { type: 'string' },
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
