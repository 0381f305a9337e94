import { useLingui } from '@lingui/react/macro';
import { Suspense, useRef } from 'react';
import { type Here, PlacePicker } from '../../people/places/places.api.ts';
import { Icon } from '../../ui/art/icon.tsx';

/** The search place in the bar; opens a place picker. */
export function PlaceButton({
  here,
  note,
  open,
  onOpen,
  onPick,
}: {
  here: Here | null;
  note?: string;
  open: boolean;
  onOpen: (open: boolean) => void;
  onPick: (place: Here) => void;
}) {
  const { t } = useLingui();
  const opened = useRef(false);
  opened.current ||= open;
  return (
    <>
      <button type="button" className="place-button" aria-haspopup="dialog" onClick={() => onOpen(true)}>
        <span className="here-dot" aria-hidden="true" />
        <span className="place-text">
          <span className="strong clip block">
            <span className="vh">{t`Searching around`} </span>
            {here?.label ?? t`Choose a location`}
          </span>
          {note ? <span className="xs mute clip block">{note}</span> : null}
        </span>
        <Icon name="caret-down" />
      </button>
      {opened.current ? (
        <Suspense fallback={null}>
          <PlacePicker
            open={open}
            onClose={() => onOpen(false)}
            onPick={onPick}
            title={t`Where are you looking for work?`}
            near={here}
          />
        </Suspense>
      ) : null}
    </>
  );
}
