import { type Currency, currencyDigits } from '@nearhand/contract/currencies';
import { dayIn, dayMs } from '@nearhand/contract/durations';
import type { Language } from '@nearhand/contract/languages';
import { isCredit, isProForma, objectionDays } from '@nearhand/contract/money/worker-invoices.rules';
import { formatsOf } from '../../platform/i18n.ts';
import { type MailText, phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import { type EmbeddedFile, ink, openPdf, type Pen, page } from '../../platform/pdf/pdf-pen.ts';
import type { InvoiceContent, InvoiceLine, InvoiceParty, PrintedInvoice } from '../invoices/invoices.ts';
import {
  selfBillingTerm,
  type VatCategory,
  type VatTreatment,
  withoutVatMinor,
} from '../invoices/vat.rules.ts';
import type {
  PrintedWorkerInvoice,
  WorkerInvoiceContent,
  WorkLine,
} from '../worker-invoices/worker-invoices.sql.ts';
import { invoiceXml, workerInvoiceXml } from './invoice-xml.ts';
import {
  commaList,
  decimalOf,
  hoursText,
  invoiceTitles,
  moneyText,
  reasonSentence,
  shareText,
} from './print-words.ts';

const { margin, width } = page;
const inner = width - 2 * margin;
const middle = margin + inner * 0.52;
const brandWidth = 120;
const footTop = page.height - 78;
const secondary = { colour: ink.second } as const;

const categoryText: Record<VatCategory, MailText> = {
  S: phrase('standard rate'),
  AE: phrase('reverse charge'),
  E: phrase('exempt'),
  O: phrase('out of scope'),
  Z: phrase('zero-rated'),
};

type Block = { height: number; draw: (y: number) => void };

/** The words and figures of a document, in its reader's language. */
type Sheet = {
  row: Pick<PrintedInvoice, 'printedNumber' | 'issuedAt' | 'currency'> & {
    content: Pick<InvoiceContent, 'seller' | 'buyer' | 'issuedOn' | 'from' | 'to' | 'vat' | 'corrects'>;
  };
  title: string;
  /** The line under the title; a document that corrects another names that one instead. */
  subject: string;
  numberName: string;
  heads: Row['cells'] & { service: string };
  rows: Row[];
  totals: { name: string; value: string; bold: boolean }[];
  notes: { title: string; text: string }[];
  foot: string;
  /** The e-invoice (CII) inside the PDF; null if there is none. */
  xml: string | null;
};

type Row = {
  name: string;
  details: string;
  cells: Record<(typeof columns)[number]['key'], string>;
};

type Words = { language: Language; text: (message: MailText) => string };

const wordsIn = (language: Language): Words => ({
  language,
  text: (message) => phraseIn(language, message),
});

/** Our invoice or credit note for the fee. */
export function invoicePdf(row: PrintedInvoice, language: Language = 'en'): NodeJS.ReadableStream {
  const words = wordsIn(language);
  const { text } = words;
  const { content, currency, netMinor, vatMinor } = row;
  const isCreditNote = row.kind === 'credit_note';
  const month = dateText(content.from, language, { month: 'long', year: 'numeric' });
  const amount = (minor: number) => plainAmount(currency, minor, language);
  const money = (minor: number) => moneyText(minor, currency, { language });
  return sheetPdf(words, {
    row,
    xml: invoiceXml(row, 'cii'),
    title: text(invoiceTitles[row.kind]),
    subject: text(phrase('Service fees, {month}', { month })),
    numberName: text(isCreditNote ? phrase('Credit note number') : phrase('Invoice number')),
    heads: {
      service: text(phrase('Service')),
      amount: text(phrase('Pay, {currency}', { currency })),
      rate: text(phrase('Rate')),
      vat: text(phrase('VAT')),
      net: text(phrase('Net, {currency}', { currency })),
    },
    rows: content.lines.map((line) => feeRow(words, line, amount)),
    totals: [
      { name: text(phrase('Total without VAT')), value: amount(netMinor), bold: false },
      { name: text(phrase('VAT')), value: amount(vatMinor), bold: false },
      { name: text(phrase('Total with VAT')), value: money(netMinor + vatMinor), bold: true },
      {
        name: text(isCreditNote ? phrase('Already returned') : phrase('Already paid')),
        value: amount(-netMinor).replace('-', '−'),
        bold: false,
      },
      {
        name: text(isCreditNote ? phrase('Amount to return') : phrase('Amount due')),
        value: money(vatMinor),
        bold: true,
      },
    ],
    notes: [
      { title: text(phrase('Payment')), text: feePayment(words, row) },
      {
        title: text(phrase('Not on this invoice')),
        text: text(phrase('The pay itself. Each payment to a worker has a receipt of its own.')),
      },
    ],
    foot: text(
      phrase('The fee of each job was fixed when its offer was made. Questions: {email}, quoting {number}.', {
        email: content.seller.email,
        number: row.printedNumber,
      }),
    ),
  });
}

function feeRow({ language, text }: Words, line: InvoiceLine, amount: (minor: number) => string): Row {
  const percent = shareText(line.feeBasisPoints, language);
  const hours = decimalHours(line.paidMinutes, language);
  return {
    name:
      line.branch === null
        ? text(phrase('Service fee'))
        : text(phrase('Service fee, {branch}', { branch: line.branch })),
    details:
      line.paidMinutes === 0
        ? text(phrase('{percent} of pay', { percent }))
        : text(phrase('{percent} of pay for {hours} hours', { percent, hours })),
    cells: {
      amount: amount(line.payMinor),
      rate: percent,
      vat: vatCell(line, language),
      net: amount(line.netMinor),
    },
  };
}

function feePayment(
  { language, text }: Words,
  { kind, content, printedNumber: number }: PrintedInvoice,
): string {
  const { iban, dueOn } = content;
  const range = rangeText(content.from, content.to, language);
  const isCreditNote = kind === 'credit_note';
  const paymentText = text(
    isCreditNote
      ? phrase('The fee went back to your balance with each reversed payment, {range}.', { range })
      : phrase('Taken from your held money each time pay was released, {range}.', { range }),
  );
  if (dueOn === null) return paymentText;
  const due = dateText(dueOn, language);
  if (isCreditNote) return `${paymentText} ${text(phrase('We return the VAT by {due}.', { due }))}`;
  const request = iban
    ? phrase('Please transfer the amount due by {due} to {iban}, quoting {number}.', { due, iban, number })
    : phrase('Please pay the amount due by {due}, quoting {number}.', { due, number });
  return `${paymentText} ${text(request)}`;
}

const workText: Record<WorkLine['kind'], MailText | null> = {
  work: null,
  compensation: phrase('Late cancellation'),
  tip: phrase('Tip'),
  bonus: phrase('Bonus'),
};

/** A worker's invoice, credit note or pro forma, in the worker's name. */
export function workerInvoicePdf(
  row: PrintedWorkerInvoice,
  language: Language = 'en',
): NodeJS.ReadableStream {
  const words = wordsIn(language);
  const { text } = words;
  const { content, netMinor, vatMinor, paidMinor } = row;
  const currency = row.currency;
  const month = dateText(content.from, language, { month: 'long', year: 'numeric' });
  const amount = (minor: number) => plainAmount(currency, minor, language);
  const money = (minor: number) => moneyText(minor, currency, { language });
  const roundingMinor = paidMinor - netMinor - vatMinor;
  return sheetPdf(words, {
    row: { ...row, currency },
    xml: isProForma(row) ? null : workerInvoiceXml(row, 'cii'),
    title: text(invoiceTitles[row.kind]),
    subject: text(phrase('Work, {month}', { month })),
    numberName: text(phrase('Number')),
    heads: {
      service: text(phrase('Work')),
      amount: text(phrase('Paid, {currency}', { currency })),
      rate: text(phrase('Per hour')),
      vat: text(phrase('VAT')),
      net: text(phrase('Net, {currency}', { currency })),
    },
    rows: content.lines.map((line) => workRow(words, line, amount)),
    totals: [
      { name: text(phrase('Total without VAT')), value: amount(netMinor), bold: false },
      { name: text(phrase('VAT')), value: amount(vatMinor), bold: false },
      ...(roundingMinor === 0
        ? []
        : [{ name: text(phrase('Rounding')), value: amount(roundingMinor).replace('-', '−'), bold: false }]),
      {
        name: text(isCredit(row) ? phrase('Returned through Nearhand') : phrase('Paid through Nearhand')),
        value: money(paidMinor),
        bold: true,
      },
      { name: text(phrase('Amount due')), value: money(0), bold: true },
    ],
    notes: [
      {
        title: text(phrase('Payment')),
        text: text(
          isCredit(row)
            ? phrase('Returned to the buyer, {range}. Nothing is left to pay.', {
                range: rangeText(content.from, content.to, language),
              })
            : phrase('Paid from money the buyer had set aside, {range}. Nothing is left to pay.', {
                range: rangeText(content.from, content.to, language),
              }),
        ),
      },
      issuerNote(words, content),
    ],
    foot: text(phrase('Our fee is not on it: the buyer gets an invoice of ours for it.')),
  });
}

function issuerNote({ language, text }: Words, content: WorkerInvoiceContent) {
  const { selfBilling, buyer, issuedOn } = content;
  if (selfBilling === null)
    return {
      title: text(phrase('Not an invoice')),
      text: text(
        phrase('The seller writes their own invoice to {buyer} for this work.', { buyer: buyer.name }),
      ),
    };
  const { issuer, version, agreedOn } = selfBilling;
  const until = new Date(Date.parse(`${issuedOn}T00:00:00Z`) + objectionDays * dayMs);
  const title = text(phrase('Self-billing'));
  const legalTerm = selfBillingTerm(content);
  return {
    title: legalTerm ? `${title} (${legalTerm})` : title,
    text: text(
      phrase(
        'Issued by {issuer} for the buyer and in the seller’s name, under the agreement of {day}, version {version}. The seller may object until {until}.',
        {
          issuer,
          version,
          day: dateText(agreedOn, language),
          until: dateText(dayIn('UTC', until), language),
        },
      ),
    ),
  };
}

function workRow({ language, text }: Words, line: WorkLine, amount: (minor: number) => string): Row {
  const kind = workText[line.kind];
  const parts = [
    line.workedOn === null ? null : dateText(line.workedOn, language, { day: 'numeric', month: 'short' }),
    line.branch,
    line.minutes === null
      ? null
      : text(phrase('{hours} hours', { hours: decimalHours(line.minutes, language) })),
    line.breakMinutes ? text(phrase('{minutes} min break', { minutes: line.breakMinutes })) : null,
    text(
      phrase('paid on {day}', {
        day: dateText(line.paidOn, language, { day: 'numeric', month: 'short' }),
      }),
    ),
  ];
  return {
    name: kind === null ? line.title : `${text(kind)}: ${line.title}`,
    details: commaList(language, parts),
    cells: {
      amount: amount(line.paidMinor),
      rate: line.hourMinor === null ? '' : amount(withoutVatMinor(line.hourMinor, line.rateBasisPoints)),
      vat: vatCell(line, language),
      net: amount(line.netMinor),
    },
  };
}

const vatCell = ({ category, rateBasisPoints }: VatTreatment, language: Language): string =>
  `${category} ${shareText(rateBasisPoints, language)}`;

/** Hours with at least two decimals, in the format of the language. */
const decimalHours = (minutes: number, language: Language): string =>
  new Intl.NumberFormat(formatsOf(language), { minimumFractionDigits: 2 }).format(Number(hoursText(minutes)));

/** Factur-X 1.0, profile EN 16931: a PDF/A-3 with the CII inside, named in the metadata by its extension schema. */
function facturX(xml: string): EmbeddedFile {
  const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
  const facts = {
    DocumentFileName: 'factur-x.xml',
    DocumentType: 'INVOICE',
    Version: '1.0',
    ConformanceLevel: 'EN 16931',
  };
  const properties = Object.keys(facts).map(
    (name) => `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name>
<pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category>
<pdfaProperty:description>${name} of the embedded invoice</pdfaProperty:description></rdf:li>`,
  );
  const values = Object.entries(facts).map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`);
  return {
    name: facts.DocumentFileName,
    mediaType: 'text/xml',
    content: Buffer.from(xml),
    metadata: `<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>${properties.join('')}</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
<rdf:Description rdf:about="" xmlns:fx="${namespace}">${values.join('')}</rdf:Description>`,
  };
}

function sheetPdf({ language, text }: Words, sheet: Sheet): NodeJS.ReadableStream {
  const { printedNumber, issuedAt } = sheet.row;
  const { pen, stream } = openPdf({
    title: `${sheet.title} ${printedNumber}`,
    at: issuedAt,
    language,
    embedded: sheet.xml === null ? null : facturX(sheet.xml),
  });
  const paper: Paper = { pen, sheet, language, text };
  pen.addPage();
  const all = [
    heading(paper),
    facts(paper),
    parties(paper),
    tableHead(paper),
    ...sheet.rows.map((row) => tableRow(paper, row)),
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
    foot(paper, text(phrase('Page {no} of {pages}', { no: at + 1, pages: pages.length })));
  }
  pen.end();
  return stream;
}

type Paper = Words & { pen: Pen; sheet: Sheet };

function heading({ pen, sheet, text }: Paper): Block {
  const { title, row } = sheet;
  const { corrects } = row.content;
  const reference = corrects
    ? text(phrase('Correction of {number}', { number: corrects.number }))
    : sheet.subject;
  return {
    height: 62,
    draw: (y) => {
      pen.brand(margin - 4, y);
      const right = { width: inner - brandWidth, align: 'right' } as const;
      pen.text(title, margin + brandWidth, y, { ...right, size: 20, bold: true });
      pen.text(reference, margin + brandWidth, y + 26, { ...right, ...secondary });
    },
  };
}

function facts({ pen, sheet, language, text }: Paper): Block {
  const { row, numberName } = sheet;
  const { issuedOn, from, to, corrects } = row.content;
  const day = (value: string) => dateText(value, language);
  const cells: [string, string][] = [
    [numberName, row.printedNumber],
    [text(phrase('Date of issue')), day(issuedOn)],
    [text(phrase('Period of supply')), rangeText(from, to, language)],
  ];
  if (corrects)
    cells.push([
      text(phrase('Corrects')),
      text(phrase('{number} of {day}', { number: corrects.number, day: day(corrects.issuedOn) })),
    ]);
  const cell = inner / cells.length;
  const wide = cell - 8;
  const values = cells.map(([, value]) =>
    pen.lines(value, { size: 9, bold: true, width: wide, maxLines: 2 }),
  );
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
  const { text, sheet } = paper;
  const { seller, buyer } = sheet.row.content;
  const sides = [
    party(paper, text(phrase('Seller')), seller, margin),
    party(paper, text(phrase('Buyer')), buyer, middle),
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
  const wrapped = (words: string, bold = false) =>
    pen.lines(words, { size: 9, bold, width: wide, maxLines: 4 });
  const names = wrapped(company.name, true);
  const { countryCode } = company;
  const country =
    countryCode === ''
      ? ''
      : (new Intl.DisplayNames([formatsOf(language)], { type: 'region' }).of(countryCode) ?? countryCode);
  const town = [company.postcode, company.town].filter((part) => part !== '').join(' ');
  // The mark keeps a postcode before its town in a right-to-left line.
  const address = [
    ...wrapped(company.street),
    ...(country === '' ? [] : wrapped(`\u200E${town}, ${country}`)),
  ];
  const registration = commaList(language, [company.registrationNumber, company.register]);
  const ids: [string, string][] = [
    [text(phrase('VAT id')), company.vatId],
    [text(phrase('Registration')), registration],
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
  { key: 'amount', right: width - margin - 190, width: 90 },
  { key: 'rate', right: width - margin - 135, width: 55 },
  { key: 'vat', right: width - margin - 70, width: 65 },
  { key: 'net', right: width - margin, width: 70 },
] as const;
const serviceWidth = columns[0].right - columns[0].width - margin - 8;

/** Draws the numbers of a row at the right edges of the columns. */
function cellsAt(
  pen: Pen,
  y: number,
  values: Row['cells'],
  style: { size?: number; bold?: boolean; colour?: string } = {},
): void {
  for (const column of columns)
    pen.text(values[column.key], column.right - column.width, y, {
      ...style,
      width: column.width,
      align: 'right',
    });
}

function tableHead({ pen, sheet }: Paper): Block {
  const style = { ...secondary, size: 8, bold: true };
  return {
    height: 22,
    draw: (y) => {
      pen.text(sheet.heads.service, margin, y, style);
      cellsAt(pen, y, sheet.heads, style);
      pen.rule(y + 14, ink.second);
    },
  };
}

function tableRow({ pen }: Paper, { name, details, cells }: Row): Block {
  const names = pen.lines(name, { size: 9, width: serviceWidth, maxLines: 3 });
  const wrapped = pen.lines(details, { size: 8, width: serviceWidth, maxLines: 3 });
  const height = names.length * 12 + wrapped.length * 11 + 15;
  return {
    height,
    draw: (y) => {
      for (const [at, words] of names.entries()) pen.text(words, margin, y + at * 12);
      for (const [at, words] of wrapped.entries())
        pen.text(words, margin, y + names.length * 12 + at * 11, { ...secondary, size: 8 });
      cellsAt(pen, y, cells);
      pen.rule(y + height - 10);
    },
  };
}

function sums({ pen, sheet, language, text }: Paper): Block {
  const { totals } = sheet;
  const { content, currency } = sheet.row;
  const amount = (minor: number) => plainAmount(currency, minor, language);
  const leftWidth = inner * 0.48;
  const sentences = content.vat.flatMap(({ reason }) => {
    if (reason === null) return [];
    const sentence = reasonSentence(reason, content, language);
    return pen.lines(sentence, { size: 9, width: leftWidth, maxLines: 6 });
  });
  const leftHeight = 36 + content.vat.length * 16 + 10 + sentences.length * 12;
  return {
    height: Math.max(leftHeight, totals.length * 19) + 26,
    draw: (top) => {
      const y = top + 8;
      const vatRight = margin + leftWidth;
      const right = (words: string, edge: number, at: number, style = {}) =>
        pen.text(words, edge - 70, at, { ...style, width: 70, align: 'right' });
      const head = { ...secondary, size: 8, bold: true };
      if (content.vat.length > 0) {
        pen.text(text(phrase('VAT breakdown, {currency}', { currency })), margin, y, head);
        pen.text(text(phrase('Category')), margin, y + 14, head);
        right(text(phrase('Rate')), vatRight - 120, y + 14, head);
        right(text(phrase('Taxable')), vatRight - 55, y + 14, head);
        right(text(phrase('VAT')), vatRight, y + 14, head);
      }
      for (const [at, sum] of content.vat.entries()) {
        const line = y + 30 + at * 16;
        pen.text(`${sum.category}, ${text(categoryText[sum.category])}`, margin, line, { width: 100 });
        right(shareText(sum.rateBasisPoints, language), vatRight - 120, line);
        right(amount(sum.taxableMinor), vatRight - 55, line);
        right(amount(sum.vatMinor), vatRight, line);
      }
      for (const [at, line] of sentences.entries())
        pen.text(line, margin, y + 40 + content.vat.length * 16 + at * 12);
      for (const [at, { name, value, bold }] of totals.entries()) {
        const line = y + at * 19;
        const size = at === totals.length - 1 ? 12 : 9;
        pen.text(name, middle + 20, line, { bold, size, width: 130 });
        pen.text(value, width - margin - 110, line, { bold, size, width: 110, align: 'right' });
      }
    },
  };
}

function notes({ pen, sheet }: Paper): Block {
  const request = { size: 9, width: inner * 0.46, maxLines: 8 };
  const blocks = sheet.notes.map(({ title, text }) => ({ title, lines: pen.lines(text, request) }));
  return {
    height: 20 + Math.max(...blocks.map(({ lines }) => lines.length)) * 12,
    draw: (y) => {
      for (const [column, { title, lines }] of blocks.entries()) {
        const x = column === 0 ? margin : middle;
        pen.text(title, x, y, { ...secondary, size: 8, bold: true });
        for (const [at, line] of lines.entries())
          pen.text(line, x, y + 14 + at * 12, column === 0 ? {} : secondary);
      }
    },
  };
}

function foot({ pen, sheet }: Paper, pageNo: string): void {
  const y = footTop + 14;
  pen.rule(y);
  const lines = pen.lines(sheet.foot, { size: 8, width: inner - 100, maxLines: 2 });
  for (const [at, line] of lines.entries())
    pen.text(line, margin, y + 9 + at * 11, { ...secondary, size: 8 });
  pen.text(pageNo, width - margin - 90, y + 9, { ...secondary, size: 8, width: 90, align: 'right' });
}

/** An amount without its currency, for columns that name it. */
const plainAmount = (currency: Currency, minor: number, language: Language): string => {
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
