import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { domains } from './rules.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

it('README.md, CONTRIBUTING.md and docs/ link to files that exist', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(path.join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const links = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => ({
      document,
      target,
    })),
  );
  expect(links.length).toBeGreaterThan(50);
  const broken = links.filter(
    ({ document, target }) => !existsSync(path.join(root, path.dirname(document), target)),
  );
  expect(broken).toEqual([]);
});

it('README.md names functions and operations that its linked files contain', () => {
  const named = [...read('README.md').matchAll(/`(\w+)` in \[[^\]]+\]\(([^)]+)\)/g)];
  expect(named.length).toBeGreaterThan(5);
  const wrong = named.filter(([, name = '', file = '']) => !read(file).includes(name));
  expect(wrong.map(([text]) => text)).toEqual([]);
});

it('docs/architecture.md lists the slices of the server and those of the web alone', () => {
  const listed = new Map(
    [...read('docs/architecture.md').matchAll(/^\| (\w+) \| ([\w, -]+) \|/gm)].map(
      ([, domain = '', slices = '']) => [domain, slices.split(', ').sort()],
    ),
  );
  for (const domain of domains) {
    const folders = readdirSync(path.join(root, 'apps/api/src', domain), { withFileTypes: true });
    const slices = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(listed.get(domain), domain).toEqual(slices.sort());
    const webSlices = readdirSync(path.join(root, 'apps/web/src', domain), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !slices.includes(entry.name))
      .map(({ name }) => name);
    const listedForWeb = [
      ...read('docs/architecture.md').matchAll(new RegExp(`^\\| ${domain} \\| \`([\\w-]+)\` \\|`, 'gm')),
    ].map(([, slice = '']) => slice);
    expect(listedForWeb.sort(), domain).toEqual(webSlices.sort());
  }
});

it('documents name symbols that the source contains', () => {
  const git = (args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  const documents = git(['ls-files', '*.md']).stdout.trim().split('\n');
  const symbols = documents.flatMap((document) =>
    [...read(document).matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(([, symbol = '']) => ({
      document,
      symbol,
    })),
  );
  expect(symbols.length).toBeGreaterThan(200);
  // git looks for one expression much faster than for a list of symbols.
  const { stdout } = git(['grep', '-ohE', '\\<[a-z]+[A-Z][A-Za-z0-9_]*', '--', ':!*.md', ':!*.po']);
  const sourceWords = new Set(stdout.split('\n'));
  expect(symbols.filter(({ symbol }) => !sourceWords.has(symbol))).toEqual([]);
});

it('no file has merge conflict marks, which types and lint miss in templates and documents', () => {
  const marks = ['<'.repeat(7), '>'.repeat(7)].map((mark) => `^${mark} `).join('|');
  const { stdout, status } = spawnSync('git', ['grep', '-lE', marks], { cwd: root, encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
});
