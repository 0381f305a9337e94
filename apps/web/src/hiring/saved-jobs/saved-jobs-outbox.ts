import { errorText } from '../../lib/api/error.labels.ts';
import { useOnline } from '../../lib/device/online.ts';
import { useResend } from '../../lib/pages/use-resend.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { sendSavedJobs, useUnsentSaves } from './saved-jobs.api.ts';

const againMs = 15_000;

/** Sends hearts tapped offline, from any screen, and reports refusals. Mounted once by the app. */
export default function SavedJobsOutbox(): null {
  const user = useUser();
  const online = useOnline();
  const isReady = useUnsentSaves() && online && user !== null;
  const send = async () => {
    const refusal = await sendSavedJobs();
    if (refusal !== null) showToast(errorText(refusal));
  };
  useResend(isReady, send, againMs);
  return null;
}
