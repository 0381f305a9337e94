import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'react-router';
import { withNext } from '../../lib/pages/next-path.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { SignUpProgress, signsUpToApply, VerifyBanner } from './sign-up-progress.tsx';
import { saveSteps } from './sign-up-steps.ts';
import { SkillPicker } from './skill-picker.tsx';
import { useSignUpEnd, useSignUpSteps } from './use-sign-up-steps.ts';

/** Sign-up step: trades and skills. Works signed out; skip also skips the remaining steps. */
export default function ExpertiseScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const steps = useSignUpSteps();
  const next = withNext('/fill-profile', search);
  const end = useSignUpEnd();
  // Isn't awaited: what can't be saved now is saved with the next step.
  const save = () => void saveSteps().catch(() => {});
  const applies = signsUpToApply(search);
  const chosenCount = steps.form.skills.length;
  return (
    <Screen
      title={t`Your skills`}
      heading={t`What are you good at?`}
      lead={t`Choose a few. We'll show you matching work, and businesses see what you can do.`}
      back={applies ? withNext('/getting-started', search) : '/complete-signup'}
      bar={<SignUpProgress now={1} />}
      actions={
        <ButtonLink kind="text" size="s" to={end} onClick={save}>
          {t`Skip`}
        </ButtonLink>
      }
      dock={
        <ButtonLink kind="go" full to={next} onClick={save}>
          {chosenCount > 0 ? t`Continue with ${chosenCount}` : t`Continue`}
        </ButtonLink>
      }
    >
      <div className="col g4">
        {applies ? <VerifyBanner /> : null}
        <SkillPicker value={steps.form.skills} onChange={(skills) => steps.changeForm({ skills })} />
      </div>
    </Screen>
  );
}
