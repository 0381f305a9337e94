import { downloads } from '@nearhand/contract/money/downloads';
import { write } from '../../platform/http/bind.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { openDownload } from './download-files.ts';
import {
  businessStatementLink,
  invoiceLink,
  monthLink,
  receiptLink,
  statementLink,
  workerInvoiceLink,
} from './download-links.ts';

/** `GET /statement/file`, outside the contract: not JSON, and fetched by browsers without a session. */
export const registerDownloads: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Querystring: { ticket?: unknown } }>(
    '/statement/file',
    { onRequest: limitReads },
    async (request, reply) => {
      const file = await openDownload(db, scopeOf(request), request.query.ticket);
      return reply
        .header('content-type', file.mediaType)
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .header('cache-control', 'private, no-store')
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex')
        .send(file.body);
    },
  );
};

// A link expires after five minutes, so its response is not stored for replay.
export const downloadsRoutes = {
  statement: write(downloads.statement, statementLink, { stored: false }),
  businessStatement: write(downloads.businessStatement, businessStatementLink, { stored: false }),
  invoice: write(downloads.invoice, invoiceLink, { stored: false }),
  workerInvoice: write(downloads.workerInvoice, workerInvoiceLink, { stored: false }),
  month: write(downloads.month, monthLink, { stored: false }),
  receipt: write(downloads.receipt, receiptLink, { stored: false }),
};
