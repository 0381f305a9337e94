import { msg, plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { budgetsPath } from '@nearhand/contract/app-paths';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { menuOpen } from '../../lib/pages/menu-state.ts';
import { type SessionUser, useUser } from '../../lib/session.ts';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { isInHireMenu } from '../../people/businesses/role-screens.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Lockup } from '../../ui/art/mark.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { entryPath } from '../native/open-url.ts';
import type { MenuSide } from '../routes.ts';
import { NavCount } from './nav-count.tsx';
import { menu, messagesPath, type NavItem, sectionOf, sideHome } from './navigation.ts';
import UnreadMessages from './unread-messages.tsx';

function BusinessInUse() {
  const { t } = useLingui();
  return useCurrentBusiness().business?.name ?? t`Account`;
}

/** The badge of a hiring entry; hidden at zero and for roles without access to that screen. */
function HireCount({ to }: { to: string }) {
  const { t } = useLingui();
  const business = useCurrentBusiness().business;
  const businessId = business?.id ?? '';
  const work = useQuery({
    ...apiQuery.engagements.forBusiness.queryOptions({
      input: { businessId, group: 'here', limit: 1 },
      ...neverPersist,
    }),
    enabled: businessId !== '' && (to === '/merchant-ongoing-jobs' || to === '/release-payment'),
  }).data?.counts;
  const interviews = useQuery({
    ...apiQuery.interviews.mine.queryOptions({
      input: { businessId, group: 'upcoming', limit: maxInterviews + 1 },
      ...neverPersist,
    }),
    enabled: businessId !== '' && to === '/to-interview',
  }).data?.items.length;
  const counts: Record<string, [count: number | undefined, words: string, hot?: boolean]> = {
    '/tabs/menu/jobs': [business?.openJobs, t`open`],
    '/all-job-applicants': [
      business?.newApplicants,
      t`${plural(business?.newApplicants ?? 0, { one: 'not opened', other: 'not opened' })}`,
      true,
    ],
    '/to-interview': [interviews, t`upcoming`],
    '/merchant-ongoing-jobs': [work ? work.here + work.late : undefined, t`on site or late`, !!work?.late],
    '/release-payment': [
      roleMay(business?.role ?? null, 'pay') ? work?.to_approve : undefined,
      t`to release`,
    ],
    '/merchant-transaction': [business?.budgetRequests, t`budget requests`, true],
  };
  const [count, words, hot] = counts[to] ?? [undefined, ''];
  return (
    <NavCount
      count={count}
      words={words}
      hot={hot}
      upTo={to === '/to-interview' ? maxInterviews : undefined}
    />
  );
}
const maxInterviews = 20;

const ringRadii = [44, 88, 132, 176, 220];

const Rings = () => (
  <svg className="rings" viewBox="0 0 248 260" aria-hidden="true">
    {ringRadii.map((radius, index) => (
      <circle
        key={radius}
        cx="30"
        cy="252"
        r={radius}
        fill="none"
        stroke="var(--pine-line)"
        strokeWidth="1.25"
        opacity={1 - index * 0.17}
      />
    ))}
  </svg>
);

function MenuEntry({ item, drawer }: { item: NavItem; drawer: boolean }) {
  const { i18n } = useLingui();
  const side = useDeviceSetting(sideSetting);
  const { pathname } = useLocation();
  const user = useUser();
  const { business } = useCurrentBusiness();
  const hasRequests = business?.budgetRequests && item.to === '/merchant-transaction';
  const isInSection = sectionOf(pathname, side) === item.to;
  return (
    <li>
      <Link
        to={hasRequests ? budgetsPath(business.id) : item.to}
        className="nav"
        aria-current={currentOf(item.to, pathname, side)}
        replace={drawer}
      >
        <Icon name={isInSection && item.iconOn ? item.iconOn : item.icon} />
        {i18n._(item.label)}
        {item.to === messagesPath ? <UnreadMessages side={side} /> : null}
        {side === 'hire' && user?.emailVerified ? <HireCount to={item.to} /> : null}
      </Link>
    </li>
  );
}

/** The value of `aria-current` for a link: its own page, or a page of its section. */
function currentOf(to: string, pathname: string, side: MenuSide): 'page' | 'true' | undefined {
  if (pathname === to) return 'page';
  return sectionOf(pathname, side) === to ? 'true' : undefined;
}

function OwnAccount({
  user,
  photoPath,
  drawer,
}: {
  user: SessionUser;
  photoPath: string | null | undefined;
  drawer: boolean;
}) {
  const { t } = useLingui();
  const side = useDeviceSetting(sideSetting);
  const { pathname } = useLocation();
  return (
    <Link
      className="side-who"
      to="/tabs/menu/account"
      aria-current={currentOf('/tabs/menu/account', pathname, side)}
      replace={drawer}
    >
      <Avatar name={user.name || user.email} src={fileUrl(photoPath)} />
      <span className="grow">
        <span className="mid sm block clip">{user.name || user.email}</span>
        <span className="xs mute block clip">{side === 'hire' ? <BusinessInUse /> : t`Account`}</span>
      </span>
    </Link>
  );
}

function EntryButtons({ drawer }: { drawer: boolean }) {
  const { t } = useLingui();
  const { pathname } = useLocation();
  return (
    <div className="col g2 side-entry">
      <ButtonLink kind="on-pine" size="s" full to={entryPath(pathname, '', '/register')} replace={drawer}>
        {t`Create account`}
      </ButtonLink>
      <ButtonLink kind="ghost-pine" size="s" full to={entryPath(pathname, '', '/login')} replace={drawer}>
        {t`Log in`}
      </ButtonLink>
    </div>
  );
}

/** The green menu: pinned from 992 px, a drawer below that. Links in the drawer replace its history entry. */
export default function SideMenu({ drawer }: { drawer: boolean }) {
  const { t } = useLingui();
  const side = useDeviceSetting(sideSetting);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const user = useUser();
  const { business, all } = useCurrentBusiness();
  const account = useQuery({ ...apiQuery.accounts.me.queryOptions(), enabled: user !== null });
  const unread = account.data?.unreadNotifications ?? 0;

  return (
    <nav className="side" aria-label={t`Menu`}>
      <Rings />
      <Link className="brand" to={sideHome[side]} aria-label="Nearhand" replace={drawer}>
        <Lockup onPine />
      </Link>
      <Segmented<MenuSide>
        label={t`What you're here for`}
        value={side}
        options={[
          { value: 'work', label: t`Work` },
          { value: 'hire', label: t`Hire` },
        ]}
        onChange={(next) => {
          sideSetting.set(next);
          navigate(sideHome[next], { replace: drawer });
          if (drawer) navigate(sideHome[next], { state: menuOpen });
        }}
      />
      <div className="side-nav">
        <ul>
          {menu[side]
            .filter(({ to }) => side === 'work' || isInHireMenu(to, business, all))
            .map((item) => (
              <MenuEntry key={item.to} item={item} drawer={drawer} />
            ))}
          {user ? (
            <li>
              <Link
                to="/notifications"
                className="nav"
                aria-current={currentOf('/notifications', pathname, side)}
                replace={drawer}
              >
                <Icon name="bell" />
                {t`Notifications`}
                <NavCount count={unread} words={t`new`} hot />
              </Link>
            </li>
          ) : (
            <MenuEntry item={{ to: '/tabs/menu/help', label: msg`Help`, icon: 'question' }} drawer={drawer} />
          )}
        </ul>
      </div>
      {user ? (
        <OwnAccount user={user} photoPath={account.data?.photoPath} drawer={drawer} />
      ) : (
        <EntryButtons drawer={drawer} />
      )}
    </nav>
  );
}
