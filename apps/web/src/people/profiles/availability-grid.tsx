import { useLingui } from '@lingui/react/macro';
import { dayParts, weekdays } from '@nearhand/contract/people/profile-choices';
import type { Availability } from '@nearhand/contract/people/profiles';
import { Icon } from '../../ui/art/icon.tsx';
import { dayPartHours, dayPartText, weekdayText } from './profile-words.ts';
import './profiles.css';

type AvailabilityGridProps = { value: Availability; onChange: (parts: Availability) => void };

/** The week by day and part of day, as toggles. */
export function AvailabilityGrid({ value, onChange }: AvailabilityGridProps) {
  const { t } = useLingui();
  const has = (day: string, part: string) => value.some((one) => one.day === day && one.part === part);
  return (
    <fieldset className="choices">
      <legend className="flabel">{t`When you are usually free`}</legend>
      <div className="week">
        <span aria-hidden="true" />
        {dayParts.map((part) => (
          <span key={part} className="week-part xs" aria-hidden="true">
            <b>{dayPartText(part)}</b>
            <span className="mute num">{dayPartHours(part)}</span>
          </span>
        ))}
        {weekdays.map((day) => (
          <div key={day} className="week-row">
            <span className="sm mid" aria-hidden="true">
              {weekdayText(day, 'short')}
            </span>
            {dayParts.map((part) => {
              const on = has(day, part);
              return (
                <button
                  key={part}
                  type="button"
                  className="week-cell"
                  aria-pressed={on}
                  aria-label={t`${weekdayText(day)}, ${dayPartText(part)}`}
                  onClick={() =>
                    onChange(
                      on
                        ? value.filter((one) => one.day !== day || one.part !== part)
                        : [...value, { day, part }],
                    )
                  }
                >
                  {on ? <Icon name="check" /> : null}
                </button>
              );
            })}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
