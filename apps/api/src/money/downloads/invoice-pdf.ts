import { currencyDigits } from '@nearhand/contract/currencies';
import type { Language } from '@nearhand/contract/languages';
import { formatsOf } from '../../platform/i18n.ts';
import { type MailText, phraseIn, say } from '../../platform/mail/mail-layout.ts';
import { ink, openPdf, type Pen, page } from '../../platform/pdf/pdf-pen.ts';
import type { InvoiceLine, InvoiceParty, PrintedInvoice } from '../invoices/invoices.ts';
import type { VatCategory } from '../invoices/vat.rules.ts';
import { decimalOf, hoursText, moneyText, reasonSentence, shareText } from './print-words.ts';

const { margin, width } = page;
const inner = width - 2 * margin;
const middle = margin + inner * 0.52;
const brandWidth = 120;
const footTop = page.height - 78;
const secondary = { colour: ink.second } as const;

const categoryText: Record<VatCategory, MailText> = {
  S: say('standard rate'),
  AE: say('reverse charge'),
  E: say('exempt'),
  O: say('out of scope'),
  Z: say('zero-rated'),
};

type Block = { height: number; draw: (y: number) => void };

/** An invoice or credit note on as many pages as it needs, in the layout of A4 letters. */
export function invoicePdf(row: PrintedInvoice, language: Language = 'en'): NodeJS.ReadableStream {
  const text = (message: MailText) => phraseIn(language, message);
  const title = text(row.kind === 'invoice' ? say('Invoice') : say('Credit note'));
  const { pen, stream } = openPdf({ title: `${title} ${row.printedNumber}`, at: row.issuedAt, language });
  const paper: Paper = { pen, row, language, text };
  pen.addPage();
  const all = [
    heading(paper, title),
    facts(paper),
    parties(paper),
    tableHead(paper),
    ...row.content.lines.map((line) => tableRow(paper, line)),
    sums(paper),
    notes(paper),
  ];
  const pages: Block[][] = [[]];
  let filled = margin;
  for (const block of all) {
    if (filled + block.height > footTop) {
      pages.push([]);
      filled = margin;
    }
    pages.at(-1)?.push(block);
    filled += block.height;
  }
  for (const [at, blocks] of pages.entries()) {
    if (at > 0) pen.addPage();
    let y: number = margin;
    for (const block of blocks) {
      block.draw(y);
      y += block.height;
    }
    foot(paper, text(say('Page {no} of {pages}', { no: at + 1, pages: pages.length })));
  }
  pen.end();
  return stream;
}

type Paper = { pen: Pen; row: PrintedInvoice; language: Language; text: (said: MailText) => string };

function heading({ pen, row, language, text }: Paper, title: string): Block {
  const { from, corrects } = row.content;
  const month = dateText(from, language, { month: 'long', year: 'numeric' });
  const about = corrects
    ? text(say('Correction of {number}', { number: corrects.number }))
    : text(say('Service fees, {month}', { month }));
  return {
    height: 62,
    draw: (y) => {
      pen.brand(margin - 4, y);
      const right = { width: inner - brandWidth, align: 'right' } as const;
      pen.text(title, margin + brandWidth, y, { ...right, size: 20, bold: true });
      pen.text(about, margin + brandWidth, y + 26, { ...right, ...secondary });
    },
  };
}

function facts({ pen, row, language, text }: Paper): Block {
  const { issuedOn, from, to, corrects } = row.content;
  const day = (value: string) => dateText(value, language);
  const cells: [string, string][] = [
    [text(row.kind === 'invoice' ? say('Invoice number') : say('Credit note number')), row.printedNumber],
    [text(say('Date of issue')), day(issuedOn)],
    [text(say('Period of supply')), rangeText(from, to, language)],
  ];
  if (corrects)
    cells.push([
      text(say('Corrects')),
      text(say('{number} of {day}', { number: corrects.number, day: day(corrects.issuedOn) })),
    ]);
  const cell = inner / cells.length;
  const wide = cell - 8;
  const values = cells.map(([, value]) => pen.lines(value, { size: 9, bold: true, width: wide, most: 2 }));
  const height = 46 + Math.max(...values.map(({ length }) => length)) * 12;
  return {
    height,
    draw: (y) => {
      pen.rule(y, ink.second);
      for (const [at, [name]] of cells.entries()) {
        const x = margin + at * cell;
        pen.text(name, x, y + 9, { ...secondary, size: 8, bold: true, width: wide });
        for (const [no, line] of (values[at] ?? []).entries())
          pen.text(line, x, y + 21 + no * 12, { bold: true, width: wide });
      }
      pen.rule(y + height - 16, ink.second);
    },
  };
}

function parties(paper: Paper): Block {
  const { text, row } = paper;
  const { seller, buyer } = row.content;
  const sides = [
    party(paper, text(say('Seller')), seller, margin),
    party(paper, text(say('Buyer')), buyer, middle),
  ];
  return {
    height: Math.max(...sides.map(({ height }) => height)) + 22,
    draw: (y) => {
      for (const side of sides) side.draw(y);
    },
  };
}

function party({ pen, language, text }: Paper, title: string, company: InvoiceParty, x: number): Block {
  const wide = inner * 0.46;
  const wrapped = (words: string, bold = false) => pen.lines(words, { size: 9, bold, width: wide, most: 4 });
  const names = wrapped(company.name, true);
  const country =
    new Intl.DisplayNames([formatsOf(language)], { type: 'region' }).of(company.countryCode) ??
    company.countryCode;
  const town = [company.postcode, company.town].filter((part) => part !== '').join(' ');
  // The mark keeps a postcode before its town in a right-to-left line.
  const address = [...wrapped(company.street), ...wrapped(`\u200E${town}, ${country}`)];
  const registration = [company.registrationNumber, company.register]
    .filter((part) => part !== '')
    .join(', ');
  const ids: [string, string][] = [
    [text(say('VAT id')), company.vatId],
    [text(say('Registration')), registration],
  ];
  const presentIds = ids.filter(([, value]) => value !== '');
  return {
    height: 16 + (names.length + address.length + presentIds.length) * 13 + 4,
    draw: (top) => {
      pen.text(title, x, top, { ...secondary, size: 8, bold: true });
      let y = top + 14;
      for (const line of names) {
        pen.text(line, x, y, { bold: true });
        y += 13;
      }
      for (const line of address) {
        pen.text(line, x, y);
        y += 13;
      }
      y += 4;
      for (const [name, value] of presentIds) {
        pen.text(name, x, y, { ...secondary, width: 66 });
        pen.text(value, x + 70, y, { width: wide - 70 });
        y += 13;
      }
    },
  };
}

const columns = [
  { key: 'pay', right: width - margin - 190, width: 90 },
  { key: 'rate', right: width - margin - 135, width: 55 },
  { key: 'vat', right: width - margin - 70, width: 65 },
  { key: 'net', right: width - margin, width: 70 },
] as const;
const serviceWidth = columns[0].right - columns[0].width - margin - 8;

/** Draws the numbers of a row at the right edges of the columns. */
function cellsAt(
  pen: Pen,
  y: number,
  values: Record<(typeof columns)[number]['key'], string>,
  style: { size?: number; bold?: boolean; colour?: string } = {},
): void {
  for (const column of columns)
    pen.text(values[column.key], column.right - column.width, y, {
      ...style,
      width: column.width,
      align: 'right',
    });
}

function tableHead({ pen, row, text }: Paper): Block {
  const style = { ...secondary, size: 8, bold: true };
  const { currency } = row;
  return {
    height: 22,
    draw: (y) => {
      pen.text(text(say('Service')), margin, y, style);
      cellsAt(
        pen,
        y,
        {
          pay: text(say('Pay, {currency}', { currency })),
          rate: text(say('Rate')),
          vat: text(say('VAT')),
          net: text(say('Net, {currency}', { currency })),
        },
        style,
      );
      pen.rule(y + 14, ink.second);
    },
  };
}

function tableRow({ pen, row, language, text }: Paper, line: InvoiceLine): Block {
  const amount = (minor: number) => plainAmount(row, minor, language);
  const name =
    line.branch === null
      ? text(say('Service fee'))
      : text(say('Service fee, {branch}', { branch: line.branch }));
  const names = pen.lines(name, { size: 9, width: serviceWidth, most: 3 });
  const percent = shareText(line.feeBasisPoints, language);
  const hours = new Intl.NumberFormat(formatsOf(language), { minimumFractionDigits: 2 }).format(
    Number(hoursText(line.paidMinutes)),
  );
  const about =
    line.paidMinutes === 0
      ? text(say('{percent} of pay', { percent }))
      : text(say('{percent} of pay for {hours} hours', { percent, hours }));
  const height = names.length * 12 + 26;
  return {
    height,
    draw: (y) => {
      for (const [at, words] of names.entries()) pen.text(words, margin, y + at * 12);
      pen.text(about, margin, y + names.length * 12, { ...secondary, size: 8, width: serviceWidth });
      cellsAt(pen, y, {
        pay: amount(line.payMinor),
        rate: percent,
        vat: `${line.category} ${shareText(line.rateBasisPoints, language)}`,
        net: amount(line.netMinor),
      });
      pen.rule(y + height - 10);
    },
  };
}

function sums({ pen, row, language, text }: Paper): Block {
  const { content, currency, netMinor, vatMinor } = row;
  const isCredit = row.kind === 'credit_note';
  const amount = (minor: number) => plainAmount(row, minor, language);
  const money = (minor: number) => moneyText(minor, currency, false, language);
  const leftWidth = inner * 0.48;
  const sentences = content.vat.flatMap(({ reason }) => {
    if (reason === null) return [];
    const sentence = reasonSentence(reason, content, language);
    return pen.lines(sentence, { size: 9, width: leftWidth, most: 6 });
  });
  const totals: [string, string, boolean][] = [
    [text(say('Total without VAT')), amount(netMinor), false],
    [text(say('VAT')), amount(vatMinor), false],
    [text(say('Total with VAT')), money(netMinor + vatMinor), true],
    [
      text(isCredit ? say('Already returned') : say('Already paid')),
      amount(-netMinor).replace('-', '−'),
      false,
    ],
    [text(isCredit ? say('Amount to return') : say('Amount due')), money(vatMinor), true],
  ];
  const leftHeight = 36 + content.vat.length * 16 + 10 + sentences.length * 12;
  return {
    height: Math.max(leftHeight, totals.length * 19) + 26,
    draw: (top) => {
      const y = top + 8;
      const vatRight = margin + leftWidth;
      const right = (words: string, edge: number, at: number, style = {}) =>
        pen.text(words, edge - 70, at, { ...style, width: 70, align: 'right' });
      const head = { ...secondary, size: 8, bold: true };
      pen.text(text(say('VAT breakdown, {currency}', { currency })), margin, y, head);
      pen.text(text(say('Category')), margin, y + 14, head);
      right(text(say('Rate')), vatRight - 120, y + 14, head);
      right(text(say('Taxable')), vatRight - 55, y + 14, head);
      right(text(say('VAT')), vatRight, y + 14, head);
      for (const [at, sum] of content.vat.entries()) {
        const line = y + 30 + at * 16;
        pen.text(`${sum.category}, ${text(categoryText[sum.category])}`, margin, line, { width: 100 });
        right(shareText(sum.rateBasisPoints, language), vatRight - 120, line);
        right(amount(sum.taxableMinor), vatRight - 55, line);
        right(amount(sum.vatMinor), vatRight, line);
      }
      for (const [at, line] of sentences.entries())
        pen.text(line, margin, y + 40 + content.vat.length * 16 + at * 12);
      for (const [at, [name, value, bold]] of totals.entries()) {
        const line = y + at * 19;
        const size = at === totals.length - 1 ? 12 : 9;
        pen.text(name, middle + 20, line, { bold, size, width: 130 });
        pen.text(value, width - margin - 110, line, { bold, size, width: 110, align: 'right' });
      }
    },
  };
}

function notes({ pen, row, language, text }: Paper): Block {
  const { content, printedNumber: number } = row;
  const { iban, dueOn } = content;
  const range = rangeText(content.from, content.to, language);
  const isCredit = row.kind === 'credit_note';
  const due = dueOn === null ? '' : dateText(dueOn, language);
  const paid = text(
    isCredit
      ? say('The fee went back to your balance with each reversed payment, {range}.', { range })
      : say('Taken from your held money each time pay was released, {range}.', { range }),
  );
  const open =
    dueOn === null
      ? ''
      : isCredit
        ? text(say('We return the VAT by {due}.', { due }))
        : iban === ''
          ? text(say('Please pay the amount due by {due}, quoting {number}.', { due, number }))
          : text(
              say('Please transfer the amount due by {due} to {iban}, quoting {number}.', {
                due,
                iban,
                number,
              }),
            );
  const half = inner * 0.46;
  const left = pen.lines(`${paid} ${open}`.trim(), { size: 9, width: half, most: 8 });
  const right = pen.lines(text(say('The pay itself. Each payment to a worker has a receipt of its own.')), {
    size: 9,
    width: half,
    most: 6,
  });
  return {
    height: 20 + Math.max(left.length, right.length) * 12,
    draw: (y) => {
      const head = { ...secondary, size: 8, bold: true };
      pen.text(text(say('Payment')), margin, y, head);
      for (const [at, line] of left.entries()) pen.text(line, margin, y + 14 + at * 12);
      pen.text(text(say('Not on this invoice')), middle, y, head);
      for (const [at, line] of right.entries()) pen.text(line, middle, y + 14 + at * 12, secondary);
    },
  };
}

function foot({ pen, row, text }: Paper, pageNo: string): void {
  const { seller } = row.content;
  const y = footTop + 14;
  pen.rule(y);
  const words = text(
    say('The fee of each job was fixed when its offer was made. Questions: {email}, quoting {number}.', {
      email: seller.email,
      number: row.printedNumber,
    }),
  );
  const lines = pen.lines(words, { size: 8, width: inner - 100, most: 2 });
  for (const [at, line] of lines.entries())
    pen.text(line, margin, y + 9 + at * 11, { ...secondary, size: 8 });
  pen.text(pageNo, width - margin - 90, y + 9, { ...secondary, size: 8, width: 90, align: 'right' });
}

/** An amount without its currency, for columns that name it. */
const plainAmount = ({ currency }: PrintedInvoice, minor: number, language: Language): string => {
  const digits = currencyDigits[currency];
  return new Intl.NumberFormat(formatsOf(language), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimalOf(minor, currency) as Intl.StringNumericLiteral);
};

const dayParts = { day: 'numeric', month: 'long', year: 'numeric' } as const;

const formatOf = (language: Language, parts: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(formatsOf(language), { ...parts, timeZone: 'UTC' });

const dateText = (day: string, language: Language, parts: Intl.DateTimeFormatOptions = dayParts): string =>
  formatOf(language, parts).format(new Date(`${day}T00:00:00Z`));

const rangeText = (from: string, to: string, language: Language): string =>
  formatOf(language, { ...dayParts, month: 'short' }).formatRange(
    new Date(`${from}T00:00:00Z`),
    new Date(`${to}T00:00:00Z`),
  );
