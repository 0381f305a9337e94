import { sumOf } from '@nearhand/contract/arithmetic';
import type { LedgerEntry } from '@nearhand/contract/money/corrections';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { operatorMay } from '@nearhand/contract/operator-roles';
import type { Found, SearchResult } from '@nearhand/contract/trust/staff-search';
import {
  isRecordId,
  type SearchKind,
  searchKinds,
  searchLimits,
} from '@nearhand/contract/trust/staff-search.rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { pages } from '../../lib/api/query-options.ts';
import { formatDate, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList, SimilarOnly } from '../paged-list.tsx';
import { codeText, statusText } from '../queue/case.labels.ts';
import { FoundCases } from '../queue/queue-page.tsx';
import { useOperator } from '../sign-in/operator-session.ts';
import { AccessReasonGate } from './access-reason.tsx';
import { foundRecordPath, foundText, logEntryPath } from './search.labels.ts';

type What = 'all' | SearchKind | 'case' | 'entry';

/** Searches people, businesses, jobs, engagements, cases and ledger entries (ADR 175). */
export function SearchPage() {
  const [query, setQuery] = useSearchParams();
  const { roles } = useOperator();
  const readsTickets = operatorMay(roles, 'tickets');
  const records: readonly What[] = [
    'all',
    ...searchKinds.filter((kind) => kind !== 'ticket' || readsTickets),
    'case',
  ];
  const kinds = operatorMay(roles, 'search-entries') ? [...records, 'entry' as const] : records;
  const what = kinds.find((kind) => kind === query.get('what')) ?? 'all';
  const words = query.get('words') ?? '';
  const set = (next: { what?: What; words?: string }) => {
    const all = new URLSearchParams(query);
    for (const [name, value] of Object.entries(next)) all.set(name, value);
    setQuery(all, { replace: true });
  };
  return (
    <Page
      title="Search"
      lead="Records and cases by name, email, phone, number, id or the address of a page. Each view is in the log."
    >
      <div className="col g4">
        <AccessReasonGate>
          {(access) => (
            <>
              <Chips label="What" wrap>
                {kinds.map((value) => (
                  <Chip key={value} pressed={what === value} onClick={() => set({ what: value })}>
                    {whatText(value)}
                  </Chip>
                ))}
              </Chips>
              <SearchForm key={words} what={what} words={words} onSearch={(next) => set({ words: next })} />
              {words === '' || (what === 'entry' && !isRecordId(words)) ? null : what === 'entry' ? (
                <Entries recordId={words.toLowerCase()} access={access} />
              ) : (
                <>
                  {what === 'case' ? null : (
                    <Records kind={what === 'all' ? undefined : what} words={words} access={access} />
                  )}
                  {what === 'all' || what === 'case' ? <FoundCases text={words} /> : null}
                </>
              )}
            </>
          )}
        </AccessReasonGate>
      </div>
    </Page>
  );
}

const otherWhatText = { all: 'Everything', case: 'Cases', entry: 'Ledger' };

const whatText = (what: What): string =>
  what === 'all' || what === 'case' || what === 'entry' ? otherWhatText[what] : foundText[what].many;

const helps: Record<What, string> = {
  all: 'Part of a name or title, words of a request, an email, a phone number, the end of an IBAN, the number of a case, an invoice or a registration, the amount of an open bank transfer, an id, or the address of a page. The first few of each kind are listed.',
  person:
    'Name, also of a bank account’s holder, email, phone number, IBAN or its end, the number of an invoice, the id or reference of a withdrawal.',
  business:
    'Name, legal name, registration or VAT number, email, phone number, the number of an invoice, the reference of a bank transfer, or the id or reference of a payment by card.',
  job: 'Words of the title, the address of its page, or the id of the job or its business.',
  engagement:
    'Name, email or phone number of the worker, or the id of the work, its job, worker or business.',
  ticket:
    'Name or email of the author, also without an account, words of the subject or of their messages, numbers in them, its number, or an id. A request that is not confirmed by mail is found by its whole email address.',
  case: 'Number, title, or anything that finds a person or business it is about: open cases, then closed ones.',
  entry: 'The id of an entry, person, business, booked work, payment, withdrawal or hold.',
};

function SearchForm({
  what,
  words,
  onSearch,
}: {
  what: What;
  words: string;
  onSearch: (words: string) => void;
}) {
  const [text, setText] = useState(words);
  const [tried, setTried] = useState(false);
  const trimmed = text.trim();
  const problem =
    what === 'entry'
      ? isRecordId(trimmed)
        ? undefined
        : 'Enter an id.'
      : trimmed.length < searchLimits.wordsMin || trimmed.length > searchLimits.wordsMax
        ? `Enter ${searchLimits.wordsMin} to ${searchLimits.wordsMax} characters.`
        : undefined;
  return (
    <Form
      className="c-search"
      onSubmit={() => {
        setTried(true);
        if (!problem) onSearch(trimmed);
      }}
    >
      <TextInput
        label="Search for"
        help={helps[what]}
        type="search"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={searchLimits.wordsMax}
        value={text}
        error={tried || words !== '' ? problem : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Button kind="go" type="submit" icon="magnifying-glass">
        Search
      </Button>
    </Form>
  );
}

const nothing = (
  <EmptyState title="Nothing found">
    <p>Check the spelling, or search for something else.</p>
  </EmptyState>
);

type RecordsProps = { kind: SearchKind | undefined; words: string; access: OperatorContext };

function Records({ kind, words, access }: RecordsProps) {
  const query = useInfiniteQuery(
    apiQuery.staffSearch.find.infiniteOptions({
      ...pages,
      input: (cursor) => ({ cursor, kind, words }),
      context: { operator: access },
    }),
  );
  return (
    <PagedList
      query={query}
      label="Found"
      errorTitle="We couldn't search"
      empty={
        kind === undefined ? (
          <p className="c-pad mute">No person, business, job, booked work or request matches.</p>
        ) : (
          nothing
        )
      }
    >
      {(items) => (
        <>
          {items[0]?.similar ? <SimilarOnly /> : null}
          <ul className="c-cases">
            {items.map((item) => (
              <FoundRow key={`${item.kind} ${item.id}`} item={item} access={access} />
            ))}
          </ul>
        </>
      )}
    </PagedList>
  );
}

export function FoundRow({ item, access }: { item: Found | SearchResult; access: OperatorContext }) {
  // Its words are not shown before its author has confirmed the address.
  const isUnread = item.kind === 'ticket' && item.status === 'unconfirmed';
  return (
    <li className="c-case c-found">
      <span className="c-case-kind">
        <Icon name={foundText[item.kind].icon} />
      </span>
      <div className="c-case-what">
        {isUnread ? (
          <span className="strong">{item.title}</span>
        ) : (
          <Link className="c-case-link strong break" to={foundRecordPath(item, access)}>
            {item.title}
          </Link>
        )}
        <p className="sm mute break">
          {[foundText[item.kind].one, item.of, item.email, formatDate(item.createdAt, ownTimeZone())]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <Badge>{statusText(item.kind, item.status)}</Badge>
    </li>
  );
}

function Entries({ recordId, access }: { recordId: string; access: OperatorContext }) {
  const query = useInfiniteQuery(
    apiQuery.staffSearch.entries.infiniteOptions({
      ...pages,
      input: (cursor) => ({ cursor, recordId }),
      context: { operator: access },
    }),
  );
  return (
    <PagedList query={query} label="Ledger entries" errorTitle="We couldn't load the entries" empty={nothing}>
      {(entries) => (
        <ul className="c-cases">
          {entries.map((entry) => (
            <EntryRow key={entry.id} entry={entry} access={access} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function EntryRow({ entry, access }: { entry: LedgerEntry; access: OperatorContext }) {
  const credits = entry.lines.filter(({ amountMinor }) => amountMinor > 0);
  const total = sumOf(credits, ({ amountMinor }) => amountMinor);
  const to = credits.map(({ account, owner }) => owner?.name ?? codeText(account)).join(', ');
  return (
    <li className="c-case c-found">
      <span className="c-case-kind">
        <Icon name="hand-coins" />
      </span>
      <div className="c-case-what">
        <Link className="c-case-link strong" to={logEntryPath(entry.id, access)}>
          {codeText(entry.kind)}: {formatMoney(total, entry.currency)}
        </Link>
        <p className="sm mute break">
          To {to} · {formatDate(entry.at, ownTimeZone())}
        </p>
      </div>
      {entry.reversedBy ? <Badge tone="wait">Reversed</Badge> : null}
    </li>
  );
}
