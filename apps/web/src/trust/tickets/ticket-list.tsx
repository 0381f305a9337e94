import { useLingui } from '@lingui/react/macro';
import { ticketPath } from '@nearhand/contract/app-paths';
import { formatAgo } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { ticketStatusText } from './ticket.labels.ts';
import { useTickets } from './tickets.api.ts';

export function TicketList() {
  const { t, i18n } = useLingui();
  const query = useTickets();
  const tickets = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <section>
      <h2 className="h-s help-head">{t`My requests`}</h2>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={2} />}
        errorTitle={t`We couldn't load your requests`}
        isEmpty={() => tickets.length === 0}
        empty={<p className="mute">{t`What you write to us appears here with our answers.`}</p>}
      >
        {() => (
          <>
            <Card flush>
              {tickets.map(({ id, subject, status, updatedAt }) => (
                <ListRow
                  key={id}
                  to={ticketPath(id)}
                  title={<span dir="auto">{subject}</span>}
                  note={formatAgo(updatedAt)}
                  end={
                    <Badge tone={ticketStatusText[status].tone}>
                      {i18n._(ticketStatusText[status].text)}
                    </Badge>
                  }
                />
              ))}
            </Card>
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
    </section>
  );
}
