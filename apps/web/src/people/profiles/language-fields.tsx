import { useLingui } from '@lingui/react/macro';
import { languageLevels } from '@nearhand/contract/people/profile-choices';
import type { SpokenLanguage } from '@nearhand/contract/people/profiles';
import { profileLimits } from '@nearhand/contract/people/profiles.rules';
import { IconButton } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { languageCodes, languageLevelText, languageName } from './profile-words.ts';

type LanguageFieldsProps = { value: SpokenLanguage[]; onChange: (languages: SpokenLanguage[]) => void };

/** Languages and how well each is spoken. */
export function LanguageFields({ value, onChange }: LanguageFieldsProps) {
  const { t } = useLingui();
  const left = languageCodes
    .filter((code) => !value.some((one) => one.code === code))
    .map((code) => ({ value: code, label: languageName(code) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return (
    <fieldset className="choices col g2">
      <legend className="flabel">{t`Languages`}</legend>
      {value.map((one) => (
        <div key={one.code} className="row g2 language">
          <span className="grow mid">{languageName(one.code)}</span>
          <Select
            label={<span className="vh">{t`How well you speak ${languageName(one.code)}`}</span>}
            value={one.level}
            options={languageLevels.map((level) => ({ value: level, label: languageLevelText(level) }))}
            onChange={(event) =>
              onChange(
                value.map((other) =>
                  other.code === one.code
                    ? { ...other, level: event.target.value as SpokenLanguage['level'] }
                    : other,
                ),
              )
            }
          />
          <IconButton
            icon="x"
            label={t`Remove ${languageName(one.code)}`}
            onClick={() => onChange(value.filter((other) => other.code !== one.code))}
          />
        </div>
      ))}
      {value.length < profileLimits.languages ? (
        <Select
          label={<span className="vh">{t`Add a language`}</span>}
          placeholder={t`Add a language`}
          value=""
          options={left}
          onChange={(event) => {
            if (event.target.value) onChange([...value, { code: event.target.value, level: 'good' }]);
          }}
        />
      ) : null}
    </fieldset>
  );
}
