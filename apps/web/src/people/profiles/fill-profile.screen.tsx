import { useLingui } from '@lingui/react/macro';
import { useLocation, useNavigate } from 'react-router';
import { summaryOf, useFormModel } from '../../lib/forms/form-model.ts';
import { withNext } from '../../lib/pages/next-path.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorSummary } from '../../ui/controls/error-summary.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { ProfileFields } from './profile-fields.tsx';
import { CvField, PhotoField } from './profile-files.tsx';
import { profileFields } from './profile-form.rules.ts';
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
  const steps = useSignUpSteps();
  const profile = useSavedProfile().data;
  const [photo, choosePhoto] = useStepFile('photo');
  const [cv, chooseCv] = useStepFile('cv');
  const form = useFormModel({
    check: profileErrors,
    draft: { value: steps.form, set: (next) => steps.change({ form: next }) },
  });
  const goOn = () => void form.submit(async () => navigate(withNext('/complete-signup', search)));
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
        <ErrorSummary key={form.tries} errors={summaryOf(profileFields, form.problems, form.idOf)} />
        <PhotoField
          name={form.values.name}
          chosen={photo}
          stored={profile?.photo ?? null}
          storedStays
          onChoose={choosePhoto}
        />
        <ProfileFields form={form.values} errors={form.problems} idOf={form.idOf} onChange={form.change} />
        <CvField chosen={cv} stored={profile?.cv ?? null} storedStays onChoose={chooseCv} />
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Screen>
  );
}
