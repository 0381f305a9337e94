import { useLingui } from '@lingui/react/macro';
import type { Profile, ProfileInput } from '@nearhand/contract/people/profiles';
import { useState } from 'react';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { errorText, fieldIssues } from '../../lib/api/error-text.ts';
import { summaryOf } from '../../lib/forms/form-model.ts';
import { useRecordForm } from '../../lib/forms/record-form.ts';
import { joined } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, EnterSubmits } from '../../ui/controls/button.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { CvField, PhotoField } from './profile-files.tsx';
import { changesOfProfile, formOfProfile, type ProfileField, profileFields } from './profile-form.rules.ts';
import { profileErrors, profileFieldText } from './profile-words.ts';
import { uploadProfileFile, useMyProfile, useSaveProfile } from './profiles.api.ts';
import { SkillPicker } from './skill-picker.tsx';
import './profiles.css';

const baseOf = (profile: Profile) => ({ form: formOfProfile(profile), version: profile.version });
const words = (fields: readonly ProfileField[]) => joined(...fields.map(profileFieldText));

/** Undefined: unchanged; null: removed; a file: uploaded when the form is saved. */
type FileChange = File | null | undefined;

/** The form of your own profile. A concurrent save is shown, and nothing typed is lost. */
export function EditProfile({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const { t } = useLingui();
  const edit = useRecordForm(baseOf(profile), profileErrors);
  const mine = useMyProfile();
  const save = useSaveProfile();
  const [files, setFiles] = useState<{ photo: FileChange; cv: FileChange }>({
    photo: undefined,
    cv: undefined,
  });
  const [fileErrors, setFileErrors] = useState<{ photo?: string; cv?: string }>({});

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
    setFileErrors({});
    try {
      const stored = await storedFiles();
      if (!stored) return;
      const input = { ...changesOfProfile(edit.base.form, edit.values), ...stored };
      if (Object.keys(input).length > 0) {
        await save.mutateAsync({ ...input, version: edit.base.version });
        showToast(t`Profile saved`);
      }
      onDone();
    } catch (failure) {
      if (isApiError(failure, 'profile/stale')) {
        const newest = (await mine.refetch()).data;
        if (newest) return edit.meet(baseOf(newest));
      }
      const named = fieldIssues(failure).map(({ field }) => [field.split('.')[0], errorText(failure)]);
      edit.refuse({
        fields: Object.fromEntries(named),
        text: isNetworkError(failure)
          ? t`${errorText(failure)} What you typed is still here.`
          : errorText(failure),
      });
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
          <Button kind="go" className="grow" busy={edit.busy} onClick={() => void edit.submit(send)}>
            {t`Save profile`}
          </Button>
        </>
      }
    >
      <Form className="profile-form" onSubmit={() => void edit.submit(send)}>
        <ErrorSummary key={edit.tries} errors={summaryOf(profileFields, edit.problems, edit.idOf)} />
        {edit.refusal && Object.keys(edit.problems).length === 0 ? (
          <Banner tone="bad" icon="warning-circle" live>
            {edit.refusal}
          </Banner>
        ) : null}
        {edit.conflict ? (
          <Banner tone="wait" icon="warning" live>
            <p className="strong">{t`Your profile was changed somewhere else while you were typing.`}</p>
            <p>{t`Changed elsewhere: ${words([...edit.conflict.theirs, ...edit.conflict.both])}. Nothing you typed is lost.`}</p>
            <div className="row wrap g2 mt3">
              <Button kind="ink" size="s" onClick={edit.keepTyped}>
                {t`Keep what I typed`}
              </Button>
              <Button kind="out" size="s" onClick={edit.takeNewest}>
                {t`Load the saved version`}
              </Button>
            </div>
          </Banner>
        ) : null}
        <PhotoField name={edit.values.name} {...shownFile('photo')} />
        <ProfileFields form={edit.values} errors={edit.problems} idOf={edit.idOf} onChange={edit.change} />
        <CvField {...shownFile('cv')} />
        <SkillPicker value={edit.values.skills} onChange={(skills) => edit.change({ skills })} />
        <EnterSubmits />
      </Form>
    </Screen>
  );
}
