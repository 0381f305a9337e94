import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';

/**
 * Runs a move and keeps why it was refused, in words. A stale or passed state says that what is shown has been loaded anew; what was typed stays.
 */
export function useMove() {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (move: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setRefusal(null);
    try {
      await move();
      return true;
    } catch (failure) {
      setRefusal(errorText(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, refusal, clear: () => setRefusal(null) };
}
