import { useLingui } from '@lingui/react/macro';
import type { Intent } from '@nearhand/contract/people/profile-choices';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error-text.ts';
import { side } from '../../lib/device/device-setting.ts';
import { arrivalPath } from '../../lib/pages/arrival.ts';
import { homePath } from '../../lib/pages/home-path.ts';
import { forgetNext } from '../../lib/pages/kept-next.ts';
import { nextOf, withNext } from '../../lib/pages/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Busy } from '../../ui/pages/busy.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { VerifyNotice } from '../sign-in/verify-notice.part.tsx';
import { SignUpProgress } from './sign-up-progress.tsx';
import { saveSteps } from './sign-up-steps.ts';
import { useSignUpSteps } from './use-sign-up-steps.ts';
import './profiles.css';

/** Last sign-up step: your intent; then the verification notice, or home if verified. */
export default function CompleteSignupScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const navigate = useNavigate();
  const user = useUser();
  const steps = useSignUpSteps();
  const [busy, setBusy] = useState<string | null>(null);
  const [finished, setFinished] = useState(false);
  const [problem, setProblem] = useState<string>();
  const verified = user?.emailVerified === true;

  // Continues by itself after the link was followed in another tab.
  useEffect(() => {
    if (!finished || !verified) return;
    setFinished(false);
    forgetNext();
    navigate(nextOf(search) ?? arrivalPath(), { replace: true });
  }, [finished, verified, navigate, search]);

  const finish = async () => {
    if (!steps.intent) return setProblem(t`Choose what brings you here.`);
    // Stored right away: the verification link may be followed at any moment.
    if (steps.intent !== 'both') side.set(steps.intent);
    if (!verified) return setFinished(true);
    setBusy(t`Saving your profile`);
    try {
      await saveSteps();
      setBusy(null);
      setFinished(true);
    } catch (failure) {
      setBusy(null);
      await showAlert({ tone: 'bad', title: t`Not saved yet`, message: errorText(failure) });
    }
  };

  if (finished && !verified) {
    return (
      <Screen
        title={t`Almost there`}
        lead={t`What you entered stays on this device and is saved when you verify your email.`}
        back={null}
        bar={<SignUpProgress now={3} />}
        width="narrow"
      >
        {user ? (
          <VerifyNotice email={user.email} />
        ) : (
          <p className="lead">{t`You're not signed in. Create an account or log in to save it.`}</p>
        )}
        <div className="col g2 mt6">
          {user ? null : (
            <ButtonLink kind="go" full to={withNext('/register', search)}>
              {t`Create account`}
            </ButtonLink>
          )}
          <ButtonLink kind="out" full to={withNext('/login', search)}>
            {t`Log in`}
          </ButtonLink>
          <ButtonLink kind="text" full to={homePath}>
            {t`Look around in the meantime`}
          </ButtonLink>
        </div>
      </Screen>
    );
  }
  return (
    <Screen
      title={t`What brings you here?`}
      lead={t`This decides what you see first. You can switch at any time.`}
      back="/fill-profile"
      bar={<SignUpProgress now={3} />}
      width="narrow"
      dock={
        <Button kind="go" full onClick={() => void finish()}>
          {t`Finish`}
        </Button>
      }
    >
      <RadioGroup<Intent>
        legend={<span className="vh">{t`What brings you here?`}</span>}
        value={steps.intent}
        error={problem}
        options={[
          {
            value: 'work',
            label: t`Find work`,
            help: t`Shifts and tasks nearby. You see the pay before you apply.`,
          },
          { value: 'hire', label: t`Hire people`, help: t`Post a job and meet people nearby.` },
          { value: 'both', label: t`Both`, help: t`One account for both.` },
        ]}
        onChange={(intent) => {
          setProblem(undefined);
          steps.change({ intent });
        }}
      />
      <Busy text={busy} />
    </Screen>
  );
}
