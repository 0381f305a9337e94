import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { nextOf, withNext } from '../../lib/pages/next-path.ts';
import { landingPath } from '../../lib/pages/post-login-redirect.ts';
import { useUser } from '../../lib/session.ts';
import { emptyProfile, formOfProfile } from './profile-form.rules.ts';
import { useMyIntent, useMyProfile } from './profiles.api.ts';
import {
  readStepFile,
  readSteps,
  type SignUpSteps,
  type StepFile,
  storeStepFile,
  storeSteps,
} from './sign-up-steps.ts';

export function useSignUpSteps() {
  const [draftSteps, set] = useState(readSteps);
  // Runs each time the page is shown: another step may have changed the draft in the meantime.
  useEffect(() => set(readSteps()), []);
  const start = useStart();
  const steps = draftSteps ?? start;
  const change = (next: Partial<SignUpSteps>) => {
    const steps = { ...(readSteps() ?? start), ...next };
    set(steps);
    storeSteps(steps);
  };
  return {
    ...steps,
    change,
    changeForm: (part: Partial<SignUpSteps['form']>) =>
      change({ form: { ...(readSteps() ?? start).form, ...part } }),
  };
}

function useStart(): SignUpSteps {
  const profile = useMyProfile().data;
  const intent = useMyIntent();
  if (!profile) return { form: emptyProfile(), intent };
  const form = formOfProfile(profile);
  return { form, intent, base: form };
}

export function useStepFile(file: StepFile) {
  const [chosenFile, set] = useState<File | null>(null);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    let unmounted = false;
    void readStepFile(file).then((stored) => {
      if (!unmounted && stored) set(stored);
    });
    return () => {
      unmounted = true;
    };
  }, [file]);
  const choose = async (next: File | null) => {
    set(next);
    const isStored = await storeStepFile(file, next);
    setLost(!isStored);
    if (!isStored) set(null);
  };
  return [chosenFile, choose, isLost] as const;
}

/** The next page after the steps; unverified users verify their email or create an account first. */
export function useSignUpEnd(): string {
  const user = useUser();
  const { search } = useLocation();
  if (!user) return withNext('/register', search);
  return user.emailVerified ? (nextOf(search) ?? landingPath()) : withNext('/getting-started', search);
}
