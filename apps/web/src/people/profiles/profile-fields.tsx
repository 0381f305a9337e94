import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { dayParts, languageLevels, weekdays } from '@nearhand/contract/people/profile-choices';
import type { Availability } from '@nearhand/contract/people/profiles';
import { profileLimits } from '@nearhand/contract/people/profiles.rules';
import { formatMinutes, weekdayText } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { PlaceField } from '../places/place-field.tsx';
import { PhoneInput } from './phone-input.tsx';
import {
  dayPartHours,
  dayPartText,
  languageCodes,
  languageLevelText,
  languageName,
} from './profile.labels.ts';
import type { ChosenLanguage, ProfileField, ProfileForm } from './profile-form.rules.ts';
import './profiles.css';
import { IconButton } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';

type ProfileFieldsProps = {
  form: ProfileForm;
  errors: Partial<Record<ProfileField, string>>;
  idOf: (field: ProfileField) => string;
  onChange: (part: Partial<ProfileForm>) => void;
};

export function ProfileFields({ form, errors, idOf, onChange }: ProfileFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        id={idOf('name')}
        label={t`Name`}
        help={t`What people call you. Businesses see it when you apply.`}
        autoComplete="name"
        maxLength={limits.nameMax}
        value={form.name}
        error={errors.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <PhoneInput
        id={idOf('phone')}
        label={t`Phone`}
        help={t`No one sees it before you're hired.`}
        optional
        near={form.home}
        value={form.phone}
        error={errors.phone}
        onChange={(phone) => onChange({ phone })}
      />
      <PlaceField
        id={idOf('home')}
        label={t`Home area`}
        help={t`Where you travel from. Others see the town or neighbourhood, never the exact spot.`}
        optional
        value={form.home}
        error={errors.home}
        onChange={(home) => onChange({ home })}
      />
      <LanguageFields
        id={idOf('languages')}
        value={form.languages}
        error={errors.languages}
        onChange={(languages) => onChange({ languages })}
      />
      <AvailabilityGrid value={form.availability} onChange={(availability) => onChange({ availability })} />
      <Select
        id={idOf('weekHoursMax')}
        label={t`Hours a week, at most`}
        help={t`For all businesses together. We tell you before you go over it, and businesses see it too.`}
        optional
        options={weekHoursChoices(form.weekHoursMax ?? 0).map((hours) => ({
          value: String(hours),
          label: formatMinutes(hours * 60),
        }))}
        placeholder={t`No limit`}
        value={form.weekHoursMax ?? ''}
        error={errors.weekHoursMax}
        onChange={(event) =>
          onChange({ weekHoursMax: event.target.value === '' ? null : Number(event.target.value) })
        }
      />
      <TextArea
        id={idOf('bio')}
        label={t`About you`}
        help={t`A few sentences about your experience, what you like and what you're good at.`}
        optional
        maxLength={peopleLimits.bioMax}
        length={form.bio.trim().length}
        value={form.bio}
        error={errors.bio}
        onChange={(event) => onChange({ bio: event.target.value })}
      />
    </>
  );
}

/** Steps of four hours up to a full week, and what is set already. */
const weekHoursChoices = (hours: number): number[] => {
  const steps = Array.from({ length: peopleLimits.weeklyHours / 4 }, (_, index) => (index + 1) * 4);
  return [...new Set([...steps, ...(hours > 0 ? [hours] : [])])].sort((a, b) => a - b);
};

function OptionalLegend({ children }: { children: string }) {
  const { t } = useLingui();
  return (
    <legend className="flabel">
      {children}
      <span className="mute opt-mark"> · {t`optional`}</span>
    </legend>
  );
}

type AvailabilityGridProps = { value: Availability; onChange: (parts: Availability) => void };

function AvailabilityGrid({ value, onChange }: AvailabilityGridProps) {
  const { t } = useLingui();
  const isAvailable = (day: string, part: string) =>
    value.some((slot) => slot.day === day && slot.part === part);
  return (
    <fieldset className="choices">
      <OptionalLegend>{t`When you are usually free`}</OptionalLegend>
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
              const on = isAvailable(day, part);
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
                        ? value.filter((slot) => slot.day !== day || slot.part !== part)
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

type LanguageFieldsProps = {
  /** The id of the level that is still to be chosen. */
  id: string;
  value: ChosenLanguage[];
  error: string | undefined;
  onChange: (languages: ChosenLanguage[]) => void;
};

function LanguageFields({ id, value, error, onChange }: LanguageFieldsProps) {
  const { t } = useLingui();
  const unrated = value.find(({ level }) => level === '');
  const otherLanguages = languageCodes
    .filter((code) => !value.some((language) => language.code === code))
    .map((code) => ({ value: code, label: languageName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <fieldset className="choices col g2">
      <OptionalLegend>{t`Languages`}</OptionalLegend>
      {value.map((language) => (
        <div key={language.code} className="row g2 language">
          <span className="grow mid">{languageName(language.code)}</span>
          <Select
            id={language === unrated ? id : undefined}
            label={<span className="vh">{t`How well you speak ${languageName(language.code)}`}</span>}
            placeholder={language === unrated ? t`Choose a level` : undefined}
            value={language.level}
            error={language === unrated ? error : undefined}
            options={languageLevels.map((level) => ({ value: level, label: languageLevelText(level) }))}
            onChange={(event) =>
              onChange(
                value.map((entry) =>
                  entry.code === language.code
                    ? { ...entry, level: event.target.value as ChosenLanguage['level'] }
                    : entry,
                ),
              )
            }
          />
          <IconButton
            icon="x"
            label={t`Remove ${languageName(language.code)}`}
            onClick={() => onChange(value.filter((entry) => entry.code !== language.code))}
          />
        </div>
      ))}
      {!unrated && value.length < profileLimits.languages ? (
        <Select
          label={<span className="vh">{t`Add a language`}</span>}
          placeholder={t`Add a language`}
          value=""
          options={otherLanguages}
          onChange={(event) => {
            if (event.target.value) onChange([...value, { code: event.target.value, level: '' }]);
          }}
        />
      ) : null}
    </fieldset>
  );
}
