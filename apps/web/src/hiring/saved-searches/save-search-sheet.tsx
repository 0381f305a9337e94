import { useLingui } from '@lingui/react/macro';
import { savedSearchesPath } from '@nearhand/contract/hiring/saved-searches.rules';
import { useNavigate } from 'react-router';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { filtersText, suggestedName } from './saved-search.words.ts';
import { SavedSearchForm } from './saved-search-form.tsx';
import { type SearchToSave, useCreateSavedSearch } from './saved-searches.api.ts';

/** Names what Explore shows and chooses its alert. */
export default function SaveSearchSheet({
  open,
  onClose,
  search,
}: {
  open: boolean;
  onClose: () => void;
  search: SearchToSave;
}) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const create = useCreateSavedSearch();
  const { timeZone: _timeZone, ...filters } = search;
  return (
    <Sheet open={open} onClose={onClose} title={t`Save this search`}>
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
