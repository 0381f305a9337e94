import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { endInstallHint, isLaterVisit, useInstall } from '../../lib/device/install-offer.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/overlays/toast.tsx';

const readMs = 3_000;

export default function InstallHint(): null {
  const { t } = useLingui();
  const isOffered = useInstall() !== null;
  const isMember = useUser()?.emailVerified === true;
  useEffect(() => {
    if (!isOffered || !isMember) return;
    let reading: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      clearTimeout(reading);
      if (!isLaterVisit(Date.now()) || document.visibilityState !== 'visible') return;
      showToast(t`You can install Nearhand. Find it in your account.`);
      reading = setTimeout(endInstallHint, readMs);
    };
    show();
    document.addEventListener('visibilitychange', show);
    return () => {
      clearTimeout(reading);
      document.removeEventListener('visibilitychange', show);
    };
  }, [isOffered, isMember, t]);
  return null;
}
