import { useLingui } from '@lingui/react/macro';
import type { Account } from '@nearhand/contract/people/accounts';
import { type ComponentType, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Navigate, type RouteObject, useLocation, useNavigate } from 'react-router';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { lazyPart, whenIdle } from '../../lib/pages/load-part.ts';
import { isMenuOpenNow, useIsMenuOpen } from '../../lib/pages/menu-state.ts';
import { homePath } from '../../lib/pages/next-path.ts';
import { resolveLandingPath } from '../../lib/pages/post-login-redirect.ts';
import { visibleMain } from '../../lib/pages/visible-main.ts';
import { useUser } from '../../lib/session.ts';
import { isLeaving } from '../../lib/sign-out.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { Boundary } from '../boundary.tsx';
import { entryPath, insidePath, returnPath } from '../native/open-url.ts';
import { prefetchScreens } from '../prefetch.ts';
import { guestPrefetchTargets, prefetchTargets } from '../prefetch-targets.ts';
import { RemovePrerendered } from '../remove-prerendered.tsx';
import { type MenuSide, type Route, routeOf, routes } from '../routes.ts';
import { screenOf } from '../screens.tsx';
import { shownPage } from '../stack/page-stack.ts';
import { Pages, usePageStack } from '../stack/pages.tsx';
import { messagesPath, type NavItem, tabs } from './navigation.ts';

function element(route: Route) {
  if (typeof route.screen !== 'string') return <Redirect to={route.screen.redirect} />;
  return (
    <Known>
      <Guard route={route}>
        <Shown page={screenOf(route.screen)} />
      </Guard>
    </Known>
  );
}

/** Redirects with the query: search engines send people to `/?q=`. */
function Redirect({ to }: { to: string }) {
  const { search } = useLocation();
  return <Navigate to={to + search} replace />;
}

const Shown = ({ page: Page }: { page: ComponentType }) => (
  <Boundary>
    <Suspense fallback={<Coming />}>
      <Page />
      <RemovePrerendered />
    </Suspense>
  </Boundary>
);

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

const NotFound = lazyPart(() => import('../not-found.tsx'));

/** Built once: a changed element identity would remount the page. */
const pageRoutes: RouteObject[] = [
  ...routes.map((route) => ({ path: route.path, element: element(route) })),
  { path: '*', element: <Known /> },
];

/** Redirects escapes, trailing slashes and capitals, which the router also matches, to the route table's path. */
function Known({ children }: { children?: ReactNode }) {
  const { pathname, search } = useLocation();
  const path = insidePath(pathname);
  if (path === null) return <Shown page={NotFound} />;
  return path === pathname ? children : <Navigate to={path + search} replace />;
}

const ServiceLine = lazyPart(() =>
  whenIdle().then(() => import('../../trust/service-status/service-line.tsx')),
);
const RestrictionLine = lazyPart(() =>
  whenIdle().then(() => import('../../trust/sanctions/restriction-line.tsx')),
);
const EntryArt = lazyPart(() => import('../auth-illustration.tsx'));
const SideMenu = lazyPart(() => import('./side-menu.tsx'));
const whole = new Set<unknown>(['getting-started', 'flashscreen', 'loading', 'kiosk']);

export function Shell() {
  const { t } = useLingui();
  const stack = usePageStack();
  // The shown page can lag slightly behind the address.
  const { pathname } = shownPage(stack).location;
  const side = useDeviceSetting(sideSetting);
  const wide = useWide();
  const route = routeOf(pathname);
  const entry = Boolean(route?.entry);
  const isBeside = wide && entry && !whole.has(route?.screen);

  useEffect(() => {
    // Browsing does not change the saved side.
    if (route?.side && route.side !== sideSetting.get()) sideSetting.set(route.side);
  }, [route?.side]);

  const user = useUser();
  const isMember = user?.emailVerified === true;
  useEffect(() => {
    if (isMember) prefetchScreens(prefetchTargets[side]);
    else if (entry) prefetchScreens(guestPrefetchTargets);
  }, [isMember, side, entry]);

  return (
    <>
      <button type="button" className="skip" onClick={skipToPage}>
        {t`Skip to content`}
      </button>
      <div className="shell">
        {entry ? null : wide ? <PinnedMenu /> : <DrawerMenu />}
        <div id="main" data-screen={route?.screen} data-beside={isBeside || undefined}>
          {isBeside ? (
            <Boundary silent>
              <Suspense fallback={<div className="entry-art" />}>
                <EntryArt />
              </Suspense>
            </Boundary>
          ) : null}
          {entry ? null : (
            <Boundary silent>
              <Suspense fallback={null}>
                <ServiceLine />
              </Suspense>
            </Boundary>
          )}
          {entry || !user ? null : (
            <Boundary silent>
              <Suspense fallback={null}>
                <RestrictionLine />
              </Suspense>
            </Boundary>
          )}
          <Pages stack={stack} routes={pageRoutes} />
          {route?.tab && !wide ? <TabBar side={side} pathname={pathname} /> : null}
        </div>
      </div>
    </>
  );
}

function PinnedMenu() {
  return (
    <div className="side-place">
      <Boundary silent>
        <Suspense fallback={null}>
          <SideMenu drawer={false} />
        </Suspense>
      </Boundary>
    </div>
  );
}

function DrawerMenu() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const open = useIsMenuOpen();
  return (
    <Dialog
      open={open}
      onClose={() => (isMenuOpenNow() ? navigate(-1) : undefined)}
      inHistory
      className="drawer"
      label={t`Menu`}
    >
      <Boundary silent>
        <Suspense fallback={null}>
          <SideMenu drawer />
        </Suspense>
      </Boundary>
    </Dialog>
  );
}

function skipToPage(): void {
  visibleMain()?.focus();
}

const UnreadMessages = lazyPart(() => import('./unread-messages.tsx'));

const HireTabs = lazyPart(() => import('./hire-tabs.tsx'));

function TabBar({ side, pathname }: { side: MenuSide; pathname: string }) {
  const { t, i18n } = useLingui();
  const user = useUser();
  const tab = ({ to, label, icon, iconOn }: NavItem) => {
    const isOn = pathname === to;
    return (
      <Link key={to} to={to} className="tab" aria-current={isOn ? 'page' : undefined}>
        <Icon name={isOn && iconOn ? iconOn : icon} />
        <span>{i18n._(label)}</span>
        {to === messagesPath && user ? (
          <Boundary silent>
            <Suspense fallback={null}>
              <UnreadMessages side={side} />
            </Suspense>
          </Boundary>
        ) : null}
      </Link>
    );
  };
  return (
    <nav className="tab-nav" aria-label={t`Main`}>
      {side === 'hire' && user ? (
        <Suspense fallback={tabs.hire.map(tab)}>
          <HireTabs tab={tab} />
        </Suspense>
      ) : (
        tabs[side].map(tab)
      )}
    </nav>
  );
}

/** Enforces who may see a screen (spec §4, §5). It is for convenience only: the API guards every record itself. */
export function Guard({ route, children }: { route: Route; children: ReactNode }) {
  const user = useUser();
  const { pathname, search } = useLocation();
  const isVerified = user?.emailVerified === true;

  if (route.guarded && !isVerified) {
    return <Navigate to={isLeaving() ? '/getting-started' : entryPath(pathname, search)} replace />;
  }
  // An account being deleted can still be restored there, and its data downloaded.
  if (user?.leaving && (route.guarded || route.tab) && pathname !== '/account-settings')
    return <Navigate to="/account-settings" replace />;
  if (route.entry === 'guest' && isVerified) {
    return <Arrival search={search}>{children}</Arrival>;
  }
  return children;
}

/**
 * Redirects from the sign-in screens: to the return path, to where the person was going when they signed up,
 * or to their side.
 */
function Arrival({ search, children }: { search: string; children: ReactNode }) {
  const [path, setPath] = useState(() => returnPath(search, ''));
  // Runs with a return path too, so the account forgets an older one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: where to go is decided once, on arrival.
  useEffect(() => {
    // The mail may be opened in the middle of the steps of sign-up.
    const leftStep = search.includes('verify=')
      ? async (me: Account) => (await import('../../people/profiles/sign-up-steps.ts')).leftStep(me)
      : undefined;
    void resolveLandingPath(leftStep).then((arrival) =>
      setPath((current) => current || insidePath(arrival) || homePath),
    );
  }, []);
  return path ? <Navigate to={path} replace /> : children;
}
