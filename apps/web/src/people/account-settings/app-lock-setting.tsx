import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { appLock, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { askPhone, canAsk } from '../../lib/native/app-lock.ts';
import { Switch } from '../../ui/controls/choices.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

/** Locks the app on this phone (ADR 218). Changing it requires the phone's owner. */
export default function AppLockSetting() {
  const { t } = useLingui();
  const isOn = useDeviceSetting(appLock) === 'on';
  const [possible, setPossible] = useState(false);
  const [busy, setBusy] = useState(false);
  useEffect(() => void canAsk().then(setPossible), []);
  if (!possible && !isOn) return null;

  const toggle = async () => {
    setBusy(true);
    const title = isOn ? t`Stop locking Nearhand` : t`Lock Nearhand`;
    const isLetIn = await askPhone({ reason: title, title, cancel: t`Cancel` });
    setBusy(false);
    if (isLetIn) appLock.set(isOn ? 'off' : 'on');
    else showToast(t`Nothing changed. Your phone didn't confirm it's you.`);
  };
  return (
    <Switch
      label={t`Lock the app`}
      help={t`Asks for your fingerprint, face or phone code when you open Nearhand, and after 5 minutes away.`}
      checked={isOn}
      disabled={busy}
      onChange={() => void toggle()}
    />
  );
}
