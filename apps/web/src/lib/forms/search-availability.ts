import { useLingui } from '@lingui/react/macro';
import { useOnline } from '../device/online.ts';

/** Disables an empty server-side search field offline and explains why (ADR 341). */
export function useSearchAvailability(words: string) {
  const { t } = useLingui();
  const online = useOnline();
  if (online || words !== '') return {};
  const reason = t`Needs a connection`;
  return { readOnly: true, placeholder: reason, 'aria-description': reason };
}
