import { useLingui } from '@lingui/react/macro';
import { ratingLimits } from '@nearhand/contract/people/rating.rules';
import { useId } from 'react';
import { Icon } from '../../ui/art/icon.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { starsCount, starsText } from './review.labels.ts';

const all = Array.from({ length: ratingLimits.starsMax }, (_, index) => index + 1);

export const Stars = ({ stars }: { stars: number }) => (
  <span className="stars" role="img" aria-label={starsText(stars)}>
    {all.map((star) => (
      <Icon key={star} name={star <= stars ? 'star-fill' : 'star'} />
    ))}
  </span>
);

export function StarsField({
  id,
  value,
  error,
  onChange,
}: {
  id: string;
  value: number;
  error?: string;
  onChange: (stars: number) => void;
}) {
  const { t } = useLingui();
  const name = useId();
  const noteId = `${id}-note`;
  return (
    <fieldset className="stars-field" aria-describedby={error ? noteId : undefined}>
      <legend className="vh">{t`Stars`}</legend>
      <div className="stars-row">
        {all.map((star) => (
          <label key={star} className={star <= value ? 'star-pick on' : 'star-pick'}>
            <input
              type="radio"
              className="star-input"
              id={star === 1 ? id : undefined}
              name={name}
              checked={star === value}
              aria-label={starsText(star)}
              onChange={() => onChange(star)}
            />
            <Icon name={star <= value ? 'star-fill' : 'star'} />
          </label>
        ))}
      </div>
      <p className="stars-said mid" aria-hidden="true">
        {value > 0 ? starsText(value) : t`How many stars?`}
      </p>
      <FieldNote id={noteId} error={error} />
    </fieldset>
  );
}

export function StarSpread({
  counts,
  chosen,
  needsNetwork,
  onChoose,
}: {
  counts: readonly number[];
  chosen: number | null;
  needsNetwork: (stars: number | null) => boolean;
  onChoose: (stars: number | null) => void;
}) {
  const { t } = useLingui();
  const max = Math.max(1, ...counts);
  return (
    <ReasonGroup>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of toggles needs no fieldset. */}
      <div className="star-spread" role="group" aria-label={t`Only with`}>
        {all.toReversed().map((stars) => {
          const count = counts[stars - 1] ?? 0;
          return (
            <PlainButton
              key={stars}
              className="spread-line"
              aria-pressed={stars === chosen}
              disabled={count === 0}
              needsNetwork={needsNetwork(stars === chosen ? null : stars)}
              onClick={() => onChoose(stars === chosen ? null : stars)}
            >
              <span className="vh">{t`${starsCount(stars)}: ${count}`}</span>
              <span className="num" aria-hidden="true">
                {stars}
              </span>
              <span className="spread-bar">
                <span style={{ inlineSize: `${(count / max) * 100}%` }} />
              </span>
              <span className="num mute" aria-hidden="true">
                {count}
              </span>
            </PlainButton>
          );
        })}
        <SharedReason />
      </div>
    </ReasonGroup>
  );
}
