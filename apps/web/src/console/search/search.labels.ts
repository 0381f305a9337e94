import type { OperatorContext } from '@nearhand/contract/operator-context';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';
import type { Found } from '@nearhand/contract/trust/staff-search';
import { type FoundKind, foundKinds, type SearchKind } from '@nearhand/contract/trust/staff-search.rules';
import type { TicketRefKind, TicketStatus } from '@nearhand/contract/trust/tickets.rules';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import { businessStatusText, codeText, countryName } from '../queue/case.labels.ts';
import { withCase } from './access-reason.tsx';

export const foundText: Record<SearchKind, { one: string; many: string; icon: IconName }> = {
  person: { one: 'Person', many: 'People', icon: 'user' },
  business: { one: 'Business', many: 'Businesses', icon: 'storefront' },
  job: { one: 'Job', many: 'Jobs', icon: 'briefcase' },
  engagement: { one: 'Booked work', many: 'Booked work', icon: 'calendar-check' },
  ticket: { one: 'Request', many: 'Requests', icon: 'ticket' },
};

/** The kind of search result that opens a record linked in a support request; null if it has no page. */
export const foundKindOf = (kind: TicketRefKind): FoundKind | null =>
  kind === 'worker' ? 'person' : (foundKinds.find((foundKind) => foundKind === kind) ?? null);

export const foundRecordPath = (
  { kind, id }: { kind: SearchKind; id: string },
  access: OperatorContext | null,
): string => withCase(`/search/${kind}/${id}`, access);

export const logEntryPath = (entryId: string, access: OperatorContext | null): string =>
  withCase(`/entries/${entryId}`, access);

export const entriesPath = (recordId: string, access: OperatorContext | null): string =>
  withCase(`/search?what=entry&words=${recordId}`, access);

const ticketStatuses: Record<TicketStatus, string> = {
  unconfirmed: 'Not confirmed by mail',
  open: 'Waiting for our answer',
  waiting: 'Waiting for their reply',
  solved: 'Solved',
};

/** An account's status is about its email only; the documents of a person are among the checks. */
const accountStatuses: Record<string, string> = {
  verified: 'Email confirmed',
  unverified: 'Email not confirmed',
};

export const ticketStatusText = (status: TicketStatus): string => ticketStatuses[status];

/** The status of a record in words, which those of a request or a business need. */
export function statusText({ kind, status }: { kind: SearchKind; status: Found['status'] }): string {
  if (kind === 'ticket') return ticketStatusText(status as TicketStatus);
  if (kind === 'person') return accountStatuses[status] ?? codeText(status);
  return kind === 'business' ? businessStatusText[status as BusinessStatus] : codeText(status);
}

const detailNames: Record<string, string> = {
  legal_name: 'Legal name',
  registration_number: 'Registration number',
  vat_id: 'VAT number',
  address: 'Address',
};
/** The name of a detail of a record. */
export const detailName = (name: string): string => detailNames[name] ?? codeText(name);

/** A detail of a record in words: a time in the operator's zone, a country, and the words of a code. */
export const detailText = (name: string, value: string): string => {
  if (name === 'country') return countryName(value);
  if (name === 'starts' || name === 'ends') return formatDate(value, ownTimeZone());
  return name === 'kind' || name === 'funding' ? codeText(value) : value;
};
