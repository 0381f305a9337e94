import { IonApp } from '@ionic/react';
import { IonReactRouter } from '@ionic/react-router';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client';
import { type ComponentType, Suspense } from 'react';
import { ApplicationOutbox } from '../features/applications/application-outbox.tsx';
import { lazyPart } from '../lib/load-part.ts';
import { persistence, queryClient } from '../lib/query.ts';
import { AlertHost } from '../ui/alert.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { Boundary } from './boundary.tsx';
import { DeepLinks } from './deep-links.tsx';
import { ServerSettings } from './server-settings.tsx';
import { Shell } from './shell.tsx';

const AttendanceOutbox = lazyPart(() => import('../features/attendance/attendance-outbox.tsx'));
const ChatHost = lazyPart(() => import('../features/chat/chat-host.tsx'));
const Push = lazyPart(() => import('./push.tsx'));

/** What works behind the screens; that it could not be loaded takes none of them away. */
const Behind = ({ part: Part }: { part: ComponentType }) => (
  <Boundary silent>
    <Suspense fallback={null}>
      <Part />
    </Suspense>
  </Boundary>
);

/** What was kept on the device is shown, and asked again however young it is: it was written some seconds before the page was left. */
const restored = () => void queryClient.invalidateQueries({ refetchType: 'none' });

export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <PersistQueryClientProvider client={queryClient} persistOptions={persistence} onSuccess={restored}>
        <IonApp>
          <IonReactRouter>
            <Shell />
            <DeepLinks />
            <ServerSettings />
            <ApplicationOutbox />
            <Behind part={AttendanceOutbox} />
            <Behind part={ChatHost} />
            <Behind part={Push} />
          </IonReactRouter>
          <ToastHost />
          <AlertHost />
        </IonApp>
      </PersistQueryClientProvider>
    </I18nProvider>
  );
}
