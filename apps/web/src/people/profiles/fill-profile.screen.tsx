import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { summaryOf, useFormModel } from '../../lib/forms/form-model.ts';
import { useUser } from '../../lib/session.ts';
import { Button, ButtonLink, EnterSubmits } from '../../ui/controls/button.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { profileErrors } from './profile.labels.ts';
import { ProfileFields } from './profile-fields.tsx';
import { PhotoField, ProfileCvField } from './profile-files.tsx';
import { profileFields } from './profile-form.rules.ts';
import { useMyProfile } from './profiles.api.ts';
import { SignUpProgress } from './sign-up-progress.tsx';
import { saveSteps } from './sign-up-steps.ts';
import { useSignUpEnd, useSignUpSteps, useStepFile } from './use-sign-up-steps.ts';
import './profiles.css';

/** Sign-up step: your profile. Only the name is required, and the step can be skipped. */
export default function FillProfileScreen() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const steps = useSignUpSteps();
  const profile = useMyProfile().data;
  const user = useUser();
  const end = useSignUpEnd();
  const [saving, setSaving] = useState(false);
  const [photo, choosePhoto, isPhotoLost] = useStepFile('photo');
  const [cv, chooseCv, isCvLost] = useStepFile('cv');
  const lost = t`This device can’t store the file. Add it to your profile once you’ve signed up.`;
  const form = useFormModel({
    check: profileErrors,
    draft: { value: steps.form, set: (next) => steps.change({ form: next }) },
  });
  const save = async () => {
    setSaving(true);
    try {
      await saveSteps();
      setSaving(false);
      navigate(end);
    } catch (failure) {
      setSaving(false);
      await showAlert({ tone: 'bad', title: t`Not saved yet`, message: errorText(failure) });
    }
  };
  const goOn = () => void form.submit(save);
  const isSaved = user !== null;
  const hasToWait = user !== null && !user.emailVerified && (photo !== null || cv !== null);
  return (
    <Screen
      title={t`Your profile`}
      heading={t`Introduce yourself`}
      lead={t`Only your name is required. The rest helps you get hired.`}
      back="/expertise"
      bar={<SignUpProgress now={2} />}
      actions={
        <ButtonLink kind="text" size="s" to={end}>
          {t`Skip`}
        </ButtonLink>
      }
      dock={
        <Button kind="go" full needsNetwork={isSaved} onClick={goOn}>
          {t`Continue`}
        </Button>
      }
    >
      <Form className="profile-form" onSubmit={() => goOn()}>
        <ErrorSummary key={form.tries} errors={summaryOf(profileFields, form.problems, form.idOf)} />
        <ProfileFields form={form.values} errors={form.problems} idOf={form.idOf} onChange={form.change} />
        <PhotoField
          name={form.values.name}
          chosen={photo}
          stored={profile?.photo ?? null}
          storedStays
          error={isPhotoLost ? lost : undefined}
          onChoose={(file) => void choosePhoto(file)}
        />
        <ProfileCvField
          chosen={cv}
          stored={profile?.cv ?? null}
          storedStays
          error={isCvLost ? lost : undefined}
          onChoose={(file) => void chooseCv(file)}
        />
        {hasToWait ? (
          <p className="sm mute">{t`We upload your photo and CV from this device once you've verified your email.`}</p>
        ) : null}
        <EnterSubmits needsNetwork={isSaved} />
      </Form>
      <Busy text={saving ? t`Saving your profile` : null} />
    </Screen>
  );
}
