import { Trans, useLingui } from '@lingui/react/macro';
import { savedSearchesPath } from '@nearhand/contract/hiring/saved-searches.rules';
import { useNavigate } from 'react-router';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { filtersText, suggestedName } from './saved-search.labels.ts';
import { SavedSearchForm } from './saved-search-form.tsx';
import { type SearchToSave, useCreateSavedSearch } from './saved-searches.api.ts';

export default function SaveSearchSheet({
  open,
  onClose,
  search,
  leavesOut,
}: {
  open: boolean;
  onClose: () => void;
  search: SearchToSave;
  /** True if the list has filters that a saved search doesn't keep. */
  leavesOut: boolean;
}) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const create = useCreateSavedSearch();
  const { timeZone: _timeZone, ...filters } = search;
  return (
    <Sheet open={open} onClose={onClose} title={t`Save this search`}>
      {leavesOut ? (
        <p className="sm mute">
          <Trans>“Only show” filters aren't saved. You'll hear of jobs without them, too.</Trans>
        </p>
      ) : null}
      {open ? (
        <SavedSearchForm
          start={{ name: suggestedName(search), alert: 'at_once' }}
          what={filtersText(search)}
          action={t`Save search`}
          onSend={async (values) => {
            await create.mutateAsync({ ...filters, ...values });
            onClose();
            showToast(t`Search saved`, {
              label: t`View`,
              run: () => navigate(savedSearchesPath),
            });
          }}
        />
      ) : null}
    </Sheet>
  );
}
