import { IonContent, IonPage } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { restored } from '../lib/auth-port.ts';
import { withNext } from '../lib/next-path.ts';
import { Splash } from './splash.tsx';

/** Shorter than this a splash is only a flicker. */
const leastMs = 700;

/** The brand while the session is restored; then getting-started, whose guard sends a verified user on to home. */
export default function FlashScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const [done, setDone] = useState(false);
  useEffect(() => {
    let gone = false;
    const shown = new Promise((resolve) => setTimeout(resolve, leastMs));
    void Promise.allSettled([restored(), shown]).then(() => {
      if (!gone) setDone(true);
    });
    return () => {
      gone = true;
    };
  }, []);
  return (
    <IonPage className="screen">
      <IonContent scrollY={false}>
        <Splash text={t`Finding your place…`} />
        {done ? <Navigate to={withNext('/getting-started', search)} replace /> : null}
      </IonContent>
    </IonPage>
  );
}
