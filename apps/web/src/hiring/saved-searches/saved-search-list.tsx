import { Trans, useLingui } from '@lingui/react/macro';
import { dayIn } from '@nearhand/contract/durations';
import type { SavedSearch } from '@nearhand/contract/hiring/saved-searches';
import { searchPath } from '@nearhand/contract/hiring/saved-searches.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { alertText, filtersText, isOverSearch } from './saved-search.labels.ts';
import { SavedSearchForm } from './saved-search-form.tsx';
import {
  useRemoveSavedSearch,
  useRestoreSavedSearch,
  useSavedSearches,
  useUpdateSavedSearch,
} from './saved-searches.api.ts';

export function SavedSearchList() {
  const { t } = useLingui();
  const query = useSavedSearches();
  const [edited, setEdited] = useState<SavedSearch | null>(null);
  const [editing, setEditing] = useState(false);
  return (
    <>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={3} />}
        errorTitle={t`We couldn't load your searches`}
        isEmpty={(searches) => searches.length === 0}
        empty={<NoSearches />}
      >
        {(searches) => (
          <ul className="col">
            {searches.map((search) => (
              <SearchCard
                key={search.id}
                search={search}
                onEdit={() => {
                  setEdited(search);
                  setEditing(true);
                }}
              />
            ))}
          </ul>
        )}
      </QueryState>
      <EditSheet search={edited} open={editing} onClose={() => setEditing(false)} />
    </>
  );
}

function SearchCard({ search, onEdit }: { search: SavedSearch; onEdit: () => void }) {
  const { t } = useLingui();
  const remove = useRemoveSavedSearch();
  const restore = useRestoreSavedSearch();
  const savedSearchId = search.id;
  const undo = () =>
    restore.mutateAsync({ savedSearchId }).catch((error: unknown) => showToast(errorText(error)));
  const press = async () => {
    try {
      await remove.mutateAsync({ savedSearchId });
      showToast(t`Search removed`, { label: t`Undo`, run: () => void undo() });
    } catch (error) {
      showToast(errorText(error));
    }
  };
  const isOff = search.alert === 'off';
  return (
    <Card as="li">
      <div className="row top">
        <div className="grow">
          <h3 className="h-s break">
            <Link className="link" to={searchPath(search)}>
              {search.name}
            </Link>
          </h3>
          <p className="sm mute break mt1">{filtersText(search)}</p>
          {isOverSearch(search, dayIn(search.timeZone, new Date())) ? (
            <p className="mt2">
              <Badge tone="wait">{t`These days have passed`}</Badge>
            </p>
          ) : null}
        </div>
        <IconButton icon="trash" label={t`Remove ${search.name}`} needsNetwork onClick={() => void press()} />
      </div>
      <div className="row wrap mt2">
        <Button
          kind="out"
          size="s"
          icon={isOff ? 'bell-slash' : 'bell-ringing'}
          needsNetwork
          onClick={onEdit}
        >
          {alertText(search.alert)}
          <span className="vh">
            <Trans>, edit {search.name}</Trans>
          </span>
        </Button>
      </div>
    </Card>
  );
}

function EditSheet({
  search,
  open,
  onClose,
}: {
  search: SavedSearch | null;
  open: boolean;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const update = useUpdateSavedSearch();
  return (
    <Sheet open={open} onClose={onClose} title={t`Edit search`}>
      {search && open ? (
        <SavedSearchForm
          start={{ name: search.name, alert: search.alert }}
          what={filtersText(search)}
          action={t`Save changes`}
          onSend={async (values) => {
            await update.mutateAsync({ savedSearchId: search.id, ...values });
            onClose();
          }}
        />
      ) : null}
    </Sheet>
  );
}

function NoSearches() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No saved searches yet`}
      actions={
        <ButtonLink kind="out" full to="/tabs/menu/explore">
          {t`Search nearby`}
        </ButtonLink>
      }
    >
      <p>{t`Save a search in Explore, and we'll tell you about new jobs.`}</p>
    </EmptyState>
  );
}
