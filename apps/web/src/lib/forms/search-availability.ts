import { useLingui } from '@lingui/react/macro';
import { useOnline } from '../device/online.ts';

/**
 * Attributes of a server-side search field. An empty field is disabled offline and says why (ADR 341); a
 * filled one may match data on the device.
 */
export function useSearchAvailability(words: string) {
  const { t } = useLingui();
  const online = useOnline();
  if (online || words !== '') return {};
  const reason = t`Needs a connection`;
  return { readOnly: true, placeholder: reason, 'aria-description': reason };
}
