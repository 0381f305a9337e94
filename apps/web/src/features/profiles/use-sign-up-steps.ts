import { useEffect, useState } from 'react';
import { emptyProfile, formOfProfile } from './profile-form.rules.ts';
import { type Profile, useMyIntent, useSavedProfile } from './profiles.api.ts';
import {
  keepStepFile,
  keepSteps,
  readStepFile,
  readSteps,
  type SignUpSteps,
  type StepFile,
} from './sign-up-steps.ts';

/** What is typed in the steps of sign-up; every change is kept on the device at once. */
export function useSignUpSteps() {
  const [kept, set] = useState(readSteps);
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
    /** Another step may have changed it while this page lay under that one. */
    refresh: () => set(readSteps()),
  };
}

/** Where the steps begin: with the profile and the choice that this account has already, else empty. */
function useStart(): SignUpSteps {
  const profile = useSavedProfile().data as Profile | undefined;
  const intent = useMyIntent();
  if (!profile) return { form: emptyProfile(), intent };
  const form = formOfProfile(profile);
  return { form, intent, base: form };
}

/** A file chosen in a step, kept by the browser until it can be sent. */
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
