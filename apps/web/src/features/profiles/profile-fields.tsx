import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { TextArea, TextInput } from '../../ui/inputs.tsx';
import { PlaceField } from '../places/places.api.ts';
import { AvailabilityGrid } from './availability-grid.tsx';
import { LanguageFields } from './language-fields.tsx';
import type { ProfileField, ProfileForm } from './profile-form.rules.ts';

type ProfileFieldsProps = {
  form: ProfileForm;
  errors: Partial<Record<ProfileField, string>>;
  idOf: (field: ProfileField) => string;
  onChange: (part: Partial<ProfileForm>) => void;
};

/** Everything of a profile that is typed, but for the skills: the same in sign-up and in one's own profile. */
export function ProfileFields({ form, errors, idOf, onChange }: ProfileFieldsProps) {
  const { t } = useLingui();
  return (
    <>
      <TextInput
        id={idOf('name')}
        label={t`Name`}
        help={t`As people call you. Businesses see it when you apply.`}
        autoComplete="name"
        maxLength={limits.nameMax}
        value={form.name}
        error={errors.name}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <TextInput
        id={idOf('phone')}
        label={t`Phone`}
        help={t`With the country code. Nobody sees it before you are hired.`}
        optional
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder="+31 6 12345678"
        maxLength={40}
        value={form.phone}
        error={errors.phone}
        onChange={(event) => onChange({ phone: event.target.value })}
      />
      <PlaceField
        id={idOf('home')}
        label={t`Home area`}
        help={t`Where you set out from. Others see the town or quarter, never the point.`}
        optional
        value={form.home}
        error={errors.home}
        onChange={(home) => onChange({ home })}
      />
      <LanguageFields value={form.languages} onChange={(languages) => onChange({ languages })} />
      <AvailabilityGrid value={form.availability} onChange={(availability) => onChange({ availability })} />
      <TextArea
        id={idOf('bio')}
        label={t`About you`}
        help={t`A few sentences: what you have done, what you like, what you are good at.`}
        optional
        maxLength={limits.bioMax}
        length={form.bio.trim().length}
        value={form.bio}
        error={errors.bio}
        onChange={(event) => onChange({ bio: event.target.value })}
      />
    </>
  );
}
