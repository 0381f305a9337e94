import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import type { Language } from '@nearhand/contract/languages';
import { extractTextItems, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { runsOf, unknownSign } from './bidi-text.ts';
import { facesFor, loadFace } from './fonts.ts';
import { openPdf } from './pdf-pen.ts';

async function pageOf(lines: readonly string[], language: Language, width?: number): Promise<Buffer> {
  const { pen, stream } = openPdf({ title: 'Test', at: new Date(0), language });
  pen.addPage();
  for (const [at, line] of lines.entries()) pen.text(line, 42, 100 + at * 20, width ? { width } : {});
  pen.end();
  return buffer(stream);
}

const itemsOf = async (pdf: Buffer) =>
  (await extractTextItems(await getDocumentProxy(new Uint8Array(pdf)))).items[0] ?? [];

function streamsOf(pdf: Buffer): string[] {
  const file = pdf.toString('latin1');
  return [...file.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n/g)].map(({ index, 0: head }) => {
    const start = index + head.length;
    return inflateSync(pdf.subarray(start, file.indexOf('endstream', start))).toString('latin1');
  });
}

function glyphsOf(pdf: Buffer): string[][] {
  const content = streamsOf(pdf).find((stream) => stream.includes(' TJ')) ?? '';
  return [...content.matchAll(/\[([^\]]*)\] TJ/g)].map(([, shown = '']) =>
    [...shown.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []),
  );
}

describe('Arabic in a PDF', () => {
  it('is joined: a letter has another form at the start, in the middle and at the end', async () => {
    const [three = [], two = [], spaced = [], before = []] = glyphsOf(
      await pageOf(['ببب', 'بب', 'ب', 'بد'], 'ar'),
    );
    expect(three).toHaveLength(3);
    expect(new Set(three).size).toBe(3);
    // Right-to-left text ends a word at its left.
    expect(two).toEqual([three[0], three[2]]);
    expect(before.at(-1)).toBe(three[2]);
    // An isolated letter has a different form, so a joined one needs three distinct glyphs.
    expect(spaced).toHaveLength(1);
    expect(three).not.toContain(spaced[0]);
  });

  it.each([
    ['ar', 'رصيد Nearhand', ['Nearhand', 'رصيد']],
    ['en', 'Nearhand رصيد', ['Nearhand', 'رصيد']],
    // The control: the same words in a line of the opposite direction.
    ['en', 'رصيد Nearhand', ['رصيد', 'Nearhand']],
  ] as const)('in %s, the words of "%s" are in visual order', async (language, line, fromLeft) => {
    const items = await itemsOf(await pageOf([line], language));
    const places = fromLeft.map((word) => {
      const backwards = [...word].reverse().join('');
      const item = items.find(({ str }) =>
        [word, backwards].some((direction) => str.normalize('NFKC').includes(direction)),
      );
      return item?.x ?? Number.NaN;
    });
    expect(places[0]).toBeLessThan(places[1] ?? Number.NaN);
  });

  it('keeps its reading order when wrapped, including the last line', () => {
    const { pen } = openPdf({ title: 'Test', at: new Date(0), language: 'ar' });
    const text = 'حُددت رسوم كل وظيفة عند تقديم العرض';
    for (const width of [90, 1_000])
      expect(pen.lines(text, { size: 9, width, maxLines: 9 }).join(' ')).toBe(text);
  });

  it.each(['ar', 'en'] as const)('in %s, a truncated name ends with its ellipsis', async (language) => {
    const pdf = await pageOf(['Nearhand and neighbours'], language, 60);
    const words = (await itemsOf(pdf)).sort((a, b) => a.x - b.x).map(({ str }) => str);
    expect(words.join('').trim()).toMatch(/^Nearhand.*…$/);
  });
});

describe('names in other scripts', () => {
  const names = [
    '山田太郎',
    '王小明',
    '汉语简体',
    '한국인',
    'ไทย ภาษา',
    'हिन्दी',
    'Party 🎉',
    '👩‍💻 coding',
    'Ömer Ağa',
  ];

  it.each(names)('draws %s in both weights without a box', (name) => {
    for (const [weight, latin] of [
      ['regular', '400'],
      ['bold', '700'],
    ] as const) {
      const base = [
        loadFace(`@fontsource/figtree/files/figtree-latin-${latin}-normal.woff`),
        loadFace(`@fontsource/figtree/files/figtree-latin-ext-${latin}-normal.woff`),
        loadFace(`dejavu-fonts-ttf/ttf/DejaVuSans${weight === 'bold' ? '-Bold' : ''}.ttf`),
      ];
      // The control: without the fonts of other scripts most names have boxes.
      if (/\p{Script=Han}|\p{Script=Thai}/u.test(name))
        expect(
          runsText(
            runsOf(
              name,
              base.map(({ has }) => has),
            ),
          ),
        ).toContain(unknownSign);
      const faces = facesFor(name, base, weight);
      const runs = runsOf(
        name,
        faces.map(({ has }) => has),
      );
      expect(runsText(runs)).toBe(name.replaceAll('\u200d', ''));
      for (const { font, text } of runs)
        expect([...text].filter((sign) => !faces[font]?.has(sign.codePointAt(0) ?? 0))).toEqual([]);
    }
  });

  it('can be copied: the text of reordered scripts is stored in reading order', async () => {
    const pdf = await pageOf(['山田太郎', '한국인', 'हिन्दी', 'رصيد'], 'en');
    const text = (await itemsOf(pdf)).map(({ str }) => str).join(' ');
    for (const name of ['山田太郎', '한국인']) expect(text.replaceAll(' ', '')).toContain(name);
    const streams = streamsOf(pdf).join('');
    for (const name of ['हिन्दी', 'رصيد']) expect(streams).toContain(utf16(name));
    expect(streams).not.toContain(utf16('한국인'));
  });
});

const runsText = (runs: readonly { text: string }[]) => runs.map(({ text }) => text).join('');
const escapes: Record<string, string> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };
/** A PDF string, in big-endian UTF-16 after its mark. */
const utf16 = (text: string) =>
  [...Buffer.from(text, 'utf16le').swap16().toString('latin1')]
    .map((sign) => (sign in escapes || '()\\'.includes(sign) ? `\\${escapes[sign] ?? sign}` : sign))
    .join('');

describe('wrapped text', () => {
  it.each([
    'Wolfeschlegelsteinhausenbergerdorff',
    'Leila Haddad van Wolfeschlegelsteinhausenbergerdorff',
    'عبدالرحمن عبدالعزيز المنصوري',
    'Ελευθερία Παπαδοπούλου-Χατζηκωνσταντίνου',
    'Željko Đorđević',
    'e\u0301'.repeat(40),
  ])('keeps every character of %s in a narrow column', (name) => {
    const { pen } = openPdf({ title: 'Test', at: new Date(0), landscape: true });
    const lines = pen.wrapped(name, { size: 8, width: 60 });
    expect(lines.join('').replaceAll(' ', '')).toBe(name.replaceAll(' ', ''));
    expect(lines.length).toBeGreaterThan(1);
    // Nothing is cut, as it would be if a line were wider than the column.
    for (const line of lines) expect(pen.lines(line, { size: 8, width: 60, maxLines: 1 })).toEqual([line]);
    // An accent stays with its letter.
    for (const line of lines) expect(line.startsWith('\u0301')).toBe(false);
  });
});
