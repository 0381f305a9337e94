import { dataExports } from '@nearhand/contract/people/data-exports';
import { read, write } from '../../platform/http/bind.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { exportState, requestExport } from './data-exports.service.ts';
import { openExport } from './export-links.service.ts';

export const dataExportsRoutes = {
  get: read(dataExports.get, exportState),
  request: write(dataExports.request, requestExport),
};

/** `GET /data-exports/file?ticket=…`: the ZIP, for the signed-in account that asked for it. Outside the contract because it is not JSON. */
export const registerDataExports: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Querystring: { ticket?: unknown } }>(
    '/data-exports/file',
    { onRequest: limitReads },
    async (request, reply) => {
      const file = await openExport(db, scopeOf(request), request.query.ticket);
      return reply
        .header('content-type', 'application/zip')
        .header('content-length', file.bytes)
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .header('cache-control', 'private, no-store')
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex')
        .send(file.body);
    },
  );
};
