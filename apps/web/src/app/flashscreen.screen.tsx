import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { restored } from '../lib/auth-port.ts';
import { BareScreen } from '../ui/bare-screen.tsx';
import { useLeaveOnce } from './leave-once.ts';
import { Splash } from './splash.tsx';

/** A shorter splash would only flicker. */
const minMs = 700;

/** The splash while the session is restored; then getting-started, whose guard sends a verified user home. */
export default function FlashScreen() {
  const { t } = useLingui();
  const leave = useLeaveOnce();
  useEffect(() => {
    const shown = new Promise((resolve) => setTimeout(resolve, minMs));
    void Promise.allSettled([restored(), shown]).then(() => leave('/getting-started'));
  }, [leave]);
  return (
    <BareScreen still>
      <Splash text={t`Finding your place…`} />
    </BareScreen>
  );
}
