import { type PassThrough, Readable } from 'node:stream';
import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import type { Language } from '@nearhand/contract/languages';
import { isCredit, isProForma, type WorkerInvoiceKind } from '@nearhand/contract/money/worker-invoices.rules';
import yazl from 'yazl';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import type { PrintedTable } from '../../platform/pdf/table-pdf.ts';
import { createWorkProcess } from '../../platform/process/work-process.ts';
import { findPrintedInvoice } from '../invoices/invoices.ts';
import { findBusinessZone, findPrintedReceipt, receiptNumber } from '../receipts/receipts.ts';
import {
  type ExportedLine,
  type PaidWork,
  readStatement,
  type WholeStatement,
} from '../statements/statement-export.ts';
import { type Account, openBusinessAccount, workerAccount } from '../statements/statement-span.ts';
import { invoiceNumber } from '../statements/statements.rules.ts';
import { findPrintedWorkerInvoice } from '../worker-invoices/worker-invoices.ts';
import {
  invoiceFileName,
  maxRows,
  monthDocuments,
  monthFileName,
  openLink,
  statementFileName,
  type Ticket,
} from './download-links.ts';
import { invoiceXml, workerInvoiceXml } from './invoice-xml.ts';

import type { PrintedText, default as printInProcess } from './print.worker.ts';

import {
  dayText,
  decimalOf,
  hoursText,
  invoiceTitles,
  kindText,
  stampText,
  statusText,
} from './print-words.ts';

export type HandedFile = { name: string; mediaType: string; body: NodeJS.ReadableStream | Buffer };
const inProcess = createWorkProcess<typeof printInProcess>(new URL('./print.worker.ts', import.meta.url), {
  waiting: 32,
  patienceMs: 60_000,
  heapMb: 512,
});
const print = async (...printed: Parameters<typeof inProcess>): Promise<Buffer> =>
  Buffer.from(await inProcess(...printed));

/** @throws request/unavailable while the PDF queue is full */
export const printText = (text: PrintedText): Promise<Buffer> => print({ text });

/** @throws request/unavailable while the PDF queue is full */
export const printTable = (table: PrintedTable): Promise<Buffer> => print({ table });

const xmlFile = (xml: string) => ({
  mediaType: 'application/xml; charset=utf-8',
  body: Buffer.from(xml),
});
const syntaxOf = { xml: 'ubl', cii: 'cii' } as const;

type StatementTicket = Extract<Ticket, { kind: 'worker' | 'business' }>;

/**
 * Opens the file behind a signed link, which is valid for five minutes for anyone who has it.
 * @throws file/link-expired, statement/not-found,
 * statement/too-long, request/unavailable while the PDF queue is full
 */
export async function openDownload(db: Db, scope: Scope<Actor | null>, input: unknown): Promise<HandedFile> {
  const ticket = await openLink(db, scope, input);
  if (ticket.kind === 'invoice') {
    const row = await findPrintedInvoice(db, ticket.id);
    if (!row) throw new AppError('statement/not-found');
    const name = invoiceFileName(row, ticket.format);
    if (ticket.format !== 'pdf') return { name, ...xmlFile(invoiceXml(row, syntaxOf[ticket.format])) };
    const body = await print({ invoice: row, language: ticket.language });
    return { name, mediaType: 'application/pdf', body };
  }
  if (ticket.kind === 'worker-invoice') {
    const row = await findPrintedWorkerInvoice(db, ticket.id);
    if (!row) throw new AppError('statement/not-found');
    const name = invoiceFileName(row, ticket.format);
    if (ticket.format !== 'pdf') return { name, ...xmlFile(workerInvoiceXml(row, syntaxOf[ticket.format])) };
    return {
      name,
      mediaType: 'application/pdf',
      body: await print({ workerInvoice: row, language: ticket.language }),
    };
  }
  if (ticket.kind === 'receipt') {
    const row = await findPrintedReceipt(db, ticket.id);
    if (!row) throw new AppError('statement/not-found');
    const body = await print({ receipt: row, language: ticket.language });
    return { name: row.fileName, mediaType: 'application/pdf', body };
  }
  if (ticket.kind === 'month') return monthZip(db, ticket);
  // Reads lines and totals from one snapshot.
  const rows = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => readAll(tx, ticket));
  const name = statementFileName(ticket);
  return ticket.format === 'csv'
    ? { name, mediaType: 'text/csv; charset=utf-8', body: csvOf(rows.lines, rows.account, ticket.language) }
    : { name, mediaType: 'application/pdf', body: await pdfOf(rows, ticket, scope.clock.now()) };
}

/** Prints PDFs one at a time while streaming, to save memory. A failed PDF aborts the download. */
async function monthZip(db: Db, ticket: Extract<Ticket, { kind: 'month' }>): Promise<HandedFile> {
  const { language } = ticket;
  const { invoices, workerInvoices, receipts } = await monthDocuments(db, ticket.id, ticket.month);
  const timeZone = await findBusinessZone(db, ticket.id);
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as PassThrough;
  zip.once('error', (error) => output.destroy(error));
  const addPdf = (name: string, printed: () => Promise<Buffer>) =>
    zip.addReadStreamLazy(name, { compress: false }, (done) => {
      printed().then(
        (pdf) => done(null, Readable.from([pdf])),
        (error) => done(error, Readable.from([])),
      );
    });
  const index = [
    [
      phrase('Type'),
      phrase('Number'),
      phrase('Date'),
      phrase('Party'),
      phrase('Net'),
      phrase('VAT'),
      phrase('Total'),
      phrase('Currency'),
      phrase('File'),
    ].map((name) => textCell(phraseIn(language, name))),
  ];
  const titleCell = (kind: WorkerInvoiceKind) => textCell(phraseIn(language, invoiceTitles[kind]));
  const decimal = (minor: number, currency: Currency) => decimalIn(language, decimalOf(minor, currency));
  for (const row of invoices) {
    const { printedNumber, content, currency } = row;
    const sign = row.kind === 'credit_note' ? -1 : 1;
    const amounts = [row.netMinor, row.vatMinor, row.netMinor + row.vatMinor];
    index.push([
      titleCell(row.kind),
      printedNumber,
      content.issuedOn,
      textCell(content.seller.name),
      ...amounts.map((minor) => decimal(minor * sign, currency)),
      currency,
      `${printedNumber}.pdf`,
    ]);
    addPdf(`${printedNumber}.pdf`, () => print({ invoice: row, language }));
    zip.addBuffer(Buffer.from(invoiceXml(row)), `${printedNumber}.xml`);
  }
  for (const row of workerInvoices) {
    const { printedNumber, content, currency } = row;
    const sign = isCredit(row) ? -1 : 1;
    index.push([
      titleCell(row.kind),
      printedNumber,
      content.issuedOn,
      textCell(content.seller.name),
      ...[row.netMinor, row.vatMinor, row.paidMinor].map((minor) =>
        decimal(minor * sign, currency as Currency),
      ),
      currency,
      `${printedNumber}.pdf`,
    ]);
    addPdf(`${printedNumber}.pdf`, () => print({ workerInvoice: row, language }));
    if (!isProForma(row)) zip.addBuffer(Buffer.from(workerInvoiceXml(row)), `${printedNumber}.xml`);
  }
  for (const row of receipts) {
    const amount = decimal(row.amountMinor, row.currency);
    const day = dayIn(timeZone, row.issuedAt);
    index.push([
      textCell(phraseIn(language, phrase('Receipt'))),
      row.printedNumber,
      day,
      textCell(row.content.workerName),
      amount,
      '',
      amount,
      row.currency,
      row.fileName,
    ]);
    addPdf(row.fileName, () => print({ receipt: row, language }));
  }
  const lines = index.map((cells) => `${cells.join(separatorIn(language))}\r\n`);
  zip.addBuffer(Buffer.from(csvMark + lines.join('')), 'index.csv');
  zip.end();
  return { name: monthFileName(ticket.month), mediaType: 'application/zip', body: output };
}

async function readAll(db: Db, ticket: StatementTicket): Promise<AllRead> {
  const account =
    ticket.kind === 'worker'
      ? await workerAccount(db, ticket.id, ticket.currency)
      : await openBusinessAccount(db, ticket.id, ticket.currency);
  const max = maxRows(ticket.format);
  const statement = await readStatement(db, account, ticket, max + 1);
  // The statement may have grown since the link was issued; a file never omits lines.
  if (statement.lines.length > max) throw new AppError('statement/too-long', { limit: max });
  return { account, ...statement };
}

type AllRead = WholeStatement & { account: Account };

const rowsAtOnce = 500;

function csvOf(
  lines: readonly ExportedLine[],
  { timeZone }: Account,
  language: Language,
): NodeJS.ReadableStream {
  function* pieces() {
    yield csvMark + csvHead(language);
    for (let at = 0; at < lines.length; at += rowsAtOnce)
      yield lines
        .slice(at, at + rowsAtOnce)
        .map((line) =>
          csvRow(
            {
              ...line,
              at: stampText(line.at, timeZone),
              kind: textCell(phraseIn(language, kindText[line.kind])),
              status: line.status === null ? '' : textCell(phraseIn(language, statusText[line.status])),
            },
            language,
          ),
        )
        .join('');
  }
  return Readable.from(pieces(), { objectMode: false });
}

async function pdfOf(
  { account, lines, sums, owedMinor }: AllRead,
  ticket: StatementTicket,
  now: Date,
): Promise<Buffer> {
  const { facts, holder, currency, timeZone } = account;
  const sideSums =
    holder.side === 'worker'
      ? [
          { name: phrase('Earned'), amountMinor: sums.earned },
          { name: phrase('Tips'), amountMinor: sums.tips },
          { name: phrase('Fees'), amountMinor: sums.fees },
          { name: phrase('Withdrawn'), amountMinor: sums.withdrawn },
        ]
      : [
          owedMinor === null
            ? { name: phrase('Balance'), amountMinor: sums.closing }
            : { name: phrase('Credit owed'), amountMinor: owedMinor },
          { name: phrase('Held'), amountMinor: sums.held },
          { name: phrase('Paid to people'), amountMinor: sums.earned + sums.tips },
          { name: phrase('Nearhand fees'), amountMinor: sums.fees },
        ];
  const { language } = ticket;
  const text = (message: Parameters<typeof phraseIn>[1]) => phraseIn(language, message);
  const begin = text(phrase('From the beginning'));
  const statement = {
    language,
    holder: facts.name,
    under: [facts.legalName ?? '', facts.address ?? ''].filter((line) => line !== ''),
    span:
      ticket.from === undefined && ticket.to === undefined
        ? begin
        : text(
            phrase('{from} to {to}', {
              from: ticket.from === undefined ? begin : dayText(ticket.from, language),
              to: ticket.to === undefined ? text(phrase('now')) : dayText(ticket.to, language),
            }),
          ),
    currency,
    timeZone,
    at: now,
    totals: [
      { name: phrase('Opening balance'), amountMinor: sums.opening },
      { name: phrase('In'), amountMinor: sums.came },
      { name: phrase('Out'), amountMinor: sums.went },
      { name: phrase('Closing balance'), amountMinor: sums.closing },
      ...sideSums,
    ],
    lines: lines.map((line) => ({
      ...line,
      documents: documentsOf(line.work ?? noWork),
    })),
  };
  return print({ statement });
}

/** A leading apostrophe keeps a spreadsheet from running user-written text as a formula (`Bar;=1+1`). */
export const textCell = (text: string): string =>
  quoted(text.replace(/(^|[;|\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/gu, "$1'$2").replace(/^(?=[\t\r\n])/u, "'"));

const quoted = (text: string): string => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Spreadsheets recognize UTF-8 by the byte order mark. */
const csvMark = '\uFEFF';

const names = [
  phrase('Date'),
  phrase('Entry'),
  phrase('Party'),
  phrase('For'),
  phrase('Status'),
  phrase('Gross'),
  phrase('Fee'),
  phrase('Amount'),
  phrase('Balance'),
  phrase('Currency'),
  phrase('Entry number'),
  phrase('Hours'),
  phrase('Break in minutes'),
  phrase('Pay per hour'),
  phrase('Branch'),
  phrase('Receipt'),
  phrase('Invoice'),
  phrase('Credit owed'),
];

/** Spreadsheets in these languages read the comma as the decimal sign, so a semicolon separates the cells. */
const separatorIn = (language: Language): ',' | ';' => (['en', 'ar'].includes(language) ? ',' : ';');

const decimalIn = (language: Language, text: string): string =>
  text.replace('.', separatorIn(language) === ';' ? ',' : '.');

const csvHead = (language: Language): string =>
  `${names.map((name) => textCell(phraseIn(language, name))).join(separatorIn(language))}\r\n`;

const noWork: PaidWork = {
  minutes: null,
  breakMinutes: null,
  hourMinor: null,
  branch: null,
  receiptNumber: null,
  invoiceNumber: null,
};

/** The receipt and the invoice of a line; empty if there are none. */
const documentsOf = ({ receiptNumber: receipt, invoiceNumber: invoice }: PaidWork): [string, string] => [
  receipt === null ? '' : receiptNumber(receipt),
  invoice === null ? '' : invoiceNumber(invoice),
];

/** A statement line for spreadsheets. Text that a spreadsheet would run as a formula is quoted. */
export function csvRow(
  line: {
    id: string;
    at: string;
    kind: string;
    party: string | null;
    about: string;
    status: string;
    grossMinor: number;
    feeMinor: number;
    amountMinor: number;
    balanceMinor: number;
    currency: Currency;
    work: PaidWork | null;
    owedMinor: number | null;
  },
  language: Language,
): string {
  const separator = separatorIn(language);
  const decimal = (text: string) => decimalIn(language, text);
  const amounts = [line.grossMinor, line.feeMinor, line.amountMinor, line.balanceMinor];
  const work = line.work ?? noWork;
  const { minutes, breakMinutes, hourMinor, branch } = work;
  const cells = [
    line.at,
    line.kind,
    textCell(line.party ?? ''),
    textCell(line.about),
    line.status,
    ...amounts.map((amount) => decimal(decimalOf(amount, line.currency))),
    line.currency,
    line.id,
    minutes === null ? '' : decimal(hoursText(minutes)),
    breakMinutes ?? '',
    hourMinor === null ? '' : decimal(decimalOf(hourMinor, line.currency)),
    textCell(branch ?? ''),
    ...documentsOf(work),
    line.owedMinor === null ? '' : decimal(decimalOf(line.owedMinor, line.currency)),
  ];
  return `${cells.join(separator)}\r\n`;
}
