import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { plainPhone } from '@nearhand/contract/people/contact.rules';
import type { Profile } from '@nearhand/contract/people/profiles';
import { useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText, fieldIssues } from '../../lib/api/error.labels.ts';
import { useRecordForm } from '../../lib/forms/record-form.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useVerification } from '../verification/verification.api.ts';
import { PhoneInput } from './phone-input.tsx';
import { profileErrors } from './profile.labels.ts';
import { PhotoField } from './profile-files.tsx';
import { emptyProfile } from './profile-form.rules.ts';
import { uploadProfileFile, useMyProfile, useSaveProfile } from './profiles.api.ts';

type Details = { name: string; phone: string };
const baseOf = ({ name, phone, version }: Profile) => ({ form: { name, phone: phone ?? '' }, version });

/** Shown to everyone, including people who don't look for work. */
export function OwnDetails() {
  const { t } = useLingui();
  const profileQuery = useMyProfile();
  return (
    <section className="card settings-part" aria-labelledby="settings-details">
      <h2 className="h-s" id="settings-details">{t`Your details`}</h2>
      <QueryState
        query={profileQuery}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your details`}
        offlineNote={t`You can make changes when you're back online.`}
      >
        {(profile) => <DetailsForm profile={profile} />}
      </QueryState>
    </section>
  );
}

/** Edits the own name, phone and photo. Saving keeps fields that were changed elsewhere and not here. */
function useOwnDetails(profile: Profile) {
  const { t } = useLingui();
  const profileQuery = useMyProfile();
  const save = useSaveProfile();
  const edit = useRecordForm<Details>(baseOf(profile), (values) => {
    const { name, phone } = profileErrors({ ...emptyProfile(), ...values });
    return { name, phone };
  });
  /** Undefined if the photo is unchanged; null if it was removed. */
  const [photo, setPhoto] = useState<File | null | undefined>(undefined);
  const [photoError, setPhotoError] = useState<string>();
  const isDirty = edit.dirty || photo !== undefined;
  // Takes over changes saved elsewhere while this form is unedited.
  if (profile.version > edit.base.version && !isDirty && !edit.busy) edit.adopt(baseOf(profile));

  const storedPhoto = async () => {
    if (photo === undefined) return {};
    return { photoFileId: photo === null ? null : (await uploadProfileFile('photo', photo)).id };
  };

  const send = async (typed: Details) => {
    let saved: { photoFileId?: string | null };
    setPhotoError(undefined);
    try {
      saved = await storedPhoto();
    } catch (failure) {
      setPhotoError(errorText(failure));
      return;
    }
    await saveOver(edit.base, typed, saved);
  };

  const saveOver = async (
    { form, version }: ReturnType<typeof baseOf>,
    { name, phone }: Details,
    savedFile: { photoFileId?: string | null },
  ): Promise<void> => {
    try {
      const saved = await save.mutateAsync({
        ...savedFile,
        ...(name === form.name ? {} : { name: name.trim() }),
        ...(phone === form.phone ? {} : { phone: phone.trim() === '' ? null : plainPhone(phone) }),
        version,
      });
      setPhoto(undefined);
      edit.adopt(baseOf(saved));
      showToast(t`Details saved`);
    } catch (failure) {
      const newest = isApiError(failure, 'profile/stale') ? (await profileQuery.refetch()).data : undefined;
      if (newest && newest.version !== version) {
        const next = baseOf(newest);
        if (next.form.name === form.name && next.form.phone === form.phone)
          return saveOver(next, { name, phone }, savedFile);
        edit.adopt(next);
        edit.change({ name, phone });
        edit.refuse({
          text: t`Your name or phone was changed somewhere else. What you typed is still here: check it, then save again.`,
        });
        return;
      }
      const fieldTexts = fieldIssues(failure).map(({ field, message }) => [field, message]);
      edit.refuse({ fields: Object.fromEntries(fieldTexts), text: errorText(failure) });
    }
  };

  const choosePhoto = (file: File | null) => {
    setPhoto(file);
    setPhotoError(undefined);
  };
  return { edit, send, photo, photoError, choosePhoto, isDirty };
}

function DetailsForm({ profile }: { profile: Profile }) {
  const { t } = useLingui();
  const { edit, send, photo, photoError, choosePhoto, isDirty } = useOwnDetails(profile);
  return (
    <Form className="settings-part" onSubmit={() => void edit.submit(send)}>
      {edit.refusal ? (
        <Banner tone="bad" icon="warning-circle" live>
          {edit.refusal}
        </Banner>
      ) : null}
      <PhotoField
        name={edit.values.name}
        chosen={photo ?? null}
        stored={photo === undefined ? profile.photo : null}
        error={photoError}
        onChoose={choosePhoto}
      />
      <TextInput
        {...edit.textField('name')}
        label={t`Name`}
        help={t`What people call you.`}
        autoComplete="name"
        maxLength={limits.nameMax}
      />
      <PhoneInput
        id={edit.idOf('phone')}
        label={t`Phone`}
        help={t`No one sees it before you're hired.`}
        optional
        value={edit.values.phone}
        error={edit.problems.phone}
        onChange={(phone) => edit.change({ phone })}
      />
      {profile.phone === edit.values.phone ? <PhoneCheckLine /> : null}
      <Button kind="ink" full type="submit" busy={edit.busy} disabled={!isDirty}>
        {t`Save details`}
      </Button>
    </Form>
  );
}

function PhoneCheckLine() {
  const { t } = useLingui();
  const phone = useVerification().data?.phone;
  if (!phone || phone.status === 'none') return null;
  if (phone.status === 'checked')
    return (
      <p>
        <Badge tone="good" icon="seal-check">{t`Phone number checked`}</Badge>
      </p>
    );
  return (
    <p className="row wrap g2 sm">
      <span className="mute">{t`This number hasn't been checked.`}</span>
      <Link className="link" to="/verify">{t`Check it`}</Link>
    </p>
  );
}
