import { t } from '@lingui/core/macro';
import { labelParts } from '@nearhand/contract/browser-label';

/** A device's label in the language of the app: "Firefox on Linux". Names that people gave stay as they are. */
export function deviceName(label: string): string {
  const parts = labelParts(label);
  if (!parts) return label;
  const { browser, system } = parts;
  return t`${browser} on ${system}`;
}
