import { useEffect, useState } from 'react';
import { emptyProfile, formOfProfile } from './profile-form.rules.ts';
import { useMyIntent, useSavedProfile } from './profiles.api.ts';
import {
  keepStepFile,
  keepSteps,
  readStepFile,
  readSteps,
  type SignUpSteps,
  type StepFile,
} from './sign-up-steps.ts';

/** The sign-up draft; every change is stored right away. */
export function useSignUpSteps() {
  const [kept, set] = useState(readSteps);
  // Runs each time the page is shown: another step may have changed the draft in the meantime.
  useEffect(() => set(readSteps()), []);
  const start = useStart();
  const steps = kept ?? start;
  const change = (next: Partial<SignUpSteps>) => {
    const whole = { ...(readSteps() ?? start), ...next };
    set(whole);
    keepSteps(whole);
  };
  return {
    ...steps,
    change,
    changeForm: (part: Partial<SignUpSteps['form']>) =>
      change({ form: { ...(readSteps() ?? start).form, ...part } }),
  };
}

/** The initial draft: the account's profile and intent, else empty. */
function useStart(): SignUpSteps {
  const profile = useSavedProfile().data;
  const intent = useMyIntent();
  if (!profile) return { form: emptyProfile(), intent };
  const form = formOfProfile(profile);
  return { form, intent, base: form };
}

/** A chosen file, kept in the browser until it can be uploaded. */
export function useStepFile(file: StepFile) {
  const [chosen, set] = useState<File | null>(null);
  useEffect(() => {
    let gone = false;
    void readStepFile(file).then((kept) => {
      if (!gone && kept) set(kept);
    });
    return () => {
      gone = true;
    };
  }, [file]);
  const choose = (next: File | null) => {
    set(next);
    void keepStepFile(file, next);
  };
  return [chosen, choose] as const;
}
