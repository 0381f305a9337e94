import { useEffect } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useOnline } from '../../lib/device/online.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { sendSavedJobs, useUnsentSaves } from './saved-jobs.api.ts';

/** A network can come back without the device noticing that it was away. */
const againMs = 15_000;

/** Sends hearts tapped without a connection, from any screen, and says what was refused. Mounted once by the app. */
export default function SavedJobsOutbox(): null {
  const user = useUser();
  const online = useOnline();
  const ready = useUnsentSaves() && online && user !== null;
  useEffect(() => {
    if (!ready) return;
    const send = async () => {
      const refusal = await sendSavedJobs();
      if (refusal !== null) showToast(errorText(refusal));
    };
    void send();
    const timer = setInterval(() => void send(), againMs);
    return () => clearInterval(timer);
  }, [ready]);
  return null;
}
