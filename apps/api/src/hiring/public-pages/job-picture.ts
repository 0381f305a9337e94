import { create, type Font } from 'fontkit';
import sharp from 'sharp';
import { runsOf } from '../../platform/pdf/bidi-text.ts';
import { type Face, facesFor, loadFace } from '../../platform/pdf/fonts.ts';
import { pageFonts } from './fonts/page-fonts.ts';
import { pageTokens } from './page-style.ts';
import { jobPayText, localeIn, shiftsText } from './page-words.ts';
import type { OpenJob } from './public-pages.ts';
import { type Html, html } from './sitemaps.ts';

const pictureSize = { width: 1_200, height: 630 } as const;

const margin = 72;
const titleLines = 3;
const [pine] = pageTokens.pine;
const [onPine] = pageTokens['on-pine'];
const [second] = pageTokens['on-pine-2'];
const [line] = pageTokens['pine-line'];
const [ember] = pageTokens.ember;

let loaded: { display: Face[]; text: Face[] } | null = null;

function faces() {
  if (loaded) return loaded;
  const display = create(pageFonts.display.bytes) as Font;
  const signs = new Set(display.characterSet);
  loaded = {
    display: [
      {
        file: pageFonts.display.path,
        bytes: pageFonts.display.bytes,
        font: display,
        has: (codePoint) => signs.has(codePoint),
      },
      loadFace('@fontsource/figtree/files/figtree-latin-ext-700-normal.woff'),
      loadFace('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
    ],
    text: [
      loadFace('@fontsource/figtree/files/figtree-latin-400-normal.woff'),
      loadFace('@fontsource/figtree/files/figtree-latin-ext-400-normal.woff'),
      loadFace('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    ],
  };
  return loaded;
}

type Drawn = { width: number; shapes: Html[] };

/** Text as outlines: the picture then needs no fonts and contains no text to inject into. */
function outlines(text: string, kind: 'display' | 'text', size: number): Drawn {
  const fonts = facesFor(text, faces()[kind], kind === 'display' ? 'bold' : 'regular');
  let width = 0;
  const shapes: Html[] = [];
  const runs = runsOf(
    text,
    fonts.map(({ has }) => has),
  );
  for (const run of runs) {
    const font = fonts[run.font]?.font;
    if (!font) continue;
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(run.text);
    for (const [index, glyph] of glyphs.entries()) {
      const position = positions[index];
      if (!position) continue;
      const x = (width + position.xOffset * scale).toFixed(1);
      const y = (-position.yOffset * scale).toFixed(1);
      const path = glyph.path.toSVG();
      if (path !== '')
        shapes.push(
          html`<path transform="translate(${x} ${y}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${path}"/>`,
        );
      width += position.xAdvance * scale;
    }
  }
  return { width, shapes };
}

function wrappedLines(text: string, size: number, width: number, maxLines: number): string[] {
  const isWithinWidth = (words: string) => outlines(words, 'display', size).width <= width;
  const lines = [''];
  for (const word of text.replace(/\s+/g, ' ').trim().split(' ')) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ');
    if (isWithinWidth(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const fitting = lines.filter(Boolean).slice(0, maxLines);
  const cut = lines.filter(Boolean).length > maxLines;
  return fitting.map((words, index) => shorten(words, isWithinWidth, cut && index === maxLines - 1));
}

function shorten(words: string, fits: (text: string) => boolean, always: boolean): string {
  if (!always && fits(words)) return words;
  let signs = [...words];
  while (signs.length > 1 && !fits(`${signs.join('')}…`)) signs = signs.slice(0, -1);
  return `${signs.join('').trimEnd()}…`;
}

const placed = (drawing: Drawn, x: number, y: number, fill: string): Html =>
  html`<g transform="translate(${x} ${y})" fill="${fill}">${drawing.shapes}</g>`;

/** Draws the PNG that messengers and networks show next to a shared link. */
export async function jobPicture({ job, town, countryCode }: OpenJob): Promise<Buffer> {
  const { width, height } = pictureSize;
  const locale = localeIn(countryCode);
  const { figure, notes } = jobPayText(job, locale);
  const room = width - 2 * margin;
  const title = wrappedLines(job.title, 68, room, titleLines);
  const pay = outlines(figure, 'display', 120);
  const isWithinRoom = (text: string) => outlines(text, 'text', 34).width <= room;
  const where = shorten(`${job.business.name}, ${town}`, isWithinRoom, false);
  const detailLine = [where, shiftsText(job, locale)].filter(Boolean).join('   ·   ');
  const rings = [120, 220, 320, 420, 520].map(
    (radius) =>
      html`<circle cx="1060" cy="140" r="${radius}" fill="none" stroke="${line}" stroke-width="2"/>`,
  );
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${pine}"/>${rings}
<g transform="translate(${margin} 56)"><path d="M14 57V33a18 18 0 0 1 36 0v24" fill="none" stroke="${onPine}" stroke-width="11.5"/><circle cx="32" cy="33" r="6.6" fill="${ember}"/></g>
${placed(outlines('nearhand', 'display', 46), margin + 72, 108, onPine)}
${title.map((words, index) => placed(outlines(words, 'display', 68), margin, 222 + index * 76, onPine))}
${placed(pay, margin, 514, onPine)}${notes.slice(0, 2).map((note, index) => placed(outlines(note, 'text', 34), margin + pay.width + 28, (notes.length > 1 ? 470 : 514) + index * 44, second))}
${placed(outlines(isWithinRoom(detailLine) ? detailLine : where, 'text', 34), margin, 578, second)}</svg>`;
  return sharp(Buffer.from(svg.text)).png({ palette: true, compressionLevel: 9 }).toBuffer();
}
