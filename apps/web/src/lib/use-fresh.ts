import { useIonViewWillEnter, useIonViewWillLeave } from '@ionic/react';
import { useState } from 'react';
import { useOnline } from './online.ts';

/**
 * Options of a query whose answer the other side changes: asked again on focus and every so often, only while its page is in view, the tab is
 * visible and there is a network. A page that stays mounted under the next one does not ask.
 */
export function useFresh(everyMs: number) {
  const online = useOnline();
  const [inView, setInView] = useState(true);
  useIonViewWillEnter(() => setInView(true));
  useIonViewWillLeave(() => setInView(false));
  return {
    refetchInterval: online && inView ? everyMs : (false as const),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: inView ? ('always' as const) : false,
    refetchOnReconnect: 'always' as const,
  };
}
