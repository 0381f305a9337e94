import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { profileLimits } from '@nearhand/contract/people/profiles.rules';
import { phoneExample } from '../../lib/forms/phone-example.ts';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { PlaceField } from '../places/place-field.part.tsx';
import { AvailabilityGrid } from './availability-grid.tsx';
import { LanguageFields } from './language-fields.tsx';
import type { ProfileField, ProfileForm } from './profile-form.rules.ts';

type ProfileFieldsProps = {
  form: ProfileForm;
  errors: Partial<Record<ProfileField, string>>;
  idOf: (field: ProfileField) => string;
  onChange: (part: Partial<ProfileForm>) => void;
};

/** The profile's text fields, shared by sign-up and the profile form. */
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
      <TextInput
        id={idOf('phone')}
        label={t`Phone`}
        help={t`Include the country code. No one sees it before you're hired.`}
        optional
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={phoneExample}
        maxLength={profileLimits.phone}
        value={form.phone}
        error={errors.phone}
        onChange={(event) => onChange({ phone: event.target.value })}
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
      <LanguageFields value={form.languages} onChange={(languages) => onChange({ languages })} />
      <AvailabilityGrid value={form.availability} onChange={(availability) => onChange({ availability })} />
      <TextArea
        id={idOf('bio')}
        label={t`About you`}
        help={t`A few sentences about your experience, what you like and what you're good at.`}
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
