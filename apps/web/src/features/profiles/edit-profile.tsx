import { useLingui } from '@lingui/react/macro';
import type { Profile, ProfileInput } from '@nearhand/contract/profiles';
import { useId, useState } from 'react';
import { isApiError, isNetworkError } from '../../lib/api-error.ts';
import { useEditSession } from '../../lib/edit-session.ts';
import { errorText, fieldIssues } from '../../lib/error-text.ts';
import { joined } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Screen } from '../../ui/screen.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { CvField, PhotoField } from './profile-files.tsx';
import { changesOfProfile, formOfProfile, type ProfileField, profileProblems } from './profile-form.rules.ts';
import { profileFieldText, profileProblemText } from './profile-words.ts';
import { uploadProfileFile, useMyProfile, useSaveProfile } from './profiles.api.ts';
import { SkillPicker } from './skill-picker.tsx';
import './profiles.css';

const baseOf = (profile: Profile) => ({ form: formOfProfile(profile), version: profile.version });
const words = (fields: readonly ProfileField[]) => joined(...fields.map(profileFieldText));

/** Undefined: as it is; null: removed; a file: chosen and stored when the form is saved. */
type FileChange = File | null | undefined;

/** The form of one's own profile. A save from elsewhere meanwhile is shown, and nothing typed is lost. */
export function EditProfile({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const { t } = useLingui();
  const id = useId();
  const edit = useEditSession(baseOf(profile));
  const mine = useMyProfile();
  const save = useSaveProfile();
  const [errors, setErrors] = useState<Partial<Record<ProfileField, string>>>({});
  const [files, setFiles] = useState<{ photo: FileChange; cv: FileChange }>({
    photo: undefined,
    cv: undefined,
  });
  const [fileErrors, setFileErrors] = useState<{ photo?: string; cv?: string }>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);
  const idOf = (field: ProfileField) => `${id}-${field}`;

  const storedFiles = async (): Promise<ProfileInput | null> => {
    const input: ProfileInput = {};
    for (const purpose of ['photo', 'cv'] as const) {
      const chosen = files[purpose];
      if (chosen === undefined) continue;
      try {
        input[`${purpose}FileId`] = chosen === null ? null : (await uploadProfileFile(purpose, chosen)).id;
      } catch (failure) {
        setFileErrors({ [purpose]: errorText(failure) });
        return null;
      }
    }
    return input;
  };

  const send = async () => {
    const problems = Object.entries(profileProblems(edit.typed));
    setErrors(Object.fromEntries(problems.map(([field, problem]) => [field, profileProblemText(problem)])));
    setRefusal(null);
    setFileErrors({});
    if (problems.length > 0) return;
    setSaving(true);
    try {
      const stored = await storedFiles();
      if (!stored) return;
      const input = { ...changesOfProfile(edit.base.form, edit.typed), ...stored };
      if (Object.keys(input).length > 0) {
        await save.mutateAsync({ ...input, version: edit.base.version });
        showToast(t`Profile saved`);
      }
      onDone();
    } catch (failure) {
      if (isApiError(failure, 'profile/stale')) {
        const newest = (await mine.refetch()).data as Profile | undefined;
        if (newest) return edit.meet(baseOf(newest));
      }
      const named = fieldIssues(failure).map(({ field }) => [field.split('.')[0], errorText(failure)]);
      setErrors(Object.fromEntries(named));
      setRefusal(
        isNetworkError(failure) ? t`${errorText(failure)} What you typed stays here.` : errorText(failure),
      );
    } finally {
      setSaving(false);
    }
  };

  const shownFile = (purpose: 'photo' | 'cv') => ({
    chosen: files[purpose] ?? null,
    stored: files[purpose] === undefined ? profile[purpose] : null,
    error: fileErrors[purpose],
    onChoose: (file: File | null) => {
      setFiles((before) => ({ ...before, [purpose]: file }));
      setFileErrors({});
    },
  });

  return (
    <Screen
      title={t`Edit profile`}
      back="/tabs/menu/account"
      dock={
        <>
          <Button kind="out" className="grow" onClick={onDone}>
            {t`Cancel`}
          </Button>
          <Button kind="go" className="grow" busy={saving} onClick={() => void send()}>
            {t`Save profile`}
          </Button>
        </>
      }
    >
      <form
        className="profile-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <ErrorSummary
          errors={Object.entries(errors).map(([field, text]) => ({ id: idOf(field as ProfileField), text }))}
        />
        {refusal && Object.keys(errors).length === 0 ? (
          <Banner tone="bad" icon="warning-circle" live>
            {refusal}
          </Banner>
        ) : null}
        {edit.conflict ? (
          <Banner tone="wait" icon="warning" live>
            <p className="strong">{t`Your profile was saved somewhere else while you were typing.`}</p>
            <p>{t`Changed there: ${words([...edit.conflict.theirs, ...edit.conflict.both])}. Nothing you typed is lost.`}</p>
            <div className="row wrap g2 mt3">
              <Button kind="ink" size="s" onClick={edit.keepTyped}>
                {t`Keep what I typed`}
              </Button>
              <Button kind="out" size="s" onClick={edit.takeNewest}>
                {t`Load what was saved`}
              </Button>
            </div>
          </Banner>
        ) : null}
        <PhotoField name={edit.typed.name} {...shownFile('photo')} />
        <ProfileFields
          form={edit.typed}
          errors={errors}
          idOf={idOf}
          onChange={(part) => {
            edit.change(part);
            setErrors((before) =>
              Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))),
            );
          }}
        />
        <CvField {...shownFile('cv')} />
        <SkillPicker value={edit.typed.skills} onChange={(skills) => edit.change({ skills })} />
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Screen>
  );
}
