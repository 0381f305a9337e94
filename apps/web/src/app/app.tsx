import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { hourMs } from '@nearhand/contract/durations';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  Router,
  useLocation,
  useNavigate,
} from 'react-router';
import { apiQuery } from '../lib/api/api.ts';
import { PersistedQueries } from '../lib/api/persisted-queries.tsx';
import { isNative } from '../lib/device/platform.ts';
import { closeLayersOnBrowserBack, closeTopLayer } from '../lib/pages/back-button.ts';
import { canGoBack, historyIndex } from '../lib/pages/go-back.ts';
import { lazyPart, whenIdle } from '../lib/pages/load-part.ts';
import { useUser } from '../lib/session.ts';
import { learnSettings } from '../lib/settings.ts';
import { AlertHost } from '../ui/overlays/alert.tsx';
import { ToastHost } from '../ui/overlays/toast.tsx';
import { Boundary } from './boundary.tsx';
import { DeepLinks } from './native/deep-links.tsx';
import { nativeApp, removeListener } from './native/native-app.ts';
import { Shell } from './shell/shell.tsx';

const AppLock = lazyPart(() => import('./native/app-lock.tsx'));
const BackgroundParts = lazyPart(() => whenIdle().then(() => import('./background/background.tsx')));
const SignedIn = lazyPart(() => whenIdle().then(() => import('./background/signed-in.tsx')));

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
              <BackgroundParts />
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

function ServerSettings() {
  const { data } = useQuery(apiQuery.settings.get.queryOptions({ staleTime: hourMs }));
  useEffect(() => {
    if (data) learnSettings(data);
  }, [data]);
  return null;
}

export function BrowserBack() {
  const { key } = useLocation();
  const lastShown = useRef({ key, index: historyIndex() });
  useLayoutEffect(() => {
    lastShown.current = { key, index: historyIndex() };
  }, [key]);
  // Runs before the surrounding router's effect: window listeners run in the order they were added.
  useLayoutEffect(() => closeLayersOnBrowserBack(() => lastShown.current.index), []);
  return null;
}

/** React Router's `BrowserRouter` without its module, which would add data routers to the first load. */
function AppRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [{ location, action }, setState] = useState({ location: history.location, action: history.action });
  useLayoutEffect(() => history.listen((next) => setState(next)), [history]);
  return (
    <Router location={location} navigationType={action} navigator={history} useTransitions={false}>
      {children}
    </Router>
  );
}

/** Android's back button: closes the top layer, otherwise goes back, and leaves the app on the first page. */
export function HardwareBack() {
  const navigate = useNavigate();
  const latest = useRef(navigate);
  latest.current = navigate;
  useEffect(() => {
    const app = nativeApp();
    const back = () => {
      if (closeTopLayer()) return;
      if (canGoBack()) latest.current(-1);
      else void app?.minimizeApp?.();
    };
    return removeListener(app?.addListener?.('backButton', back));
  }, []);
  return null;
}
