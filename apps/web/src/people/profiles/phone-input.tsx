import { isPhone } from '@nearhand/contract/people/contact.rules';
import type { Point } from '@nearhand/contract/people/places';
import { profileLimits } from '@nearhand/contract/people/profiles.rules';
import { useEffect, useState } from 'react';
import { phoneExample, phoneIn, usePhones } from '../../lib/forms/phone.ts';
import type { IconName } from '../../ui/art/icon-names.ts';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { pinCountry, useStartPlace } from '../places/places.api.ts';

type PhoneInputProps = {
  id: string;
  label: string;
  help: string;
  value: string;
  error?: string;
  onChange: (phone: string) => void;
  /** The country whose national numbers may be typed; if absent, that of the person's home. */
  near?: Point | null;
  optional?: boolean;
  icon?: IconName;
};

/**
 * A phone number in E.164. One typed as at home gets the country code when the field is left or the form
 * submitted.
 */
export function PhoneInput({ near, value, onChange, ...field }: PhoneInputProps) {
  const [used, setUsed] = useState(false);
  const [left, setLeft] = useState(false);
  const [country, setCountry] = useState<string | null>(null);
  const loaded = usePhones();
  const complete = () => {
    if (!country || value.trim() === '' || isPhone(value)) return;
    const whole = phoneIn(value, country);
    if (whole !== null) onChange(whole);
  };
  // The country and the numbering plans may arrive after the field was left.
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing must not be completed
  useEffect(() => {
    if (left) complete();
  }, [left, country, loaded]);
  return (
    <>
      {/* The list of places is large, so it loads on first use. */}
      {used ? <CountryOfPlace near={near ?? null} onCountry={setCountry} /> : null}
      <TextInput
        {...field}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={phoneExample}
        maxLength={profileLimits.phone}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onFocus={() => {
          setUsed(true);
          setLeft(false);
        }}
        onBlur={() => setLeft(true)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') complete();
        }}
      />
    </>
  );
}

/** Reports the country of a pin, or of the place where this person looks for work. */
function CountryOfPlace({ near, onCountry }: { near: Point | null; onCountry: (code: string) => void }) {
  const start = useStartPlace();
  const { lat, lng } = near ?? start ?? {};
  useEffect(() => {
    if (lat === undefined || lng === undefined) return;
    let isStale = false;
    void pinCountry({ lat, lng }).then((code) => {
      if (code && !isStale) onCountry(code);
    });
    return () => {
      isStale = true;
    };
  }, [lat, lng, onCountry]);
  return null;
}
