import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import PDFDocument from 'pdfkit';
import { runsOf } from '../../platform/text-runs.ts';

// Our own font first; DejaVu adds Greek, Cyrillic, Vietnamese, Armenian, Georgian, Arabic and Hebrew (ADR 0080).
const files = {
  regular: [
    '@fontsource/figtree/files/figtree-latin-400-normal.woff',
    '@fontsource/figtree/files/figtree-latin-ext-400-normal.woff',
    'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  ],
  bold: [
    '@fontsource/figtree/files/figtree-latin-700-normal.woff',
    '@fontsource/figtree/files/figtree-latin-ext-700-normal.woff',
    'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  ],
} as const;
type Weight = keyof typeof files;

type Face = { bytes: Buffer; has: (codePoint: number) => boolean };
const loaded = new Map<string, Face>();

/** Read once per process, when the first document is written. */
function faceOf(file: string): Face {
  const known = loaded.get(file);
  if (known) return known;
  const bytes = readFileSync(createRequire(import.meta.url).resolve(file));
  const font = create(bytes) as Font;
  const signs = new Set(font.characterSet);
  const face = { bytes, has: (codePoint: number) => signs.has(codePoint) };
  loaded.set(file, face);
  return face;
}

// The light theme's tokens by value; a PDF has no custom properties.
export const ink = {
  text: '#12352A',
  second: '#4A6056',
  line: '#E3DBCA',
  pine: '#0F3B2D',
  ember: '#BC430C',
  good: '#1A6B45',
} as const;

export const page = { width: 595.28, height: 841.89, margin: 42 } as const;

type TextRequest = {
  size?: number;
  bold?: boolean;
  colour?: string;
  /** Longer text is cut with an ellipsis. */
  width?: number;
  align?: 'left' | 'right';
};

/** A measured run with its font. */
type Drawn = { font: string; text: string; width: number };

const widthOf = (runs: readonly Drawn[]) => runs.reduce((sum, run) => sum + run.width, 0);
const maxKnown = 2_000;

export type Pen = {
  addPage(): void;
  /** One line of text; `y` is its top. */
  text(text: string, x: number, y: number, request?: TextRequest): void;
  rule(y: number, colour?: string): void;
  /** The logo and name, as on every screen. */
  brand(x: number, y: number): void;
  end(): void;
};

/** Opens an A4 document and returns its pen; the stream ends after `end`. */
export function openPdf(about: { title: string; at: Date }): { pen: Pen; stream: NodeJS.ReadableStream } {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    lang: 'en-GB',
    displayTitle: true,
    info: { Title: about.title, Creator: 'Nearhand', Producer: 'Nearhand', CreationDate: about.at },
  });
  for (const weight of ['regular', 'bold'] as const)
    for (const file of files[weight]) doc.registerFont(file, faceOf(file).bytes);

  const has = {
    regular: files.regular.map((file) => faceOf(file).has),
    bold: files.bold.map((file) => faceOf(file).has),
  };
  const measured = (text: string, weight: Weight, size: number): Drawn[] =>
    runsOf(text, has[weight]).map((run) => {
      const font = files[weight][run.font] ?? files[weight][2];
      return { font, text: run.text, width: doc.font(font).fontSize(size).widthOfString(run.text) };
    });

  /** Cuts text to a width, with an ellipsis. */
  const fitted = (text: string, weight: Weight, size: number, width: number): Drawn[] => {
    const whole = measured(text, weight, size);
    if (widthOf(whole) <= width) return whole;
    const signs = [...text];
    const begun = (count: number) => measured(`${signs.slice(0, count).join('').trimEnd()}…`, weight, size);
    let low = 0;
    let high = signs.length;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (widthOf(begun(middle)) <= width) low = middle;
      else high = middle - 1;
    }
    return begun(low);
  };

  // The same few names, kinds and titles are on every page.
  const known = new Map<string, Drawn[]>();
  const drawn = (text: string, weight: Weight, size: number, width = Number.POSITIVE_INFINITY): Drawn[] => {
    const key = `${weight} ${size} ${width} ${text}`;
    const found = known.get(key) ?? fitted(text, weight, size, width);
    if (known.size > maxKnown) known.clear();
    known.set(key, found);
    return found;
  };

  const pen: Pen = {
    addPage: () => void doc.addPage(),
    text(text, x, y, { size = 9, bold = false, colour = ink.text, width, align = 'left' } = {}) {
      const runs = drawn(text, bold ? 'bold' : 'regular', size, width);
      let left = align === 'right' && width !== undefined ? x + width - widthOf(runs) : x;
      for (const run of runs) {
        // Fonts are aligned by their baseline, not their top.
        doc.font(run.font).fontSize(size).fillColor(colour);
        doc.text(run.text, left, y + size, { lineBreak: false, baseline: 'alphabetic' });
        left += run.width;
      }
    },
    rule(y, colour = ink.line) {
      doc
        .moveTo(page.margin, y)
        .lineTo(page.width - page.margin, y)
        .lineWidth(0.6)
        .strokeColor(colour)
        .stroke();
    },
    brand(x, y) {
      const scale = 26 / 64;
      doc.save().translate(x, y).scale(scale);
      doc.path('M14 57V33a18 18 0 0 1 36 0v24').lineWidth(11.5).strokeColor(ink.pine).stroke();
      doc.circle(32, 33, 6.6).fillColor(ink.ember).fill();
      doc.restore();
      pen.text('nearhand', x + 28, y + 7, { size: 15, bold: true, colour: ink.pine });
    },
    end: () => void doc.end(),
  };
  return { pen, stream: doc };
}
