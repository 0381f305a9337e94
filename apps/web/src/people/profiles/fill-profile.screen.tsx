import { useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { withNext } from '../../lib/next-path.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { CvField, PhotoField } from './profile-files.tsx';
import type { ProfileField } from './profile-form.rules.ts';
import { profileErrors } from './profile-words.ts';
import { useSavedProfile } from './profiles.api.ts';
import { SignUpProgress } from './sign-up-progress.tsx';
import { useSignUpSteps, useStepFile } from './use-sign-up-steps.ts';
import './profiles.css';

/** Sign-up step 2: your profile. Only the name is required; the draft stays on the device. */
export default function FillProfileScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const navigate = useNavigate();
  const id = useId();
  const steps = useSignUpSteps();
  const profile = useSavedProfile().data;
  const [photo, choosePhoto] = useStepFile('photo');
  const [cv, chooseCv] = useStepFile('cv');
  const [errors, setErrors] = useState<Partial<Record<ProfileField, string>>>({});
  const idOf = (field: ProfileField) => `${id}-${field}`;

  const goOn = () => {
    const problems = profileErrors(steps.form);
    setErrors(problems);
    if (Object.keys(problems).length === 0) navigate(withNext('/complete-signup', search));
  };
  return (
    <Screen
      title={t`Your profile`}
      heading={t`Introduce yourself`}
      lead={t`Only your name is required. The rest helps you get hired.`}
      back="/expertise"
      bar={<SignUpProgress now={2} />}
      dock={
        <Button kind="go" full onClick={goOn}>
          {t`Continue`}
        </Button>
      }
    >
      <form
        className="profile-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          goOn();
        }}
      >
        <ErrorSummary
          errors={Object.entries(errors).map(([field, text]) => ({ id: idOf(field as ProfileField), text }))}
        />
        <PhotoField
          name={steps.form.name}
          chosen={photo}
          stored={profile?.photo ?? null}
          storedStays
          onChoose={choosePhoto}
        />
        <ProfileFields
          form={steps.form}
          errors={errors}
          idOf={idOf}
          onChange={(part) => {
            steps.changeForm(part);
            setErrors((before) =>
              Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))),
            );
          }}
        />
        <CvField chosen={cv} stored={profile?.cv ?? null} storedStays onChoose={chooseCv} />
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Screen>
  );
}
