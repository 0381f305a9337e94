import { useIonRouter, useIonViewWillEnter } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import type { Intent } from '@nearhand/contract/profile-choices';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { side } from '../../lib/device-setting.ts';
import { errorText } from '../../lib/error-text.ts';
import { arrivalPath, homePath } from '../../lib/home-path.ts';
import { nextOf, withNext } from '../../lib/next-path.ts';
import { useUser } from '../../lib/session.ts';
import { showAlert } from '../../ui/alert.tsx';
import { Busy } from '../../ui/busy.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choices.tsx';
import { Screen } from '../../ui/screen.tsx';
import { VerifyNotice } from '../accounts/accounts.api.ts';
import { SignUpProgress } from './sign-up-progress.tsx';
import { saveSteps } from './sign-up-steps.ts';
import { useSignUpSteps } from './use-sign-up-steps.ts';
import './profiles.css';

/** Last step of sign-up: what brings you here; then the verification notice, or home for whoever is verified. */
export default function CompleteSignupScreen() {
  const { t } = useLingui();
  const { pathname, search } = useLocation();
  const router = useIonRouter();
  const user = useUser();
  const steps = useSignUpSteps();
  const [busy, setBusy] = useState<string | null>(null);
  const [finished, setFinished] = useState(false);
  const [problem, setProblem] = useState<string>();
  useIonViewWillEnter(steps.refresh);
  const verified = user?.emailVerified === true;

  // Someone who just followed the link in another tab goes on by themselves.
  useEffect(() => {
    // Only while it is shown: the page stays mounted below the next one for a while.
    if (!finished || !verified || pathname !== '/complete-signup') return;
    setFinished(false);
    router.push(nextOf(search) ?? arrivalPath(), 'root', 'replace');
  }, [finished, verified, router, pathname, search]);

  const finish = async () => {
    if (!steps.intent) return setProblem(t`Choose what brings you here.`);
    // At once, not when it is saved: the link of the mail may be followed at any moment.
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
        lead={t`What you entered is kept on this device and saved once your email is verified.`}
        back={null}
        bar={<SignUpProgress now={3} />}
        width="narrow"
      >
        {user ? (
          <VerifyNotice email={user.email} />
        ) : (
          <p className="lead">{t`You are not signed in. Create an account, or log in, to keep it.`}</p>
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
            {t`Look around meanwhile`}
          </ButtonLink>
        </div>
      </Screen>
    );
  }
  return (
    <Screen
      title={t`What brings you here?`}
      lead={t`It decides what you see first. You can switch between both at any time.`}
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
          { value: 'hire', label: t`Hire people`, help: t`Post a job and meet people from nearby.` },
          { value: 'both', label: t`Both`, help: t`One account, two hats.` },
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
