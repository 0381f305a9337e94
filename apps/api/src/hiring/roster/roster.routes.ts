import { roster } from '@nearhand/contract/hiring/roster';
import { read, write } from '../../platform/http/bind.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { addShift, copyShifts, rosterWeek, sameShiftDays } from './roster.ts';
import { openRosterFile, rosterLink } from './roster-file.ts';

/** `GET /roster/file`, outside the contract: not JSON, and fetched by browsers without a session. */
export const registerRosterFile: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Querystring: { ticket?: unknown } }>(
    '/roster/file',
    { onRequest: limitReads },
    async (request, reply) => {
      const { name, body } = await openRosterFile(db, scopeOf(request), request.query.ticket);
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('cache-control', 'private, no-store')
        .header('referrer-policy', 'no-referrer')
        .header('x-robots-tag', 'noindex')
        .send(body);
    },
  );
};

export const rosterRoutes = {
  week: read(roster.week, rosterWeek),
  // A link expires after five minutes, so its response is not stored for replay.
  file: write(roster.file, rosterLink, { stored: false }),
  sameShiftDays: read(roster.sameShiftDays, sameShiftDays),
  add: write(roster.add, addShift),
  copy: write(roster.copy, copyShifts),
};
