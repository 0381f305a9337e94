import type { OperatorContext } from '@nearhand/contract/operator-context';
import { type FoundKind, foundKinds } from '@nearhand/contract/trust/staff-search.rules';
import type { TicketRefKind } from '@nearhand/contract/trust/tickets.rules';
import type { IconName } from '../../ui/art/icon-names.ts';
import { withCase } from './access-reason.tsx';

export const foundText: Record<FoundKind, { one: string; many: string; icon: IconName }> = {
  person: { one: 'Person', many: 'People', icon: 'user' },
  business: { one: 'Business', many: 'Businesses', icon: 'storefront' },
  job: { one: 'Job', many: 'Jobs', icon: 'briefcase' },
  engagement: { one: 'Booked work', many: 'Booked work', icon: 'calendar-check' },
};

/** The kind of page that a record named in a request has, if any. */
export const foundKindOf = (kind: TicketRefKind): FoundKind | null =>
  kind === 'worker' ? 'person' : (foundKinds.find((foundKind) => foundKind === kind) ?? null);

export const foundRecordPath = (
  { kind, id }: { kind: FoundKind; id: string },
  access: OperatorContext | null,
): string => withCase(`/search/${kind}/${id}`, access);

export const logEntryPath = (entryId: string, access: OperatorContext | null): string =>
  withCase(`/entries/${entryId}`, access);

export const entriesPath = (recordId: string, access: OperatorContext | null): string =>
  withCase(`/search?what=entry&words=${recordId}`, access);
