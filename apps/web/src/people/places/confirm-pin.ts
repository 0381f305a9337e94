import { t } from '@lingui/core/macro';
import type { Point } from '@nearhand/contract/people/places';
import { countryName } from '../../lib/words/countries.ts';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { pinCountry } from './find-place.ts';

/**
 * Asks for confirmation if a pin is outside the country of the business, or far from any place.
 * @returns whether to use the pin
 */
export async function confirmPin(point: Point, country: string): Promise<boolean> {
  const pinned = await pinCountry(point);
  if (pinned === undefined || pinned === country) return true;
  const choice = await showAlert({
    tone: 'ask',
    title: t`Is the pin in the right place?`,
    message: pinned
      ? t`The pin is in ${countryName(pinned)}, and your business is in ${countryName(country)}.`
      : t`The pin is far from any town, and your business is in ${countryName(country)}.`,
    buttons: [
      { value: 'use', label: t`Use this pin` },
      { value: 'again', label: t`Choose another place` },
    ],
  });
  return choice === 'use';
}
