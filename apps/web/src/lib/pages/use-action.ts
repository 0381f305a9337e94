import { useRef, useState } from 'react';
import { errorText } from '../api/error.labels.ts';

export type Action = {
  run: (request: () => Promise<unknown>) => Promise<boolean>;
  busy: boolean;
  refusal: string | null;
};

/** Runs a request and stores why it was refused, worded by `explain` (`newsText` if others may be faster). */
export function useAction(explain: (error: unknown) => string = errorText): Action {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // A second press may arrive before the button renders as busy.
  const running = useRef(false);
  const run = async (request: () => Promise<unknown>): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    setRefusal(null);
    try {
      await request();
      return true;
    } catch (error) {
      setRefusal(explain(error));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, refusal };
}
