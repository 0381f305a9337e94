import { useLingui } from '@lingui/react/macro';
import type { FoundAddress, Point } from '@nearhand/contract/people/places';
import { useState } from 'react';
import { Icon } from '../../ui/art/icon.tsx';
import { useAddresses } from './use-addresses.ts';
import './places.css';

const noPlaces: readonly string[] = [];

/** Addresses that a typed street may mean; choosing one fills the street, the town and the pin. Nothing without a geocoder. */
export function StreetSuggestions({
  typed,
  near,
  onPick,
}: {
  typed: string;
  near: Point | null;
  onPick: (address: FoundAddress) => void;
}) {
  const { t } = useLingui();
  // What is in the field at first, and what was chosen, needs no suggestion.
  const [settled, setSettled] = useState(typed);
  const { items } = useAddresses(typed === settled ? '' : typed, near, noPlaces);
  if (items.length === 0) return null;
  return (
    <ul className="place-list" aria-label={t`Matching addresses`}>
      {items.map((address) => (
        <li key={`${address.lat} ${address.lng} ${address.label}`}>
          <button
            type="button"
            className="place-option"
            onClick={() => {
              setSettled(address.address ?? address.label);
              onPick(address);
            }}
          >
            <Icon name="map-pin" className="mute" />
            <span className="grow">
              <span className="mid block">{address.label}</span>
              <span className="sm mute block">{address.detail}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
