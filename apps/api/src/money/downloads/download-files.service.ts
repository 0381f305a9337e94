import { Readable } from 'node:stream';
import type { StatementLine } from '@nearhand/contract/money/statements';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { openInvoice } from '../invoices/invoices.service.ts';
import { readStatement, type WholeStatement } from '../statements/statement-export.service.ts';
import { type Account, openBusinessAccount, workerAccount } from '../statements/statement-span.service.ts';
import { maxRows, statementFileName, type Ticket } from './download-links.rules.ts';
import { openLink } from './download-links.service.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { kindWords, stampWords, statusWords } from './print-words.rules.ts';
import { csvHead, csvMark, csvRow } from './statement-csv.rules.ts';
import { statementPdf } from './statement-pdf.ts';

export type HandedFile = { name: string; mediaType: string; body: NodeJS.ReadableStream };
type StatementTicket = Exclude<Ticket, { of: 'invoice' }>;

/**
 * The file behind a signed link, for anyone who has the link. Links are given only to people who may see the file and expire after five
 * minutes.
 * @throws statement/link-expired, statement/not-found, statement/too-long
 */
export async function openDownload(db: Db, scope: Scope<Actor | null>, given: unknown): Promise<HandedFile> {
  const ticket = await openLink(db, scope, given);
  if (ticket.of === 'invoice') {
    const row = await openInvoice(db, ticket.id);
    if (!row) throw new AppError('statement/not-found');
    return { name: row.fileName, mediaType: 'application/pdf', body: invoicePdf(row) };
  }
  // Lines and totals of one snapshot.
  const read = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((tx) => readAll(tx, ticket));
  const name = statementFileName(ticket);
  return ticket.format === 'csv'
    ? { name, mediaType: 'text/csv; charset=utf-8', body: csvOf(read.lines, read.account) }
    : { name, mediaType: 'application/pdf', body: pdfOf(read, ticket, scope.clock.now()) };
}

async function readAll(db: Db, ticket: StatementTicket): Promise<AllRead> {
  const account =
    ticket.of === 'worker'
      ? await workerAccount(db, ticket.id, ticket.currency)
      : await openBusinessAccount(db, ticket.id, ticket.currency);
  const most = maxRows(ticket.format);
  const whole = await readStatement(db, account, ticket, most + 1);
  // The statement may have grown since the link was issued; a file never omits lines.
  if (whole.lines.length > most) throw new AppError('statement/too-long', { max: most });
  return { account, ...whole };
}

type AllRead = WholeStatement & { account: Account };

const rowsAtOnce = 500;

/** Streams the file, so its text is never in memory as a whole. */
function csvOf(lines: readonly StatementLine[], { timeZone }: Account): NodeJS.ReadableStream {
  function* pieces() {
    yield csvMark + csvHead;
    for (let at = 0; at < lines.length; at += rowsAtOnce)
      yield lines
        .slice(at, at + rowsAtOnce)
        .map((line) =>
          csvRow({
            ...line,
            at: stampWords(line.at, timeZone),
            kind: kindWords[line.kind],
            status: line.status === null ? '' : statusWords[line.status],
          }),
        )
        .join('');
  }
  return Readable.from(pieces(), { objectMode: false });
}

function pdfOf({ account, lines, sums }: AllRead, ticket: StatementTicket, now: Date): NodeJS.ReadableStream {
  const { facts, holder, currency, timeZone } = account;
  const own =
    holder.side === 'worker'
      ? [
          { name: 'Earned', amountMinor: sums.earned },
          { name: 'Tips', amountMinor: sums.tips },
          { name: 'Fees', amountMinor: sums.fees },
          { name: 'Withdrawn', amountMinor: sums.withdrawn },
        ]
      : [
          { name: 'Balance', amountMinor: sums.closing },
          { name: 'Held', amountMinor: sums.held },
          { name: 'Paid to people', amountMinor: sums.earned + sums.tips },
          { name: 'Nearhand fees', amountMinor: sums.fees },
        ];
  return statementPdf({
    holder: facts.name,
    under: [facts.legal_name ?? '', facts.address ?? ''].filter((line) => line !== ''),
    span:
      ticket.from === undefined && ticket.to === undefined
        ? 'From the beginning'
        : `${ticket.from ?? 'From the beginning'} to ${ticket.to ?? 'now'}`,
    currency,
    timeZone,
    at: now,
    totals: [
      { name: 'Opening balance', amountMinor: sums.opening },
      { name: 'In', amountMinor: sums.came },
      { name: 'Out', amountMinor: sums.went },
      { name: 'Closing balance', amountMinor: sums.closing },
      ...own,
    ],
    lines,
  });
}
