import { t as tr } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { InterviewMode } from '@nearhand/contract/hiring/interviews';
import { limits } from '@nearhand/contract/limits';
import { isPhone, plainPhone } from '@nearhand/contract/people/contact.rules';
import { profileLimits } from '@nearhand/contract/people/profiles.rules';
import { phoneExample } from '../../lib/forms/phone-example.ts';
import { TextInput } from '../../ui/controls/inputs.tsx';

/**
 * Why this is no valid place for such an interview; null if it is, or if the server uses the job's place. That is never a private one: no
 * home address is revealed before an offer unless the recruiter types it (ADR 36).
 */
export function whereProblem(mode: InterviewMode, where: string, privatePlace: boolean): string | null {
  const typed = where.trim();
  if (mode === 'in_person') return typed === '' && privatePlace ? tr`Enter where you'll meet.` : null;
  if (mode === 'phone') {
    if (typed === '') return tr`Enter the number you'll call or want to be called on.`;
    return isPhone(typed) ? null : tr`Enter the number with its country code, like ${phoneExample}.`;
  }
  if (typed === '') return tr`Paste the meeting link.`;
  const link = URL.canParse(typed) ? new URL(typed) : null;
  return link?.protocol === 'https:' && link.username === '' && link.password === ''
    ? null
    : tr`Paste a link that starts with https.`;
}

/** As sent: absent for the job's place. */
export function whereSent(mode: InterviewMode, where: string): string | undefined {
  const typed = where.trim();
  if (mode === 'phone') return plainPhone(typed);
  return typed === '' ? undefined : typed;
}

type WhereFieldProps = {
  id: string;
  mode: InterviewMode;
  value: string;
  /** The job's place, if known. */
  place: string | undefined;
  /** The job's place is someone's home. */
  privatePlace: boolean;
  error?: string | undefined;
  onChange: (where: string) => void;
};

/** The field for the mode: an address, a number or a link. */
export function WhereField({ id, mode, value, place, privatePlace, error, onChange }: WhereFieldProps) {
  const { t } = useLingui();
  const shared = {
    id,
    value,
    error,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  if (mode === 'in_person')
    return (
      <TextInput
        {...shared}
        label={t`Where`}
        optional={!privatePlace}
        icon="map-pin"
        autoComplete="street-address"
        placeholder={privatePlace ? undefined : place}
        help={
          privatePlace
            ? t`The job's address is private until you make an offer. Choose another place to meet.`
            : t`Leave empty to use the job's address.`
        }
        maxLength={limits.interviewWhereMax}
      />
    );
  if (mode === 'phone')
    return (
      <TextInput
        {...shared}
        label={t`Phone number`}
        icon="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        placeholder={phoneExample}
        help={t`Include the country code. The applicant will see it.`}
        maxLength={profileLimits.phone}
      />
    );
  return (
    <TextInput
      {...shared}
      label={t`Meeting link`}
      icon="link"
      type="url"
      inputMode="url"
      autoComplete="off"
      placeholder="https://"
      help={t`From your video call app.`}
      maxLength={limits.interviewWhereMax}
    />
  );
}
