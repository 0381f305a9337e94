import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileFaults, indexFaults, mentionFaults, recordFaults, recordsOf } from './record-rules.ts';

const root = path.resolve(import.meta.dirname, '../..');
const self = 'scripts/architecture/decision-records.test.ts';
const endings = ['ts', 'tsx', 'mjs', 'js', 'sql', 'css', 'html', 'md', 'yaml', 'yml'];
const files = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    'Dockerfile',
    ...endings.map((ending) => `*.${ending}`),
  ],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && file !== self && existsSync(path.join(root, file)))
  .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));
const index = files.find((file) => file.path === 'docs/adr/README.md')?.text ?? '';
const records = recordsOf(files);

describe('the decision records', () => {
  it('are not empty', () => {
    expect(records.length).toBeGreaterThan(50);
    expect(files.length).toBeGreaterThan(1000);
  });
  it('have a title, three sections, few lines and a place in the index', () =>
    expect(recordFaults(records, index)).toEqual([]));
  it('match the index', () => expect(indexFaults(records, index)).toEqual([]));
  it('exist where code and docs mention them', () => expect(mentionFaults(files, records)).toEqual([]));
  it('name files that exist', () =>
    expect(
      fileFaults(
        records,
        files.map((file) => file.path),
      ),
    ).toEqual([]));
  it('are listed once', () => {
    const listed = index.match(/^- .*\]\(\d{4}-/gm) ?? [];
    expect(listed).toHaveLength(records.length);
  });
  it('have unique numbers', () => {
    const numbers = records.map((record) => record.path.slice(0, 'docs/adr/0000'.length));
    expect(numbers.filter((number, position) => numbers.indexOf(number) !== position)).toEqual([]);
  });
});

describe('the rules of decision records can fail', () => {
  const good = {
    path: 'docs/adr/0007-comparable-pay.md',
    text: '# 7. Comparable pay\n\n## Context\nWhy.\n\n## Decision\nWhat.\n\n## Consequences\nSo.\n',
  };
  const listed = '- [7. Comparable pay](0007-comparable-pay.md)\n';
  const withText = (text: string) => recordFaults([{ ...good, text }], listed);

  it('accepts a valid one', () => {
    expect(recordFaults([good], listed)).toEqual([]);
    expect(indexFaults([good], listed)).toEqual([]);
  });
  it.each([
    ['without a section', good.text.replace('## Consequences\nSo.\n', '')],
    ['with sections in another order', good.text.replace('## Context', '## Status')],
    ['with another number', good.text.replace('# 7.', '# 8.')],
    ['with a title that is not its name', good.text.replace('Comparable pay', 'Pay units')],
    ['with too many lines', `${good.text}${'More.\n'.repeat(60)}`],
  ])('rejects one %s', (_, text) => expect(withText(text)).toHaveLength(1));
  it('rejects one that the index omits', () => expect(recordFaults([good], '')).toHaveLength(1));
  it('rejects an index that lists a deleted record', () =>
    expect(indexFaults([good], '[9. Gone](0009-gone.md)')).toHaveLength(1));

  const mention = (file: string, text: string) => mentionFaults([{ path: file, text }], [good]);
  it('accepts a mention of an existing record', () =>
    expect(mention('apps/api/src/main.ts', '// Why: ADR 7, docs/adr/0007-comparable-pay.md')).toEqual([]));
  it.each([
    ['an unknown number', 'ADR 9'],
    ['an unknown number in a list', 'ADR 7, 9'],
    ['an unknown number on the next line', 'why (ADR\n * 9)'],
    ['a number with leading zeros', 'ADR 0007'],
    ['a path that is gone', 'docs/adr/0007-pay-units.md'],
  ])('rejects a mention of %s', (_, text) =>
    expect(mention('apps/api/src/main.ts', `// ${text}`)).toHaveLength(1),
  );
  it('returns only deleted files', () => {
    const naming = (name: string) =>
      fileFaults([{ ...good, text: `In \`${name}\`.` }], ['apps/api/src/platform/db.ts']);
    expect(naming('platform/db.ts')).toEqual([]);
    expect(naming('*.rules.ts')).toEqual([]);
    expect(naming('form/db.ts')).toHaveLength(1);
    expect(naming('platform/pool.ts')).toHaveLength(1);
  });
});
