import { currencies } from '@nearhand/contract/currencies';
import { languages } from '@nearhand/contract/languages';
import { limits } from '@nearhand/contract/limits';
import { businessGroups, workerGroups } from '@nearhand/contract/money/statement-groups.rules';
import { day, id } from '@nearhand/contract/operation';
import { z } from 'zod';

const filter = {
  currency: z.enum(currencies).optional(),
  from: day.optional(),
  to: day.optional(),
  format: z.enum(['csv', 'pdf']),
};

/** The reader's when the link was made; links of an older server have none. */
const language = z.enum(languages).default('en');

/** What a signed link hands out, while the session that asked for it goes on. */
export const ticket = z.discriminatedUnion('of', [
  z.object({ of: z.literal('worker'), session: id, id, language, group: z.enum(workerGroups), ...filter }),
  z.object({
    of: z.literal('business'),
    session: id,
    id,
    language,
    group: z.enum(businessGroups),
    ...filter,
  }),
  z.object({ of: z.literal('invoice'), session: id, id, language }),
]);
export type Ticket = z.infer<typeof ticket>;

/** `nearhand-statement-2026-11-01-to-2026-11-30.csv`, in characters that every file system accepts. */
export const statementFileName = (request: {
  from?: string | undefined;
  to?: string | undefined;
  format: 'csv' | 'pdf';
}): string => {
  const span = [request.from, request.to].every((edge) => edge === undefined)
    ? 'all'
    : `${request.from ?? 'begin'}-to-${request.to ?? 'now'}`;
  return `nearhand-statement-${span}.${request.format}`;
};

/** How many lines a file may have. It is built in one piece, and nobody reads more pages than that. */
export const maxRows = (format: 'csv' | 'pdf'): number =>
  format === 'pdf' ? limits.statementPdfRowsMax : limits.statementRowsMax;
