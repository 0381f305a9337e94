import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'bold';
export type Face = { file: string; bytes: Buffer; font: Font; has: (codePoint: number) => boolean };

const require = createRequire(import.meta.url);
const loaded = new Map<string, Face>();

export function loadFace(file: string): Face {
  const cached = loaded.get(file);
  if (cached) return cached;
  const bytes = readFileSync(require.resolve(file));
  const font = create(bytes) as Font;
  const signs = new Set(font.characterSet);
  const face = { file, bytes, font, has: (codePoint: number) => signs.has(codePoint) };
  loaded.set(file, face);
  return face;
}

/** Fonts of other scripts in the order they are tried; each is cut into files by range (ADR 80). */
const scripts: readonly { name: string; regular: number; bold: number }[] = [
  { name: 'noto-sans-thai', regular: 400, bold: 700 },
  { name: 'noto-sans-devanagari', regular: 400, bold: 700 },
  { name: 'kosugi', regular: 400, bold: 400 },
  { name: 'gowun-dodum', regular: 400, bold: 400 },
  { name: 'zcool-xiaowei', regular: 400, bold: 400 },
  { name: 'noto-emoji', regular: 400, bold: 700 },
];

type Cut = { subset: string; ranges: readonly (readonly [from: number, to: number])[] };
const cuts = new Map<string, Cut[]>();

function cutsOf(name: string): Cut[] {
  const cached = cuts.get(name);
  if (cached) return cached;
  const json: unknown = JSON.parse(readFileSync(require.resolve(`@fontsource/${name}/unicode.json`), 'utf8'));
  const list = Object.entries(json as Record<string, string>).map(([subset, text]) => ({
    subset: subset.replace(/[[\]]/g, ''),
    ranges: text.split(',').map((range) => {
      const [from = '', to = from] = range.replace(/U\+/i, '').split('-');
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)] as const;
    }),
  }));
  cuts.set(name, list);
  return list;
}

function scriptFace(codePoint: number, weight: Weight): Face | null {
  for (const { name, ...weights } of scripts)
    for (const { subset, ranges } of cutsOf(name)) {
      if (!ranges.some(([from, to]) => codePoint >= from && codePoint <= to)) continue;
      const face = loadFace(`@fontsource/${name}/files/${name}-${subset}-${weights[weight]}-normal.woff`);
      if (face.has(codePoint)) return face;
    }
  return null;
}

/**
 * The given faces plus faces for other scripts in the text. The last face stays last: it has the fallback
 * box.
 */
export function facesFor(text: string, base: readonly Face[], weight: Weight): readonly Face[] {
  const extra = new Set<Face>();
  for (const sign of new Set(text)) {
    const codePoint = sign.codePointAt(0) ?? 0;
    if (codePoint < 0x300 || base.some(({ has }) => has(codePoint))) continue;
    const face = scriptFace(codePoint, weight);
    if (face) extra.add(face);
  }
  return extra.size === 0 ? base : [...base.slice(0, -1), ...extra, ...base.slice(-1)];
}
