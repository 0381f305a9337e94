import {
  applicantsPath,
  applicationPath,
  conversationPath,
  engagementPath,
  interviewPath,
  jobPath,
} from '@nearhand/contract/app-paths';
import type { TicketRef } from '@nearhand/contract/trust/tickets';
import type { TicketRefKind } from '@nearhand/contract/trust/tickets.rules';

/** The context that a page adds to a request: its path without ids and typed text, and the record it shows. */
export type TicketContext = { page: string; refs: TicketRef[] };

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The pages that show one record; `app/routes.test.ts` checks that they exist. */
export const recordPages: readonly [path: (id: string) => string, TicketRefKind][] = [
  [(id) => engagementPath(id, 'worker'), 'engagement'],
  [(id) => engagementPath(id, 'business'), 'engagement'],
  [applicationPath, 'application'],
  [jobPath, 'job'],
  [(id) => applicantsPath(id, null), 'job'],
  [(id) => `/job-apply-form/${id}`, 'job'],
  [(id) => `/job-applied-success/${id}`, 'job'],
  [(id) => `/edit-job/${id}`, 'job'],
  [(id) => `/worker-details/${id}`, 'worker'],
  [interviewPath, 'interview'],
  [conversationPath, 'conversation'],
];

/** The context of a page by its address. Ids appear only in the records, each of which the person can remove. */
export function contextOf(from: string): TicketContext {
  const [path = ''] = from.split(/[?#]/);
  if (!/^\/[\w/-]*$/.test(path)) return { page: '', refs: [] };
  const page = path.replace(new RegExp(`/${uuid.source}(?=/|$)`, 'g'), '');
  const [id] = uuid.exec(from) ?? [];
  const recordPage = recordPages.find(([pathOf]) => id !== undefined && pathOf(id) === from);
  return { page, refs: id && recordPage ? [{ kind: recordPage[1], id }] : [] };
}
