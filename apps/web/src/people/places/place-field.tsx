import { useLingui } from '@lingui/react/macro';
import type { Place } from '@nearhand/contract/people/places';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Field, type FieldText } from '../../ui/controls/field.tsx';
import { useStartPlace } from './start-place.ts';

const PlacePicker = lazyPart(() => import('./place-picker.tsx'));

export type PlaceFieldProps = FieldText & {
  value: Place | null;
  onChange: (place: Place) => void;
  title?: string;
  /** Opens the sheet on the map once there is a value, as for an address. */
  precise?: boolean;
  /** An address typed since the pin was set: the sheet opens with a search for it. */
  typedAddress?: string;
  id?: string;
};

export function PlaceField({
  value,
  onChange,
  title,
  precise,
  typedAddress = '',
  id,
  ...text
}: PlaceFieldProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(false);
  const start = useStartPlace();
  return (
    <Field {...text} id={id}>
      {(control) => (
        <>
          <button
            {...control}
            type="button"
            className={`inp${text.error ? ' err' : ''}`}
            aria-haspopup="dialog"
            onClick={() => {
              setOpened(true);
              setOpen(true);
            }}
          >
            <Icon name="map-pin" className="mute" />
            <span className={value ? 'grow clip' : 'grow clip mute'}>
              {value?.label ?? t`Choose a place`}
            </span>
            <Icon name="caret-right" flip className="mute" />
          </button>
          {opened ? (
            <Suspense fallback={null}>
              <PlacePicker
                open={open}
                onClose={() => setOpen(false)}
                onPick={({ label, lat, lng }) => onChange({ label, lat, lng })}
                title={title ?? (typeof text.label === 'string' ? text.label : t`Choose a place`)}
                near={value ?? start}
                precise={precise}
                movesPin={precise && value !== null && typedAddress === ''}
                firstSearch={typedAddress}
              />
            </Suspense>
          ) : null}
        </>
      )}
    </Field>
  );
}
