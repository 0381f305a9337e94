import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { FoundAddress, Point } from '@nearhand/contract/people/places';
import { useState } from 'react';
import { Icon } from '../../ui/art/icon.tsx';
import { useAddresses } from './use-addresses.ts';
import './places.css';

const noPlaces: readonly string[] = [];

/** Addresses that a typed street may mean; choosing one fills the street, the town and the pin. Nothing without a geocoder. */
export function StreetSuggestions({
  fieldId,
  typed,
  near,
  onPick,
}: {
  /** The field they belong to, which has the focus again when the list closes. */
  fieldId: string;
  typed: string;
  near: Point | null;
  onPick: (address: FoundAddress) => void;
}) {
  const { t } = useLingui();
  // What is in the field at first, and what was chosen, needs no suggestion.
  const [settled, setSettled] = useState(typed);
  const { items } = useAddresses(typed === settled ? '' : typed, near, noPlaces);
  const count = items.length;
  const close = (shown: string) => {
    document.getElementById(fieldId)?.focus();
    setSettled(shown);
  };
  return (
    <>
      {/* Always there: a screen reader announces what changes in it. */}
      <p role="status" className="vh">
        {count > 0
          ? t`${plural(count, { one: '# matching address below', other: '# matching addresses below' })}`
          : ''}
      </p>
      {count > 0 ? (
        <ul
          className="place-list"
          aria-label={t`Matching addresses`}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // The sheet or dialog around it stays open.
            event.stopPropagation();
            event.preventDefault();
            close(typed);
          }}
        >
          {items.map((address) => (
            <li key={`${address.lat} ${address.lng} ${address.label}`}>
              <button
                type="button"
                className="place-option"
                onClick={() => {
                  close(address.address ?? address.label);
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
      ) : null}
    </>
  );
}
