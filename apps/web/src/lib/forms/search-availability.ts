import { useLingui } from '@lingui/react/macro';
import { useOnline } from '../device/online.ts';

/**
 * For a search field whose answers come from the server, after its other attributes: while it is empty and offline it can't be typed into, and says why in place
 * of its example (ADR 341). With words in it, it stays: what it finds without them may be on the device.
 */
export function useSearchAvailability(words: string) {
  const { t } = useLingui();
  const online = useOnline();
  if (online || words !== '') return {};
  const reason = t`Needs a connection`;
  return { readOnly: true, placeholder: reason, 'aria-description': reason };
}
