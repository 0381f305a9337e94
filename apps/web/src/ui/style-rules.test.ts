import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { iconNames } from './art/icon-names.ts';

const root = `${import.meta.dirname}/..`;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => !/generated|locales|\.test\./.test(file),
);
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
const styles = files.filter((file) => file.endsWith('.css') && file !== 'ui/tokens.css');
const parts = files.filter((file) => file.endsWith('.tsx'));

/** Sheets that always load together: the menu with the shell, a conversation with its composer. */
const shared = ['side', 'chat-more', 'chat-note'];

function matches(among: string[], pattern: RegExp): string[] {
  return among.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${file}:${index + 1} ${line.trim().slice(0, 80)}`] : [],
      ),
  );
}

describe('styles', () => {
  it('colours come from tokens.css', () => {
    expect(
      matches([...styles, ...parts], /#[0-9a-f]{3}(?:[0-9a-f]{3})?\b(?!\w)|\b(?:rgb|hsl|oklch)a?\(/i),
    ).toEqual([]);
  });

  it('sizes are tokens or scale with the text, never pixels', () => {
    expect(matches(styles, /\d(?:\.\d+)?px/)).toEqual([]);
  });

  it('sides are logical, so that right-to-left text mirrors the page', () => {
    const physical =
      /(?:^|[\s;{])(?:margin|padding|border)-(?:left|right)|(?:^|[\s;{])(?:left|right):(?!50%)|text-align:\s*(?:left|right)/;
    expect(matches(styles, physical)).toEqual([]);
  });

  it('no page restyles a class of another folder, since every sheet applies once it has loaded', () => {
    const owners = new Map<string, Set<string>>();
    for (const file of styles) {
      // Print rules name classes of other folders.
      const text = read(file).replace(/@media print \{(?:[^{}]|\{[^{}]*\})*\}/g, '');
      const owner = file.startsWith('ui/') ? 'ui' : file.slice(0, file.lastIndexOf('/'));
      for (const [, name = ''] of text.matchAll(/(?<=^|[{}])\s*\.([a-z][\w-]*)\s*(?=\{)/g))
        owners.set(name, (owners.get(name) ?? new Set()).add(owner));
    }
    const twice = [...owners].filter(([name, folders]) => folders.size > 1 && !shared.includes(name));
    expect(twice.map(([name, folders]) => `${name}: ${[...folders].join(', ')}`)).toEqual([]);
  });

  it('selects disabled controls by their state: the attribute misses those in a disabled fieldset', () => {
    expect(matches(styles, /\[disabled\]/)).toEqual([]);
  });

  it('no comment splits a list of selectors, where it hides that the rule continues', () => {
    const raw = styles.filter((file) => /,\s*\/\*/.test(readFileSync(`${root}/${file}`, 'utf8')));
    expect(raw).toEqual([]);
  });

  it('a slice with a class of the desks loads their sheet, so a list looks the same on every visit', () => {
    const desk = [...read('ui/desk.css').matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
    const elsewhere = styles
      .filter((file) => file !== 'ui/desk.css')
      .map(read)
      .join('\n');
    const own = new Set(desk.filter((name) => !new RegExp(`\\.${name}\\b`).test(elsewhere)));
    const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));
    const loads = new Set(parts.filter((file) => read(file).includes('ui/desk.css')).map(folderOf));
    const users = parts.filter(
      (file) =>
        !file.startsWith('ui/') &&
        [...read(file).matchAll(/className="([^"]+)"/g)].some(([, names = '']) =>
          names.split(' ').some((name) => own.has(name)),
        ),
    );
    expect(users.length).toBeGreaterThan(5);
    expect(users.filter((file) => !loads.has(folderOf(file)))).toEqual([]);
  });

  it('no page has a style attribute with a literal colour or size', () => {
    expect(matches(parts, /style=\{\{[^}]*(?:#[0-9a-f]{3}|\dpx)/i)).toEqual([]);
  });
});

describe('icons', () => {
  it('each is named once, and is in the sprite', () => {
    expect(new Set(iconNames).size).toBe(iconNames.length);
    const sprite = readFileSync(`${root}/generated/icons.svg`, 'utf8');
    expect(iconNames.filter((name) => !sprite.includes(`id="${name}"`))).toEqual([]);
  });

  it('none is unused', () => {
    const sources = files
      .filter((file) => /\.tsx?$/.test(file) && file !== 'ui/art/icon-names.ts')
      .map(read)
      .join('\n');
    expect(
      iconNames.filter((name) => !sources.includes(`'${name}'`) && !sources.includes(`"${name}"`)),
    ).toEqual([]);
  });
});
