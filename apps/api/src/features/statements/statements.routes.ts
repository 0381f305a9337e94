import { statements } from '@nearhand/contract/statements';
import { read, writeUnkept } from '../../platform/http/bind.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { listInvoices } from './invoices.service.ts';
import { openStatementFile } from './statement-files.service.ts';
import { businessStatementLink, invoiceLink, statementLink } from './statement-links.service.ts';
import { myYear } from './statement-year.service.ts';
import { businessLine, businessStatement, myLine, myStatement } from './statements.service.ts';

export const statementsRoutes = {
  mine: read(statements.mine, myStatement),
  line: read(statements.line, myLine),
  forBusiness: read(statements.forBusiness, businessStatement),
  businessLine: read(statements.businessLine, businessLine),
  // A link is worth nothing after five minutes, so its answer is not kept to be repeated.
  link: writeUnkept(statements.link, statementLink),
  businessLink: writeUnkept(statements.businessLink, businessStatementLink),
  year: read(statements.year, myYear),
  invoices: read(statements.invoices, listInvoices),
  invoiceLink: writeUnkept(statements.invoiceLink, invoiceLink),
};

/** `GET /statement/file`: the file of a signed link, outside the contract since it is not JSON, and without a session since a browser or a phone fetches it by itself. */
export const registerStatementFiles: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Querystring: { ticket?: unknown } }>(
    '/statement/file',
    { onRequest: limitReads },
    async (request, reply) => {
      const file = await openStatementFile(db, scopeOf(request), request.query.ticket);
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
