import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextOf, withNext } from './next-path.ts';

const origin = 'https://nearhand.example';
const query = (next: string) => `?next=${encodeURIComponent(next)}`;

describe('the return path of an address', () => {
  it.each([
    '/toc',
    '/job-desc/42',
    '/job-desc/42?lat=1&lng=2',
    '/chat?c=1&text=two%20words//and\\more',
    '/tabs/menu/explore?at=Caf%C3%A9',
  ])('%s is passed on', (path) => {
    expect(nextOf(query(path))).toBe(path);
    expect(withNext('/register', query(path))).toBe(`/register?next=${encodeURIComponent(path)}`);
    const [, search = ''] = withNext('/login', query(path)).split('/login');
    expect(nextOf(search)).toBe(path);
  });

  it.each([
    '',
    'toc',
    'https://evil.example',
    'javascript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n/evil.example',
    '\t//evil.example',
    '/ /evil.example',
    '/toc//evil.example',
    '/toc\\..\\..',
    '/\u00adevil',
    '/\u2028/evil.example',
    '/a\u202Eb',
  ])("%j isn't", (path) => {
    expect(nextOf(query(path))).toBeNull();
    expect(withNext('/register', query(path))).toBe('/register');
  });

  it('is the first of several, and nothing without one', () => {
    expect(nextOf('?next=/toc&next=//evil.example')).toBe('/toc');
    expect(nextOf('?next=//evil.example&next=/toc')).toBeNull();
    expect(nextOf('?other=/toc')).toBeNull();
    expect(nextOf('')).toBeNull();
  });

  it('never leads to another host', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '/',
        '\\',
        '\t',
        '\n',
        '\r',
        ' ',
        '.',
        '..',
        ':',
        '@',
        '?',
        '#',
        '%2F',
        '%5C',
        'evil.example',
      ),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const next = nextOf(query(pieces.join('')));
        if (next !== null) expect(new URL(next, origin).origin).toBe(origin);
      }),
      { numRuns: 2_000 },
    );
  });
});
