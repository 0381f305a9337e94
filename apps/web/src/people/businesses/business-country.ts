import { t } from '@lingui/core/macro';
import { businessCurrency } from '@nearhand/contract/people/country-currency.rules';
import { useEffect, useRef, useState } from 'react';
import { countryName, currencyNames } from '../../lib/words/countries.ts';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { confirmPin } from '../places/confirm-pin.ts';
import { pinCountry } from '../places/places.api.ts';
import type { BusinessForm } from './business-form.rules.ts';

type Located = Pick<BusinessForm, 'point' | 'countryCode'>;

export const currencyNote = (countryCode: string): string => {
  const currency = businessCurrency(countryCode);
  return t`You pay in ${currencyNames().of(currency) ?? currency} (${currency}).`;
};

/** Calls `onCountry` with the country of every new pin: country and currency follow it. */
export function useCountryOfPin(point: BusinessForm['point'], onCountry: (countryCode: string) => void) {
  const [first] = useState(point);
  const lastPoint = useRef(first);
  const latest = useRef(onCountry);
  latest.current = onCountry;
  useEffect(() => {
    if (point === null || (point.lat === lastPoint.current?.lat && point.lng === lastPoint.current.lng))
      return;
    lastPoint.current = point;
    let isStale = false;
    void pinCountry(point).then((country) => {
      if (country && !isStale) latest.current(country);
    });
    return () => {
      isStale = true;
    };
  }, [point]);
}

/**
 * Asks once if the chosen country contradicts the pin, which can be wrong near a border, or the pin is far
 * from any place. Null: keep editing.
 */
export function useCountryCheck(): (form: Located) => Promise<string | null> {
  const askedPins = useRef(new Set<string>());
  return async ({ point, countryCode }) => {
    const there = point ? await pinCountry(point) : undefined;
    const pair = `${there ?? `${point?.lat} ${point?.lng}`} ${countryCode}`;
    if (there === undefined || there === countryCode || askedPins.current.has(pair)) return countryCode;
    if (there === null) {
      if (!point || !(await confirmPin(point, countryCode))) return null;
      askedPins.current.add(pair);
      return countryCode;
    }
    askedPins.current.add(pair);
    const pinned = countryName(there);
    const chosen = countryName(countryCode);
    const choice = await showAlert({
      tone: 'ask',
      title: t`Which country is the business in?`,
      message: t`The pin says ${pinned}, the country field ${chosen}. With ${pinned} you pay in ${businessCurrency(there)}, with ${chosen} in ${businessCurrency(countryCode)}.`,
      buttons: [
        { value: 'pin', label: t`Use ${pinned}` },
        { value: 'chosen', label: t`Keep ${chosen}` },
      ],
    });
    if (choice === 'pin') return there;
    return choice === 'chosen' ? countryCode : null;
  };
}
