import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { errorText } from '../../lib/api/error-text.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useSignInHistory } from './sessions.api.ts';
import { eventNote, eventTitle } from './sessions-words.ts';

/** Sign-ins, failed tries and changes of the last 90 days. */
export function SignInHistory({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const query = useSignInHistory(open);
  return (
    <Sheet open={open} onClose={onClose} title={t`Sign-in history`}>
      <p className="mute">{t`The last ${limits.signInHistoryDays} days. If you don't recognize something, change your password.`}</p>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your history`}
        describe={errorText}
        asOf={formatAgo}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<p className="mt4">{t`Nothing yet. Your next sign-in will be listed here.`}</p>}
      >
        {({ pages }) => (
          <ul className="settings-list mt4">
            {pages
              .flatMap(({ items }) => items)
              .map((event) => (
                <li key={event.id} className="li">
                  <Icon
                    name={event.kind === 'failed' || event.newDevice ? 'warning' : 'shield-check'}
                    className="mute"
                  />
                  <span className="grow">
                    <span className="t block">{eventTitle(event)}</span>
                    <span className="sm mute block">{eventNote(event)}</span>
                  </span>
                </li>
              ))}
          </ul>
        )}
      </QueryState>
      {query.data ? <LoadMore query={query} /> : null}
    </Sheet>
  );
}
