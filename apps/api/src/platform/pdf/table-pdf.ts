import type { Language } from '@nearhand/contract/languages';
import { ink, openPdf, type Pen, page, paper } from './pdf-pen.ts';

type TableLine = { text: string; bold?: boolean };

/** A table with a named row per group, and any number of lines in each cell. Texts are in the reader's language. */
export type PrintedTable = {
  title: string;
  subtitle: string;
  /** Above the rows, such as that some are left out; empty without one. */
  note: string;
  at: Date;
  language: Language;
  head: string[];
  rows: { name: string; cells: TableLine[][] }[];
  /** Shown without rows. */
  empty: string;
};

const margin = 30;
const width = page.height;
const bottom = page.width - margin;
const nameWidth = 104;
const gap = 6;
const size = 8;
const lineHeight = 11;
const headTop = 82;
const bodyTop = headTop + 24;
/** A row begins on the next page rather than with fewer lines than this. */
const linesMin = 3;

/** Prints a table on A4 landscape. Every text is whole: it wraps, and a row that is higher than a page goes on on the next. */
export function tablePdf(table: PrintedTable): NodeJS.ReadableStream {
  const { title, at, language, head, rows } = table;
  const { pen, stream } = openPdf({ title, at, language, landscape: true });
  const columnWidth = (width - 2 * margin - nameWidth) / Math.max(1, head.length);
  const columnX = (column: number) => margin + nameWidth + column * columnWidth;
  const textWidth = columnWidth - gap;
  let pages = 0;
  let y = bottom;
  const addPage = () => {
    pen.addPage();
    pages += 1;
    pen.brand(margin - 4, 24);
    pen.text(title, margin, 54, { size: 14, bold: true, width: 480 });
    pen.text(table.subtitle, width - margin - 280, 58, { width: 280, align: 'right', colour: ink.second });
    pen.box(margin, headTop - 4, width - 2 * margin, 20, paper.bg, 4);
    for (const [column, text] of head.entries())
      pen.text(text, columnX(column), headTop, { size, bold: true, width: textWidth });
    pen.text(String(pages), width - margin - 40, bottom + 6, {
      size,
      width: 40,
      align: 'right',
      colour: ink.second,
    });
    y = bodyTop;
  };
  addPage();
  if (table.note !== '') {
    pen.text(table.note, margin, y, { size, colour: ink.second });
    y += lineHeight + 4;
  }
  if (rows.length === 0) pen.text(table.empty, margin, y, { colour: ink.second });
  for (const row of rows) {
    const name = wrappedLines(pen, [{ text: row.name, bold: true }], nameWidth - gap);
    const cells = row.cells.map((cell) => wrappedLines(pen, cell, textWidth));
    const height = Math.max(name.length, ...cells.map(({ length }) => length));
    for (let line = 0; line < height; ) {
      const room = Math.floor((bottom - y) / lineHeight);
      if (room < Math.min(linesMin, height - line)) {
        addPage();
        continue;
      }
      const count = Math.min(room, height - line);
      // A row that goes on names itself again, or goes on with its name.
      const nameFrom = line < name.length ? line : 0;
      draw(pen, name.slice(nameFrom, nameFrom + count), margin, y);
      for (const [column, cell] of cells.entries())
        draw(pen, cell.slice(line, line + count), columnX(column), y);
      y += count * lineHeight + 4;
      line += count;
    }
    if (y < bottom) pen.box(margin, y, width - 2 * margin, 0.6, ink.line);
    y += 5;
  }
  pen.end();
  return stream;
}

const wrappedLines = (pen: Pen, lines: readonly TableLine[], width: number): TableLine[] =>
  lines.flatMap(({ text, bold }) =>
    pen.wrapped(text, { size, bold, width }).map((line) => ({ text: line, bold })),
  );

function draw(pen: Pen, lines: readonly TableLine[], x: number, y: number): void {
  for (const [at, { text, bold }] of lines.entries()) pen.text(text, x, y + at * lineHeight, { size, bold });
}
