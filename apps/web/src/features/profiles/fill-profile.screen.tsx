import { useIonRouter, useIonViewWillEnter } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { withNext } from '../../lib/next-path.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { CvField, PhotoField } from './profile-files.tsx';
import { type ProfileField, profileProblems } from './profile-form.rules.ts';
import { profileProblemText } from './profile-words.ts';
import { type Profile, useSavedProfile } from './profiles.api.ts';
import { SignUpProgress } from './sign-up-progress.tsx';
import { useSignUpSteps, useStepFile } from './use-sign-up-steps.ts';
import './profiles.css';

/** Second step of sign-up: who you are. Only the name is needed; everything is kept on the device as it is typed. */
export default function FillProfileScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const router = useIonRouter();
  const id = useId();
  const steps = useSignUpSteps();
  const profile = useSavedProfile().data as Profile | undefined;
  const [photo, choosePhoto] = useStepFile('photo');
  const [cv, chooseCv] = useStepFile('cv');
  const [errors, setErrors] = useState<Partial<Record<ProfileField, string>>>({});
  useIonViewWillEnter(steps.refresh);
  const idOf = (field: ProfileField) => `${id}-${field}`;

  const goOn = () => {
    const problems = Object.entries(profileProblems(steps.form));
    setErrors(Object.fromEntries(problems.map(([field, problem]) => [field, profileProblemText(problem)])));
    if (problems.length === 0) router.push(withNext('/complete-signup', search), 'forward', 'push');
  };
  return (
    <Screen
      title={t`Your profile`}
      heading={t`Tell them who you are`}
      lead={t`Only your name is needed now. The rest helps businesses to say yes.`}
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
