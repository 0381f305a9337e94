import { useState } from 'react';
import { refusalText } from './interview-words.ts';

/** Runs a move and keeps in words why it was refused; what is shown is loaded anew by then, what was typed stays. */
export function useInterviewMove() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (move: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setRefusal(null);
    try {
      await move();
      return true;
    } catch (failure) {
      setRefusal(refusalText(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, refusal };
}
