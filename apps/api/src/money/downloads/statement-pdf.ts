import type { Currency } from '@nearhand/contract/currencies';
import type { Language } from '@nearhand/contract/languages';
import { shownAmount } from '@nearhand/contract/money/statements.rules';
import { formatsOf } from '../../platform/i18n.ts';
import { type MailText, phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import { ink, openPdf, type Pen, page } from '../../platform/pdf/pdf-pen.ts';
import type { ExportedLine } from '../statements/statement-export.ts';
import { commaList, hoursText, kindText, moneyText, statusText, timeText } from './print-words.ts';

export type StatementPdf = {
  language: Language;
  holder: string;
  under: string[];
  span: string;
  currency: Currency;
  timeZone: string;
  at: Date;
  totals: { name: MailText; amountMinor: number }[];
  lines: readonly PrintedLine[];
};

/** A line with the printed numbers of its receipt and invoice. */
type PrintedLine = ExportedLine & { documents: string[] };

const { margin, width } = page;
const rowHeight = 24;
const bottom = page.height - 58;
const firstTop = 252;
const nextTop = 78;
const columns = { date: margin, kind: 138, about: 222, status: 356, amount: 424, balance: 490 } as const;
const aboutWidth = columns.status - columns.about - 4;
const rowsFrom = (top: number) => Math.floor((bottom - top - rowHeight) / rowHeight);

const textOf =
  ({ language }: StatementPdf) =>
  (sentence: MailText): string =>
    phraseIn(language, sentence);
const printedMoney = ({ language }: StatementPdf, minor: number, currency: Currency, signed = false) =>
  moneyText(minor, currency, { signed, language });
const timeOf = ({ language, timeZone }: StatementPdf, at: string | Date) =>
  timeText(at, timeZone, true, language);

/** Lets other requests run between the pages of a long statement. */
const yieldToOthers = () => new Promise<void>((resume) => setImmediate(resume));

export function statementPdf(statement: StatementPdf): NodeJS.ReadableStream {
  const { pen, stream } = openPdf({
    title: textOf(statement)(phrase('Statement of {holder}', { holder: statement.holder })),
    at: statement.at,
    language: statement.language,
  });
  const first = rowsFrom(firstTop);
  const rest = Math.max(0, statement.lines.length - first);
  const pages = 1 + Math.ceil(rest / rowsFrom(nextTop));
  const draw = async () => {
    let printedCount = 0;
    for (let no = 1; no <= pages; no += 1) {
      pen.addPage();
      const top = no === 1 ? firstTop : nextTop;
      if (no === 1) head(pen, statement);
      else pen.brand(margin - 4, 32);
      const rows = statement.lines.slice(printedCount, printedCount + rowsFrom(top));
      table(pen, top, rows, statement);
      printedCount += rows.length;
      foot(pen, statement, textOf(statement)(phrase('Page {no} of {pages}', { no, pages })));
      await yieldToOthers();
    }
    pen.end();
  };
  draw().catch((error: Error) =>
    (stream as NodeJS.ReadableStream & { destroy(e: Error): void }).destroy(error),
  );
  return stream;
}

function head(pen: Pen, statement: StatementPdf): void {
  const text = textOf(statement);
  pen.brand(margin - 4, 36);
  pen.text(text(phrase('Statement')), margin, 82, { size: 24, bold: true });
  pen.text(statement.holder, margin, 116, { size: 12, bold: true, width: 250 });
  for (const [at, line] of statement.under.slice(0, 2).entries())
    pen.text(line, margin, 134 + at * 13, { colour: ink.second, width: 250 });
  const right = { width: 220, align: 'right', colour: ink.second } as const;
  const spanWidth = width - margin - right.width;
  pen.text(statement.span, spanWidth, 116, { ...right, bold: true, colour: ink.text, size: 10 });
  pen.text(text(phrase('Amounts in {currency}', { currency: statement.currency })), spanWidth, 134, right);
  const zone = statement.timeZone.replaceAll('_', ' ');
  pen.text(text(phrase('Times in {zone}', { zone })), spanWidth, 147, right);
  pen.rule(172);
  const cell = (width - 2 * margin) / Math.max(1, Math.min(4, statement.totals.length));
  for (const [at, total] of statement.totals.entries()) {
    const x = margin + (at % 4) * cell;
    const y = 178 + Math.floor(at / 4) * 32;
    pen.text(text(total.name), x, y, { size: 8, colour: ink.second, width: cell - 8 });
    pen.text(printedMoney(statement, total.amountMinor, statement.currency), x, y + 10, {
      size: 12,
      bold: true,
      width: cell - 6,
    });
  }
}

function table(pen: Pen, top: number, lines: readonly PrintedLine[], statement: StatementPdf): void {
  const text = textOf(statement);
  const heading = { size: 8, bold: true, colour: ink.second } as const;
  pen.text(text(phrase('Date')), columns.date, top, heading);
  pen.text(text(phrase('Entry')), columns.kind, top, heading);
  pen.text(text(phrase('For')), columns.about, top, heading);
  pen.text(text(phrase('Status')), columns.status, top, heading);
  pen.text(text(phrase('Amount')), columns.amount, top, { ...heading, ...cells.amount });
  pen.text(text(phrase('Balance')), columns.balance, top, { ...heading, ...cells.balance });
  pen.rule(top + 14, ink.second);
  if (lines.length === 0)
    pen.text(text(phrase('Nothing in this period.')), margin, top + 20, { colour: ink.second });
  for (const [at, line] of lines.entries()) {
    const y = top + rowHeight + at * rowHeight;
    pen.text(timeOf(statement, line.at), columns.date, y, { size: 7.5, width: 94 });
    pen.text(text(kindText[line.kind]), columns.kind, y, { size: 8.5, bold: true, width: 80 });
    const details = commaList(statement.language, [line.party, line.about]);
    const work = workOf(statement, line);
    const names = pen.lines(details, { size: 8, width: aboutWidth, maxLines: 2 });
    const rows = names.length + (work === '' ? 0 : 1);
    // Three rows are set closer, so that a row of the table keeps its height.
    const step = rows > 2 ? 8 : 9.5;
    const size = rows > 2 ? 7 : 8;
    const first = y - ([0, 0, 4][rows] ?? 6);
    for (const [down, words] of names.entries())
      pen.text(words, columns.about, first + down * step, { size, width: aboutWidth });
    if (work !== '')
      pen.text(work, columns.about, first + names.length * step, {
        size: 7,
        colour: ink.second,
        width: aboutWidth,
      });
    if (line.work?.branch)
      pen.text(line.work.branch, columns.date, y + 9, { size: 7, colour: ink.second, width: 92 });
    // Accountants book the invoice; the receipt replaces it until it is issued.
    const document = line.documents.findLast((number) => number !== '');
    if (document !== undefined)
      pen.text(document, columns.kind, y + 9, { size: 7, colour: ink.second, width: 80 });
    if (line.status)
      pen.text(text(statusText[line.status]), columns.status, y, { size: 8, colour: ink.second, width: 64 });
    pen.text(printedAmount(statement, line), columns.amount, y, {
      size: 8.5,
      ...cells.amount,
      colour: colourOf(line.amountMinor),
    });
    pen.text(printedMoney(statement, line.balanceMinor, line.currency), columns.balance, y, {
      size: 8.5,
      ...cells.balance,
    });
    pen.rule(y + 16);
  }
}

function colourOf(amountMinor: number) {
  if (amountMinor > 0) return ink.good;
  return amountMinor < 0 ? ink.text : ink.second;
}

/** The hours with their pay, and the break. */
function workOf(statement: StatementPdf, { work, currency }: PrintedLine): string {
  const text = textOf(statement);
  if (work === null) return '';
  const hours = new Intl.NumberFormat(formatsOf(statement.language)).format(
    Number(hoursText(work.minutes ?? 0)),
  );
  const worked =
    work.hourMinor === null
      ? phrase('{hours} h', { hours })
      : phrase('{hours} h at {pay}', { hours, pay: printedMoney(statement, work.hourMinor, currency) });
  return commaList(statement.language, [
    work.minutes === null ? '' : text(worked),
    work.breakMinutes ? text(phrase('break {minutes} min', { minutes: String(work.breakMinutes) })) : '',
  ]);
}

const cells = {
  amount: { width: columns.balance - columns.amount - 8, align: 'right' },
  balance: { width: width - margin - columns.balance, align: 'right' },
} as const;

function printedAmount(statement: StatementPdf, line: PrintedLine): string {
  const { minor, signed } = shownAmount(line);
  return printedMoney(statement, minor, line.currency, signed);
}

function foot(pen: Pen, statement: StatementPdf, no: string): void {
  const y = page.height - 44;
  const colour = ink.second;
  const created = { holder: statement.holder, time: timeOf(statement, statement.at) };
  pen.text(textOf(statement)(phrase('{holder}. Created {time}.', created)), margin, y, {
    size: 7.5,
    colour,
    width: 380,
  });
  pen.text(no, width - margin - 100, y, { size: 7.5, colour, width: 100, align: 'right' });
}
