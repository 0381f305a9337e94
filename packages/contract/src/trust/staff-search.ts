import { z } from 'zod';
import { ledgerEntry } from '../money/corrections.ts';
import { id, instant, line, operation, pageInput, pageOf } from '../operation.ts';
import { sanction } from './sanctions.ts';
import { foundKinds, searchLimits } from './staff-search.rules.ts';

const kind = z.enum(foundKinds);

export const found = z.object({
  kind,
  id,
  /** Its name or title; of an engagement, the worker's name. */
  title: z.string(),
  status: z.string(),
  /** The business of a job; the job of an engagement. */
  of: z.string().nullable(),
  email: z.string().nullable(),
  createdAt: instant,
});
export type Found = z.infer<typeof found>;

export const foundRecord = z.object({
  item: found,
  /** Other facts, named by a code such as `registration_number`. */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
  related: z.array(found),
  sanctions: z.array(sanction),
});
export type FoundRecord = z.infer<typeof foundRecord>;

const words = line(searchLimits.wordsMax, searchLimits.wordsMin);

/** Operators' search outside the queue. Each access needs a case or a reason (ADR 193). */
export const staffSearch = {
  find: operation({
    access: 'operator',
    operator: { may: 'search', needs: 'reason' },
    errors: ['request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/search',
      summary: 'People, businesses, jobs or engagements by id, name or email, newest first',
    })
    .input(z.object({ kind, words, ...pageInput }))
    .output(pageOf(found)),
  get: operation({
    access: 'operator',
    operator: { may: 'search', needs: 'reason' },
    errors: ['search/not-found'],
  })
    .route({
      method: 'GET',
      path: '/operators/search/{kind}/{id}',
      summary: 'A person, business, job or engagement, what belongs to it, and decisions about it',
    })
    .input(z.object({ kind, id }))
    .output(foundRecord),
  entries: operation({
    access: 'operator',
    operator: { may: 'search-entries', needs: 'reason' },
    errors: ['request/bad-cursor'],
  })
    .route({
      method: 'GET',
      path: '/operators/entries',
      summary: 'Ledger entries of a person, business, engagement, payment or hold by its id, newest first',
    })
    .input(z.object({ recordId: id, ...pageInput }))
    .output(pageOf(ledgerEntry)),
};
