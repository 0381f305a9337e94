import type { TicketRef } from '@nearhand/contract/trust/tickets';
import type { TicketRefKind } from '@nearhand/contract/trust/tickets.rules';

/** What a page adds to a request: its path without what varies or was typed, and the record it shows. */
export type TicketContext = { page: string; refs: TicketRef[] };

const id = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const shown: readonly [RegExp, TicketRefKind][] = [
  [new RegExp(`^/tabs/menu/(?:my-work|jobs)/engagement/${id}$`), 'engagement'],
  [new RegExp(`^/tabs/menu/my-work/${id}$`), 'application'],
  [new RegExp(`^/(?:job-desc|job-apply-form|job-applicants|edit-job|job-applied-success)/${id}$`), 'job'],
  [new RegExp(`^/worker-details/${id}$`), 'worker'],
  [new RegExp(`^/interview\\?id=${id}$`), 'interview'],
  [new RegExp(`^/chat\\?c=${id}$`), 'conversation'],
];

/** The context of a page by its address. Ids go into the records alone, each of which the person can remove. */
export function contextOf(from: string): TicketContext {
  const [path = ''] = from.split(/[?#]/);
  if (!/^\/[\w/-]*$/.test(path)) return { page: '', refs: [] };
  const page = path.replace(new RegExp(`/${id}(?=/|$)`, 'g'), '');
  for (const [pattern, kind] of shown) {
    const found = pattern.exec(from)?.[1];
    if (found) return { page, refs: [{ kind, id: found }] };
  }
  return { page, refs: [] };
}
