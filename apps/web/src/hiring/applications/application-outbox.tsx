import { useLingui } from '@lingui/react/macro';
import { useLocation, useNavigate } from 'react-router';
import { useOnline } from '../../lib/device/online.ts';
import { useResend } from '../../lib/pages/use-resend.ts';
import { useUser } from '../../lib/session.ts';
import { announce, showToast } from '../../ui/overlays/toast.tsx';
import { cacheApplication } from './applications.api.ts';
import { sendQueuedApplications, useWaiting } from './outbox.api.ts';

const againMs = 30_000;

/** Sends applications made offline, from any screen. Mounted once by the app. */
export default function ApplicationOutbox() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const user = useUser();
  const online = useOnline();
  const open = useWaiting().filter(({ refusal }) => refusal === null).length;

  const flush = async () => {
    for (const { entry, application, refusal } of await sendQueuedApplications()) {
      if (application) cacheApplication(application);
      const path = application ? `/tabs/menu/my-work/${application.id}` : '/tabs/menu/my-work';
      const look = { label: t`View`, run: () => navigate(path) };
      if (refusal === null) {
        const sentText = t`Your application for ${entry.jobTitle} was sent`;
        if (pathname === `/job-applied-success/${entry.jobId}`) announce(sentText);
        else showToast(sentText, look);
      } else showToast(t`We couldn't send your application for ${entry.jobTitle}`, look);
    }
  };
  useResend(online && user?.emailVerified === true && open > 0, flush, againMs);
  return null;
}
