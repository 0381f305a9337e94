import { isPhone } from '@nearhand/contract/people/contact.rules';
import type { Point } from '@nearhand/contract/people/places';
import { profileLimits } from '@nearhand/contract/people/profiles.rules';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { afterPress } from '../../lib/forms/guard-double-click.ts';
import { countryOfPhone, phoneExample, phoneIn, spacedPhone, usePhones } from '../../lib/forms/phone.ts';
import { useUser } from '../../lib/session.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { useMyBusinesses } from '../businesses/businesses.api.ts';
import { pinCountry, useStartPlace } from '../places/places.api.ts';

type PhoneInputProps = {
  id: string;
  label: string;
  help: string;
  value: string;
  error?: string;
  onChange: (phone: string) => void;
  /** Numbers without a country code belong to the country of this place; without one, to the person's own country. */
  near?: Point | null;
  optional?: boolean;
  icon?: IconName;
};

/**
 * A phone number in E.164, shown with its spaces. One typed as at home gets the country code when the field is left or
 * the form submitted.
 */
export function PhoneInput({ near, value, error, onChange, ...field }: PhoneInputProps) {
  const [wasFocused, setWasFocused] = useState(false);
  const [isTyping, setIsTyping] = useState(false);
  const [isLeft, setIsLeft] = useState(false);
  const [country, setCountry] = useState<string | null>(null);
  const plansLoaded = usePhones();
  const completed = country && value.trim() !== '' && !isPhone(value) ? phoneIn(value, country) : null;
  const shownError = completed === null ? error : undefined;
  const complete = () => {
    if (completed !== null) onChange(completed);
  };
  // The country and the numbering plans may arrive after the field was left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing must not be completed
  useEffect(() => {
    if (isLeft) complete();
  }, [isLeft, country, plansLoaded]);
  return (
    <>
      {/* The list of places is large, so it loads on first use. */}
      {wasFocused ? <CountryOfPerson near={near ?? null} onCountry={setCountry} /> : null}
      <TextInput
        {...field}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={phoneExample}
        maxLength={profileLimits.phone}
        error={shownError}
        value={isTyping || !isPhone(value) ? value : spacedPhone(value)}
        onChange={(event) => {
          setIsTyping(true);
          onChange(event.target.value);
        }}
        onFocus={() => {
          setWasFocused(true);
          setIsLeft(false);
        }}
        onBlur={() => {
          setIsTyping(false);
          // No message goes away, so a pressed button stays where it is, and it submits the whole number.
          complete();
          afterPress(() => setIsLeft(true));
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') complete();
        }}
      />
    </>
  );
}

/**
 * Reports the country whose national numbers this person types: that of the pin if there is one, otherwise of their
 * home, their saved number or their businesses, and only then of the place where they look for work.
 */
function CountryOfPerson({ near, onCountry }: { near: Point | null; onCountry: (code: string) => void }) {
  const isVerified = useUser()?.emailVerified === true;
  const profile = useQuery(apiQuery.profiles.mine.queryOptions({ enabled: near === null && isVerified }));
  const businesses = useMyBusinesses();
  const start = useStartPlace();
  const plansLoaded = usePhones();
  const pin: Point | null = near ?? profile.data?.home ?? null;
  const savedCountry = plansLoaded ? countryOfPhone(profile.data?.phone ?? '') : null;
  const countries = new Set(businesses.data?.map(({ countryCode }) => countryCode));
  const country = pin ? null : (savedCountry ?? (countries.size === 1 ? [...countries][0] : null));
  const { lat, lng } = pin ?? start ?? {};
  const isPending = near === null && (profile.isLoading || businesses.isLoading || !plansLoaded);
  useEffect(() => {
    if (isPending) return;
    if (country) return onCountry(country);
    if (lat === undefined || lng === undefined) return;
    let isStale = false;
    void pinCountry({ lat, lng }).then((code) => {
      if (code && !isStale) onCountry(code);
    });
    return () => {
      isStale = true;
    };
  }, [country, isPending, lat, lng, onCountry]);
  return null;
}
