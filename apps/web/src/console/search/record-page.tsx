import type { OperatorContext } from '@nearhand/contract/operator-context';
import { isCaseSubject } from '@nearhand/contract/operator-context';
import { operatorMay } from '@nearhand/contract/operator-roles';
import type { FoundRecord } from '@nearhand/contract/trust/staff-search';
import { type FoundKind, foundKinds } from '@nearhand/contract/trust/staff-search.rules';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { errorText } from '../../lib/api/error-text.ts';
import { formatAgo, formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { Facts, FactsCard } from '../case/facts-card.tsx';
import { apiQuery } from '../console-api.ts';
import { useOperator } from '../door/operator-session.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { Page } from '../page.tsx';
import { plainWords } from '../queue/case-words.ts';
import { EndSessions } from './end-sessions.tsx';
import { LookGate, lookPath, useLook } from './look.tsx';
import { ImposeSanction, SanctionList } from './sanctions.tsx';
import { FoundRow } from './search-page.tsx';
import { entriesPath, foundWords } from './search-words.ts';

/** A found person, business, job or engagement: what is known, what belongs to it, and decisions about it. */
export function RecordPage() {
  const { kind: named, id } = useParams();
  const kind = foundKinds.find((one) => one === named);
  const look = useLook();
  if (!kind || !isCaseSubject(id)) return <NotFoundPage />;
  return (
    <Page title={foundWords[kind].one} up={{ to: lookPath(`/search?what=${kind}`, look), label: 'Search' }}>
      <LookGate>{(context) => <Found key={id} kind={kind} id={id} look={context} />}</LookGate>
    </Page>
  );
}

function Found({ kind, id, look }: { kind: FoundKind; id: string; look: OperatorContext }) {
  const query = useQuery(
    apiQuery.staffSearch.get.queryOptions({ input: { kind, id }, context: { operator: look } }),
  );
  return (
    <QueryState
      query={query}
      loading={<PageSkeleton />}
      errorTitle="We couldn't load the record"
      describe={errorText}
      asOf={formatAgo}
    >
      {(record) => <Loaded record={record} look={look} onChange={() => query.refetch()} />}
    </QueryState>
  );
}

function Loaded({
  record,
  look,
  onChange,
}: {
  record: FoundRecord;
  look: OperatorContext;
  onChange: () => Promise<unknown>;
}) {
  const { roles } = useOperator();
  const { item, details, related, sanctions } = record;
  const moderates = operatorMay(roles, 'moderation');
  return (
    <div className="c-two mt3">
      <div className="col g4">
        <FactsCard title={item.title}>
          <Badge>{plainWords(item.status)}</Badge>
          <Facts
            rows={[
              [item.kind === 'engagement' ? 'Job' : 'Business', item.of],
              ['Email', item.email],
              ...details.map(({ name, value }): [string, string] => [plainWords(name), value]),
              ['Since', formatDayTime(item.createdAt, ownTimeZone())],
              ['Id', item.id],
            ]}
          />
          {operatorMay(roles, 'search-entries') && item.kind !== 'job' ? (
            <p className="mt3">
              <ButtonLink kind="out" size="s" icon="hand-coins" to={entriesPath(item.id, look)}>
                Ledger entries
              </ButtonLink>
            </p>
          ) : null}
        </FactsCard>
        {related.length > 0 ? (
          <section className="card flush" aria-label="What belongs to it">
            <ul className="c-cases">
              {related.map((one) => (
                <FoundRow key={`${one.kind} ${one.id}`} item={one} look={look} />
              ))}
            </ul>
          </section>
        ) : null}
      </div>
      {item.kind === 'engagement' ? null : (
        <div className="col g4">
          {moderates ? <ImposeSanction item={item} look={look} onChange={onChange} /> : null}
          {moderates && item.kind === 'person' ? <EndSessions accountId={item.id} look={look} /> : null}
          <SanctionList sanctions={sanctions} look={look} mayLift={moderates} onChange={onChange} />
        </div>
      )}
    </div>
  );
}
