import type { OperatorContext } from '@nearhand/contract/operator-context';
import { type FoundKind, foundKinds, type SearchKind } from '@nearhand/contract/trust/staff-search.rules';
import type { TicketRefKind } from '@nearhand/contract/trust/tickets.rules';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import { codeText, countryName } from '../queue/case.labels.ts';
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
