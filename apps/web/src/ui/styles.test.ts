import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '..');
const styles = globSync(`${source}/**/*.css`).map((file) => ({
  file: path.relative(source, file),
  css: readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''),
}));

/** Colours are in tokens.css, so that themes and contrast stay in one place. */
const literalColour = (css: string) =>
  /(?:#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgb|hsl|oklch)a?\()/i.exec(css.replace(/url\([^)]*\)/g, ''))?.[0];

/** Selectors that restyle every element on insertion: a `:has()` before an unbounded combinator (ADR 330). */
function restyling(css: string): string[] {
  const selectors = withoutArguments(css).match(/[^{};]+(?=\{)/g) ?? [];
  return selectors
    .flatMap((list) => list.split(','))
    .filter((selector) => {
      const parts = selector.trim().split(/\s*[\s>+~]\s*/);
      const right = parts.slice(parts.findIndex((part) => /:has\b/.test(part)) + 1);
      const unbounded = (part?: string) => part && !/^[a-z]|[.#[]/i.test(part);
      return right.length < parts.length && (unbounded(right.at(0)) || unbounded(right.at(-1)));
    });
}

function withoutArguments(css: string): string {
  const bare = css
    .replace(/:(?:not|is|where)\([^()]*:has\b[^()]*\)/g, ':has')
    .replace(/\([^()]*\)|(?<=\[)[^\]]+(?=\])/g, '');
  return bare === css ? css : withoutArguments(bare);
}

describe('styles', () => {
  it('take colours from the tokens', () => {
    expect(styles.length).toBeGreaterThan(20);
    const literal = styles.filter(
      ({ file, css }) => file !== path.join('ui', 'tokens.css') && literalColour(css),
    );
    expect(literal.map(({ file, css }) => `${file}: ${literalColour(css)}`)).toEqual([]);
    expect(literalColour('.card { color: #ff0000; }')).toBe('#ff0000');
  });

  it('restyle no whole page', () => {
    expect(
      styles.flatMap(({ file, css }) => restyling(css).map((selector) => `${file}: ${selector}`)),
    ).toEqual([]);
  });

  it.each([
    ['.a, .stale:has(.btn) > :not(.btn, :has(.btn)) { color: red }', 1],
    ['@media print { .stale:has(.btn):hover * { color: red } }', 1],
    ['.stale:not(:has(.btn)) > * {}', 1],
    [':is(.a:has(.b)) > * {}', 1],
    ['.stale:has(.btn) .row > :not(.x) {}', 1],
    ['.a:has(.b) > .c > * {}', 1],
    ['.a:has(.b) > [data-x="c > *"], .stale:not(:has(.btn)) > .c {}', 0],
    ['.stale > :not(.btn, :has(.btn)), body:has(.bar) .toasts, p:has(a) + p {}', 0],
  ])('%s', (css, count) => expect(restyling(css)).toHaveLength(count));
});
