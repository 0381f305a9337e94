import { useLingui } from '@lingui/react/macro';
import { saveParameter } from '@nearhand/contract/app-paths';
import { savedSearchesPath } from '@nearhand/contract/hiring/saved-searches.rules';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useUser } from '../../lib/session.ts';
import { Chip } from '../../ui/controls/chip.tsx';
import { type SearchToSave, useSavedSearches } from './saved-searches.api.ts';

const SaveSearchSheet = lazyPart(() => import('./save-search-sheet.tsx'));

const compared = [
  'lat',
  'lng',
  'radiusKm',
  'category',
  'kind',
  'minPay',
  'minTotal',
  'weekdays',
  'startsFrom',
  'endsBy',
  'maxMinutes',
  'from',
  'to',
  'q',
] as const;

/**
 * Saves the shown search once. Guests sign in first, return and continue. `leavesOut`: some filters are not
 * saved.
 */
export function useSaveSearch(
  search: SearchToSave | null,
  leavesOut = false,
): {
  saved: boolean;
  press: () => void;
  sheet: ReactNode;
} {
  const user = useUser();
  const navigate = useNavigate();
  const { search: query } = useLocation();
  const { data } = useSavedSearches();
  const [open, setOpen] = useState(false);
  const opened = useRef(false);
  opened.current ||= open;
  const saved =
    search !== null &&
    data?.some((savedSearch) => compared.every((key) => String(savedSearch[key]) === String(search[key])));
  useEffect(() => {
    if (user && new URLSearchParams(query).has(saveParameter)) setOpen(true);
  }, [user, query]);
  const press = () => {
    if (user) return saved ? navigate(savedSearchesPath) : setOpen(true);
    // The filters are in the page's address, but not in the router's.
    const { pathname, search: filters } = globalThis.location;
    const next = `${pathname}${filters}${filters ? '&' : '?'}${saveParameter}=1`;
    navigate(`/getting-started?next=${encodeURIComponent(next)}`);
  };
  return {
    saved: saved === true,
    press,
    sheet:
      opened.current && search ? (
        <Suspense fallback={null}>
          <SaveSearchSheet open={open} onClose={() => setOpen(false)} search={search} leavesOut={leavesOut} />
        </Suspense>
      ) : null,
  };
}

export function SaveSearchChip({ saved, onPress }: { saved: boolean; onPress: () => void }) {
  const { t } = useLingui();
  return (
    <Chip icon={saved ? 'bell-ringing' : 'bell'} needsNetwork={!saved} onClick={onPress}>
      {saved ? t`Search saved` : t`Save search`}
    </Chip>
  );
}
