import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { Suspense } from 'react';
import { PersistedQueries } from '../lib/api/persisted-queries.tsx';
import { isNative } from '../lib/device/platform.ts';
import { lazyPart, whenIdle } from '../lib/pages/load-part.ts';
import { useUser } from '../lib/session.ts';
import { AlertHost } from '../ui/overlays/alert.tsx';
import { ToastHost } from '../ui/overlays/toast.tsx';
import { AppRouter } from './app-router.tsx';
import { Boundary } from './boundary.tsx';
import { BrowserBack } from './native/browser-back.tsx';
import { DeepLinks } from './native/deep-links.tsx';
import { HardwareBack } from './native/hardware-back.tsx';
import { ServerSettings } from './shell/server-settings.tsx';
import { Shell } from './shell/shell.tsx';

const AppLock = lazyPart(() => import('./native/app-lock.part.tsx'));
const Behind = lazyPart(() => whenIdle().then(() => import('./behind/behind.part.tsx')));
const SignedIn = lazyPart(() => whenIdle().then(() => import('./behind/signed-in.part.tsx')));

export function App() {
  const isSignedIn = useUser() !== null;
  return (
    <I18nProvider i18n={i18n}>
      <PersistedQueries>
        <AppRouter>
          <Shell />
          {isNative() ? (
            <Suspense fallback={null}>
              <AppLock />
            </Suspense>
          ) : null}
          <DeepLinks />
          <HardwareBack />
          <BrowserBack />
          <ServerSettings />
          <Boundary silent>
            <Suspense fallback={null}>
              <Behind />
            </Suspense>
          </Boundary>
          {isSignedIn ? (
            <Boundary silent>
              <Suspense fallback={null}>
                <SignedIn />
              </Suspense>
            </Boundary>
          ) : null}
        </AppRouter>
        <ToastHost />
        <AlertHost />
      </PersistedQueries>
    </I18nProvider>
  );
}
