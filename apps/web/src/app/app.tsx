import { IonApp } from '@ionic/react';
import { IonReactRouter } from '@ionic/react-router';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client';
import { lazy, Suspense } from 'react';
import { ApplicationOutbox } from '../features/applications/application-outbox.tsx';
import { persistence, queryClient } from '../lib/query.ts';
import { AlertHost } from '../ui/alert.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { DeepLinks } from './deep-links.tsx';
import { ServerSettings } from './server-settings.tsx';
import { Shell } from './shell.tsx';

const AttendanceOutbox = lazy(() => import('../features/attendance/attendance-outbox.tsx'));
const ChatHost = lazy(() => import('../features/chat/chat-host.tsx'));
const Push = lazy(() => import('./push.tsx'));

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
            <Suspense fallback={null}>
              <AttendanceOutbox />
            </Suspense>
            <Suspense fallback={null}>
              <ChatHost />
            </Suspense>
            <Suspense fallback={null}>
              <Push />
            </Suspense>
          </IonReactRouter>
          <ToastHost />
          <AlertHost />
        </IonApp>
      </PersistQueryClientProvider>
    </I18nProvider>
  );
}
