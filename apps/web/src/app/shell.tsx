import { IonRouterOutlet, IonSplitPane, IonTabs } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import { Suspense, useEffect } from 'react';
import { Navigate, Route as RouterRoute, useLocation } from 'react-router-dom';
import { side as sideSetting, useDeviceSetting } from '../lib/device-setting.ts';
import { wideQuery } from '../ui/wide.ts';
import { Guard } from './guard.tsx';
import { insidePath } from './open-url.ts';
import { homePath, type Route, routeOf, routes } from './routes.ts';
import { screenOf } from './screens.tsx';
import { SideMenu } from './side-menu.tsx';
import { useTabBar } from './tab-bar.tsx';

function element(route: Route) {
  if (typeof route.screen !== 'string') return <Navigate to={route.screen.redirect} replace />;
  const Page = screenOf(route.screen);
  return (
    <Guard route={route}>
      <Suspense fallback={null}>
        <Page />
      </Suspense>
    </Guard>
  );
}

/** Built once: an element that changes its identity would make the outlet mount its page anew. */
const outletRoutes = [
  ...routes.map((route) => <RouterRoute key={route.path} path={route.path} element={element(route)} />),
  <RouterRoute key="*" path="*" element={<Elsewhere />} />,
];

/** A path that does not exist, as it is written: perhaps a known one in other clothes, else home. */
function Elsewhere() {
  const { pathname, search } = useLocation();
  return <Navigate to={insidePath(pathname + search) ?? homePath} replace />;
}

/** Menu, pages and tabs. One flat outlet inside one IonTabs (ADR 0030): going back finds every list as it was left. */
export function Shell() {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const side = useDeviceSetting(sideSetting);
  const route = routeOf(pathname);
  const tabBar = useTabBar({ side, pathname });
  const entry = Boolean(route?.entry);

  useEffect(() => {
    if (route?.side) sideSetting.set(route.side);
  }, [route?.side]);

  return (
    <>
      <button type="button" className="skip" onClick={skipToPage}>
        {t`Skip to the page`}
      </button>
      <IonSplitPane contentId="main" when={wideQuery} disabled={entry}>
        <SideMenu disabled={entry} />
        <div id="main" className="ion-page">
          <IonTabs>
            <IonRouterOutlet>{outletRoutes}</IonRouterOutlet>
            {tabBar}
          </IonTabs>
        </div>
      </IonSplitPane>
    </>
  );
}

/** The visible page among those that stay mounted. */
function skipToPage(): void {
  const page = document.querySelector<HTMLElement>('.ion-page.screen:not(.ion-page-hidden) ion-content');
  page?.setAttribute('tabindex', '-1');
  page?.focus();
}
