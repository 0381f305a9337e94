import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { restoreSession } from '../lib/api/auth-provider.ts';
import { BareScreen } from '../ui/pages/bare-screen.tsx';
import { Splash } from './splash.tsx';
import { useLeaveOnce } from './stack/use-navigate-once.ts';

/** A shorter splash would only flicker. */
const minMs = 700;

export default function FlashScreen() {
  const { t } = useLingui();
  const leave = useLeaveOnce();
  useEffect(() => {
    const minimumWait = new Promise((resolve) => setTimeout(resolve, minMs));
    void Promise.allSettled([restoreSession(), minimumWait]).then(() => leave('/getting-started'));
  }, [leave]);
  return (
    <BareScreen still>
      <Splash text={t`Finding your place…`} />
    </BareScreen>
  );
}
