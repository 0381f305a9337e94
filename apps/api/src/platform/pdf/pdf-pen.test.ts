import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import type { Language } from '@nearhand/contract/languages';
import { extractTextItems, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { openPdf } from './pdf-pen.ts';

/** A page with a text per line. */
async function pageOf(lines: readonly string[], language: Language, width?: number): Promise<Buffer> {
  const { pen, stream } = openPdf({ title: 'Test', at: new Date(0), language });
  pen.addPage();
  for (const [at, line] of lines.entries()) pen.text(line, 42, 100 + at * 20, width ? { width } : {});
  pen.end();
  return buffer(stream);
}

const itemsOf = async (pdf: Buffer) =>
  (await extractTextItems(await getDocumentProxy(new Uint8Array(pdf)))).items[0] ?? [];

/** The glyphs of each text of a page as they are drawn, from left to right. */
function glyphsOf(pdf: Buffer): string[][] {
  const file = pdf.toString('latin1');
  const streams = [...file.matchAll(/\/FlateDecode[^>]*>>\s*stream\r?\n/g)].map(({ index, 0: head }) => {
    const start = index + head.length;
    return inflateSync(pdf.subarray(start, file.indexOf('endstream', start))).toString('latin1');
  });
  const content = streams.find((stream) => stream.includes(' TJ')) ?? '';
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
    // From the right: a word ends at its left.
    expect(two).toEqual([three[0], three[2]]);
    expect(before.at(-1)).toBe(three[2]);
    // Alone it has a form of its own, so the same letter thrice would be one glyph if nothing joined them.
    expect(spaced).toHaveLength(1);
    expect(three).not.toContain(spaced[0]);
  });

  it.each([
    ['ar', 'رصيد Nearhand', ['Nearhand', 'رصيد']],
    ['en', 'Nearhand رصيد', ['Nearhand', 'رصيد']],
    // The control: the same words in a line of the other direction.
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

  it.each(['ar', 'en'] as const)('in %s, a name that is cut ends with its ellipsis', async (language) => {
    const pdf = await pageOf(['Nearhand and neighbours'], language, 60);
    const words = (await itemsOf(pdf)).sort((one, other) => one.x - other.x).map(({ str }) => str);
    expect(words.join('').trim()).toMatch(/^Nearhand.*…$/);
  });
});
