import { IonRouterOutlet, IonSplitPane, IonTabs } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import { Suspense, useEffect } from 'react';
import { Navigate, Route as RouterRoute, useLocation } from 'react-router-dom';
import { side as sideSetting, useDeviceSetting } from '../lib/device-setting.ts';
import { lazyPart } from '../lib/load-part.ts';
import { PageSkeleton } from '../ui/skeleton.tsx';
import { useWide, wideQuery } from '../ui/wide.ts';
import { Boundary } from './boundary.tsx';
import { Guard } from './guard.tsx';
import { insidePath } from './open-url.ts';
import { homePath, type Route, routeOf, routes } from './routes.ts';
import { loadAhead, screenOf } from './screens.tsx';
import { SideMenu } from './side-menu.tsx';
import { useTabBar } from './tab-bar.tsx';

function element(route: Route) {
  if (typeof route.screen !== 'string') return <Navigate to={route.screen.redirect} replace />;
  const Page = screenOf(route.screen);
  return (
    <Guard route={route}>
      <Boundary>
        <Suspense fallback={<Coming />}>
          <Page />
        </Suspense>
      </Boundary>
    </Guard>
  );
}

/** While the code of a screen loads: a line along the top, and the shape of a page, so that nobody looks at an empty one. */
function Coming() {
  return (
    <>
      <span className="coming" />
      <div className="coming-page">
        <PageSkeleton />
      </div>
    </>
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
  if (routeOf(pathname)) return null;
  return <Navigate to={insidePath(pathname + search) ?? homePath} replace />;
}

const EntryArt = lazyPart(() => import('./entry-art.tsx'));
/** Screens before the app that fill the page by themselves; the others stand beside the town on a desktop. */
const whole = new Set<unknown>(['getting-started', 'flashscreen', 'loading']);

/** Menu, pages and tabs. One flat outlet inside one IonTabs (ADR 0030): going back finds every list as it was left. */
export function Shell() {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const side = useDeviceSetting(sideSetting);
  const route = routeOf(pathname);
  const tabBar = useTabBar({ side, pathname });
  const entry = Boolean(route?.entry);
  const beside = useWide() && entry && !whole.has(route?.screen);

  useEffect(() => {
    // A look around on the side that is open anyway is no choice of it.
    if (route?.side && route.side !== sideSetting.get()) sideSetting.set(route.side);
  }, [route?.side]);

  useEffect(() => {
    loadAhead(
      side === 'work'
        ? ['explore', 'job-desc', 'my-work', 'account']
        : ['my-business', 'listed-job', 'account'],
    );
  }, [side]);

  return (
    <>
      <button type="button" className="skip" onClick={skipToPage}>
        {t`Skip to the page`}
      </button>
      <IonSplitPane contentId="main" when={wideQuery} disabled={entry}>
        <SideMenu disabled={entry} />
        {/* The split pane and the menu write classes of their own on this element, once: a class that changes would wipe them. */}
        <div id="main" className="ion-page" data-beside={beside || undefined}>
          {beside ? (
            <Boundary silent>
              <Suspense fallback={<div className="entry-art" />}>
                <EntryArt />
              </Suspense>
            </Boundary>
          ) : null}
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
