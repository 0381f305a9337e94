import type { Report } from '@nearhand/contract/trust/reports';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { createReport } from './reports.ts';

export const makeReport = (
  db: Db,
  scope: Scope,
  subjectId: string,
  words: Partial<Parameters<typeof createReport>[2]> = {},
): Promise<Report> =>
  db.transaction().execute((tx) =>
    createReport(tx, scope, {
      kind: 'job',
      subjectId,
      reason: 'scam',
      note: 'They asked me to pay for a uniform.',
      fileIds: [],
      ...words,
    }),
  );
