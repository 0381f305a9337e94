import { useLingui } from '@lingui/react/macro';
import { Suspense, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { type Here, PlacePicker } from '../places/places.api.ts';

/** Where one looks for work, in the bar; pressed, it offers another place. */
export function PlaceButton({
  here,
  note,
  onPick,
}: {
  here: Here | null;
  note?: string;
  onPick: (place: Here) => void;
}) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        className="place-button"
        aria-haspopup="dialog"
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        <span className="here-dot" aria-hidden="true" />
        <span className="place-text">
          <span className="strong clip block">
            <span className="vh">{t`Looking around`} </span>
            {here?.label ?? t`Choose a place`}
          </span>
          {note ? <span className="xs mute clip block">{note}</span> : null}
        </span>
        <Icon name="caret-down" />
      </button>
      {opened ? (
        <Suspense fallback={null}>
          <PlacePicker
            open={open}
            onClose={() => setOpen(false)}
            onPick={onPick}
            title={t`Where do you look for work?`}
            near={here}
          />
        </Suspense>
      ) : null}
    </>
  );
}
