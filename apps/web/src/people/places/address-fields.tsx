import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { FoundAddress, Point } from '@nearhand/contract/people/places';
import { type ReactNode, useState } from 'react';
import { zoneOptions } from '../../lib/words/zoned-time.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Switch } from '../../ui/controls/choices.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { confirmPin } from './confirm-pin.ts';
import { DeviceButton } from './device-button.tsx';
import { PlaceField } from './place-field.tsx';
import { useMapSettings, useStartPlace } from './start-place.ts';
import { useAddresses } from './use-addresses.ts';
import './places.css';

type TypedAddress = {
  address: string;
  area: string;
  point: { lat: number; lng: number } | null;
  privateAddress: boolean;
  /** An empty value means the pin's time zone. */
  timeZone: string;
};

type AddressFieldsProps = {
  value: TypedAddress;
  onChange: (part: Partial<TypedAddress>) => void;
  errors: { point?: string; address?: string; area?: string };
  idOf: (field: 'point' | 'address' | 'area') => string;
  pin: { title: string; help: string };
  privateHelp: string;
  /**
   * The country of the business (ISO 3166-1): a pin in another country needs confirmation. Absent if the
   * country follows the pin.
   */
  country?: string;
  /** True if it's the user's own address, so that the browser may autofill it. */
  own?: boolean;
  children?: ReactNode;
};

/** Pin, street, town and privacy. An empty town is filled from the first pin. */
export function AddressFields(props: AddressFieldsProps) {
  const { t } = useLingui();
  const { value, onChange, errors, idOf, own = false } = props;
  const { point, address, area } = value;
  const start = useStartPlace();
  const { country } = props;
  const hasAddressSearch = useMapSettings().data?.addressSearch === true;
  // Without a geocoder only towns are found.
  const searchText = (hasAddressSearch ? [address, area] : [area])
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(', ');
  const pin = point && `${point.lat} ${point.lng}`;
  const [pinned, setPinned] = useState({ pin, searchText });
  if (pinned.pin !== pin) setPinned({ pin, searchText });
  const choosePlace = async (place: { lat: number; lng: number; label: string }) => {
    if (country && !(await confirmPin(place, country))) return;
    onChange({
      point: { lat: place.lat, lng: place.lng },
      timeZone: '',
      ...(area.trim() === '' ? { area: place.label.slice(0, limits.areaMax) } : {}),
    });
  };
  const label =
    (hasAddressSearch ? address.trim() : '') ||
    area.trim() ||
    address.trim() ||
    (point ? `${point.lat.toFixed(4)}, ${point.lng.toFixed(4)}` : '');
  const street = (
    <div>
      <TextInput
        id={idOf('address')}
        label={t`Street and number`}
        autoComplete={own ? 'street-address' : 'off'}
        value={address}
        error={errors.address}
        onChange={(event) => onChange({ address: event.target.value })}
      />
      <StreetSuggestions
        fieldId={idOf('address')}
        typed={address}
        near={point ?? start}
        onPick={(address) =>
          onChange({
            address: (address.address ?? address.label).slice(0, limits.addressMax),
            point: { lat: address.lat, lng: address.lng },
            timeZone: '',
            ...(address.area ? { area: address.area.slice(0, limits.areaMax) } : {}),
          })
        }
      />
    </div>
  );
  return (
    <>
      <PlaceField
        id={idOf('point')}
        label={t`Pin on the map`}
        title={props.pin.title}
        help={props.pin.help}
        precise
        typedAddress={point === null || pinned.searchText !== searchText ? searchText : ''}
        error={errors.point}
        value={point ? { ...point, label } : null}
        onChange={(place) => void choosePlace(place)}
      />
      {point === null ? <DeviceButton onPick={(place) => void choosePlace(place)} /> : null}
      {props.children ? street : null}
      <div className="form-pair">
        {props.children ? null : street}
        <TextInput
          id={idOf('area')}
          label={t`Town or neighbourhood`}
          autoComplete={own ? 'address-level2' : 'off'}
          value={area}
          error={errors.area}
          onChange={(event) => onChange({ area: event.target.value })}
        />
        {props.children}
      </div>
      {point === null ? null : (
        <Select
          label={t`Time zone`}
          help={t`Hours of its jobs are in this zone.`}
          placeholder={t`That of the pin`}
          options={zoneOptions(...(value.timeZone ? [value.timeZone] : []))}
          value={value.timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value })}
        />
      )}
      <Switch
        label={t`This is a private address`}
        help={props.privateHelp}
        checked={value.privateAddress}
        onChange={(event) => onChange({ privateAddress: event.target.checked })}
      />
    </>
  );
}

const noPlaces: readonly string[] = [];

/**
 * Addresses that a typed street may mean; choosing one fills street, town and pin. Renders nothing if the server
 * has no geocoder.
 */
function StreetSuggestions({
  fieldId,
  typed,
  near,
  onPick,
}: {
  fieldId: string;
  typed: string;
  near: Point | null;
  onPick: (address: FoundAddress) => void;
}) {
  const { t } = useLingui();
  const [dismissedText, setDismissedText] = useState(typed);
  const { items } = useAddresses(typed === dismissedText ? '' : typed, near, noPlaces);
  const count = items.length;
  const close = (text: string) => {
    document.getElementById(fieldId)?.focus();
    setDismissedText(text);
  };
  return (
    <>
      {/* Always rendered, because screen readers announce changes to an existing element. */}
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
