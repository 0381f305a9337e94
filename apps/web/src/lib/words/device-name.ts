import { t } from '@lingui/core/macro';
import { labelParts } from '@nearhand/contract/browser-label';

export function deviceName(label: string): string {
  const parts = labelParts(label);
  if (!parts) return label;
  const { browser, system } = parts;
  return t`${browser} on ${system}`;
}
