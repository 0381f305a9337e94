import { sumOf } from '@nearhand/contract/arithmetic';
import { directionOf, type Language } from '@nearhand/contract/languages';
import PDFDocument from 'pdfkit';
import { isReordered, runsOf } from './bidi-text.ts';
import { facesFor, loadFace, type Weight } from './fonts.ts';

// DejaVu adds Greek, Cyrillic, Vietnamese, Armenian, Georgian, Arabic and Hebrew (ADR 80).
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
// The light theme's tokens by value, since a PDF has no custom properties.
export const ink = {
  text: '#12352A',
  second: '#4A6056',
  line: '#E3DBCA',
  pine: '#0F3B2D',
  ember: '#BC430C',
  good: '#1A6B45',
} as const;

export const paper = {
  bg: '#F6F2E8',
  surface: '#FFFDF8',
  onPine: '#F8F4EA',
  onPine2: '#AFCDBD',
  pineLine: '#2F6350',
  ember: '#FF9A5C',
} as const;

export const page = { width: 595.28, height: 841.89, margin: 42 } as const;

type TextRequest = {
  size?: number;
  bold?: boolean;
  colour?: string;
  width?: number;
  align?: 'left' | 'right';
};

type Drawn = { font: string; text: string; width: number };

const widthOf = (runs: readonly Drawn[]) => sumOf(runs, (run) => run.width);
const maxKnown = 2_000;

export type Pen = {
  addPage(): void;
  /** `y` is the top of the line, `x` the distance from the edge where lines begin. */
  text(text: string, x: number, y: number, request?: TextRequest): void;
  rule(y: number, colour?: string): void;
  brand(x: number, y: number, colour?: string, scale?: number): void;
  /** Breaks text between words; the last of `maxLines` lines ends with an ellipsis if more is left. */
  lines(text: string, request: { size: number; bold?: boolean; width: number; maxLines: number }): string[];
  /** Breaks text between words, and words that are wider, so that nothing is left out. */
  wrapped(text: string, request: { size: number; bold?: boolean; width: number }): string[];
  box(x: number, y: number, width: number, height: number, colour: string, radius?: number): void;
  rings(x: number, y: number, radii: readonly number[], colour: string): void;
  modules(rows: readonly (readonly boolean[])[], x: number, y: number, size: number): void;
  end(): void;
};

/** A file inside the PDF, which then is PDF/A-3. `metadata` is RDF that names it. */
export type EmbeddedFile = { name: string; mediaType: string; content: Buffer; metadata: string };

type About = {
  title: string;
  at: Date;
  half?: boolean;
  landscape?: boolean;
  language?: Language;
  embedded?: EmbeddedFile | null;
};

function newDocument(properties: About) {
  const doc = new PDFDocument({
    size: properties.half ? 'A6' : 'A4',
    layout: properties.landscape ? 'landscape' : 'portrait',
    margin: 0,
    autoFirstPage: false,
    lang: properties.language ?? 'en-GB',
    displayTitle: true,
    pdfVersion: properties.embedded ? ('1.7' as const) : undefined,
    subset: properties.embedded ? ('PDF/A-3b' as const) : undefined,
    info: { Title: properties.title, Creator: 'Nearhand', Producer: 'Nearhand', CreationDate: properties.at },
  });
  if (properties.embedded) {
    const { name, mediaType, content, metadata } = properties.embedded;
    const options = { name, type: mediaType, creationDate: properties.at, modifiedDate: properties.at };
    // The library's types lack the relationship, which PDF/A-3 requires.
    doc.file(content, { ...options, relationship: 'Alternative' } as typeof options);
    doc.appendXML(metadata);
  }
  return doc;
}

/** A4, or A6 if `half`; landscape swaps the width and height of `page`. Right-to-left languages mirror the whole layout. */
export function openPdf(properties: About): {
  pen: Pen;
  stream: NodeJS.ReadableStream;
} {
  const doc = newDocument(properties);
  const direction = directionOf(properties.language ?? 'en');
  const pageWidth = properties.landscape ? page.height : page.width;
  const { measured, cut, drawn } = measureIn(doc, direction);

  const pen: Pen = {
    addPage() {
      doc.addPage();
      if (properties.half) doc.scale(0.5);
    },
    text(text, x, y, { size = 9, bold = false, colour = ink.text, width, align = 'left' } = {}) {
      const runs = drawn(text, bold ? 'bold' : 'regular', size, width);
      const wide = widthOf(runs);
      const inset = align === 'right' && width !== undefined ? width - wide : 0;
      let left = direction === 'rtl' ? pageWidth - x - inset - wide : x + inset;
      // Glyphs are in the order they are seen; copied text must be in the order it is read.
      const asRead = isReordered(text) ? text : null;
      if (asRead !== null) doc.markContent('Span', { actual: asRead });
      for (const run of runs) {
        // Fonts are aligned by their baseline, not their top.
        doc.font(run.font).fontSize(size).fillColor(colour);
        doc.text(run.text, left, y + size, { lineBreak: false, baseline: 'alphabetic' });
        left += run.width;
      }
      if (asRead !== null) doc.endMarkedContent();
    },
    rule(y, colour = ink.line) {
      doc
        .moveTo(page.margin, y)
        .lineTo(pageWidth - page.margin, y)
        .lineWidth(0.6)
        .strokeColor(colour)
        .stroke();
    },
    brand(x, y, colour = ink.pine, scale = 1) {
      const unit = (scale * 26) / 64;
      doc
        .save()
        .translate(direction === 'rtl' ? pageWidth - x - 26 * scale : x, y)
        .scale(unit);
      doc.path('M14 57V33a18 18 0 0 1 36 0v24').lineWidth(11.5).strokeColor(colour).stroke();
      const ember = colour === ink.pine ? ink.ember : paper.ember;
      doc.circle(32, 33, 6.6).fillColor(ember).fill();
      doc.restore();
      pen.text('nearhand', x + 28 * scale, y + 7 * scale, { size: 15 * scale, bold: true, colour });
    },
    lines(text, { size, bold = false, width, maxLines }) {
      const weight = bold ? 'bold' : 'regular';
      const isWithinWidth = (line: string) => widthOf(measured(line, weight, size)) <= width;
      return broken(text, maxLines, isWithinWidth, (line) => cut(line, weight, size, width));
    },
    wrapped(text, { size, bold = false, width }) {
      const weight = bold ? 'bold' : 'regular';
      return wrapped(text, (line) => widthOf(measured(line, weight, size)) <= width);
    },
    ...shapesOn(doc),
    end: () => void doc.end(),
  };
  return { pen, stream: doc };
}

function measureIn(doc: PDFKit.PDFDocument, direction: 'ltr' | 'rtl') {
  const base = { regular: files.regular.map(loadFace), bold: files.bold.map(loadFace) };
  const registered = new Set<string>();
  const measured = (text: string, weight: Weight, size: number): Drawn[] => {
    const faces = facesFor(text, base[weight], weight);
    return runsOf(
      text,
      faces.map(({ has }) => has),
      direction,
    ).map((run) => {
      const { file, bytes } = faces[run.font] ?? loadFace(files[weight][2]);
      if (!registered.has(file)) doc.registerFont(file, bytes);
      registered.add(file);
      return { font: file, text: run.text, width: doc.font(file).fontSize(size).widthOfString(run.text) };
    });
  };

  /** The text in the order it is read, with an ellipsis where it is wider. */
  const cut = (text: string, weight: Weight, size: number, width: number): string => {
    const isWithinWidth = (line: string) => widthOf(measured(line, weight, size)) <= width;
    if (isWithinWidth(text)) return text;
    const signs = [...text];
    // The mark keeps the ellipsis at the end of a Latin name in a right-to-left line.
    const beginning = (count: number) => `${signs.slice(0, count).join('').trimEnd()}…\u200E`;
    let low = 0;
    let high = signs.length;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (isWithinWidth(beginning(middle))) low = middle;
      else high = middle - 1;
    }
    return beginning(low);
  };

  const cache = new Map<string, Drawn[]>();
  const draw = (text: string, weight: Weight, size: number, width = Number.POSITIVE_INFINITY): Drawn[] => {
    const key = `${weight} ${size} ${width} ${text}`;
    const lines = cache.get(key) ?? measured(cut(text, weight, size, width), weight, size);
    if (cache.size > maxKnown) cache.clear();
    cache.set(key, lines);
    return lines;
  };
  return { measured, cut, drawn: draw };
}

/**
 * Breaks text between words into a limited number of lines.
 * @param last cuts the last line if necessary
 */
function broken(
  text: string,
  maxLines: number,
  fits: (line: string) => boolean,
  last: (line: string) => string,
): string[] {
  const lines: string[] = [];
  let rest = text.trim();
  while (rest !== '' && lines.length < maxLines - 1 && !fits(rest)) {
    // Numbers such as `NHF-2026-000042` stay whole.
    const words = rest.split(/(?<=[\s/]|-(?!\d))/);
    const beginning = (count: number) => words.slice(0, count).join('').trimEnd();
    let count = 1;
    while (count < words.length && fits(beginning(count + 1))) count += 1;
    lines.push(beginning(count));
    rest = words.slice(count).join('');
  }
  return rest === '' ? lines : [...lines, last(rest)];
}

function wrapped(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).flatMap((whole) => pieces(whole, fits))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && !fits(longer)) lines.push(line);
    line = line === '' || fits(longer) ? longer : word;
  }
  return line === '' ? lines : [...lines, line];
}

/** The word, or as few parts of it as fit, cut between the characters that a reader sees. */
function pieces(word: string, fits: (line: string) => boolean): string[] {
  if (fits(word)) return [word];
  const parts: string[] = [];
  let part = '';
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (part !== '' && !fits(part + segment)) {
      parts.push(part);
      part = '';
    }
    part += segment;
  }
  return [...parts, part];
}

const shapesOn = (doc: PDFKit.PDFDocument): Pick<Pen, 'box' | 'rings' | 'modules'> => ({
  box(x, y, width, height, colour, radius = 0) {
    doc.roundedRect(x, y, width, height, radius).fillColor(colour).fill();
  },
  rings(x, y, radii, colour) {
    for (const radius of radii) doc.circle(x, y, radius).lineWidth(1).strokeColor(colour).stroke();
  },
  modules(rows, x, y, size) {
    const side = size / rows.length;
    for (const [down, row] of rows.entries())
      for (const [right, dark] of row.entries())
        if (dark) doc.rect(x + right * side, y + down * side, side, side);
    doc.fillColor(ink.text).fill();
  },
});
