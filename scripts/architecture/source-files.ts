import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';

export type SourceFile = {
  /** A path from the repository's root, with forward slashes. */
  path: string;
  lines: number;
  text: string;
  /** Includes types: a path from the root for our files, the specifier for packages. */
  imports: string[];
  program: ParseResult['program'];
};

const root = path.resolve(import.meta.dirname, '../..');

export function readSourceFiles(): SourceFile[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.ts', '*.tsx'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return listed
    .split('\n')
    .filter(
      (file) =>
        file !== '' &&
        !file.endsWith('.d.ts') &&
        !file.endsWith('.gen.ts') &&
        existsSync(path.join(root, file)),
    )
    .map((file) => parseSource(file, readFileSync(path.join(root, file), 'utf8')));
}

export function parseSource(file: string, text: string): SourceFile {
  const parsed = parseSync(file, text);
  const specifiers = [
    ...parsed.module.staticImports.map((staticImport) => staticImport.moduleRequest.value),
    ...parsed.module.staticExports.flatMap((staticExport) =>
      staticExport.entries.map((entry) => entry.moduleRequest?.value ?? ''),
    ),
    ...parsed.module.dynamicImports.map((dynamicImport) =>
      unquote(text.slice(dynamicImport.moduleRequest.start, dynamicImport.moduleRequest.end)),
    ),
  ];
  return {
    path: file,
    text,
    lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    imports: [
      ...new Set(
        specifiers.filter((specifier) => specifier !== '').map((specifier) => resolve(file, specifier)),
      ),
    ],
    program: parsed.program,
  };
}

const unquote = (text: string) => text.replace(/^['"`]|['"`]$/g, '');

function resolve(from: string, specifier: string): string {
  if (specifier.startsWith('@nearhand/contract/')) {
    return `packages/contract/src/${specifier.slice('@nearhand/contract/'.length)}.ts`;
  }
  const app = /^@nearhand\/((?:api|lab)\/.+)$/.exec(specifier);
  if (app) return `apps/${app[1]}`;
  if (!specifier.startsWith('.')) return specifier;
  const target = path.posix.normalize(
    path.posix.join(path.posix.dirname(from), specifier.replace(/\?.*$/, '')),
  );
  if (/\.[a-z]+$/.test(target)) return target;
  return (
    [`${target}.ts`, `${target}.tsx`].find((candidate) => existsSync(path.join(root, candidate))) ?? target
  );
}
