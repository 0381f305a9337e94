import { type OperatorCapability, operatorMay } from '@nearhand/contract/operator-roles';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Icon } from '../ui/art/icon.tsx';
import type { IconName } from '../ui/art/icon-names.ts';
import { Mark } from '../ui/art/mark.tsx';
import { IconButton } from '../ui/controls/button.tsx';
import { Link } from '../ui/controls/link.tsx';
import { consoleAuth } from './console-auth.ts';
import { useOperator } from './door/operator-session.ts';

type Place = { to: string; label: string; icon: IconName; may: OperatorCapability };

const places: readonly Place[] = [
  { to: '/cases', label: 'Queue', icon: 'list-bullets', may: 'queue' },
  { to: '/search', label: 'Search', icon: 'magnifying-glass', may: 'search' },
  { to: '/messages', label: 'Messages', icon: 'megaphone', may: 'service-messages' },
  { to: '/health', label: 'Health', icon: 'clock-countdown', may: 'health' },
  { to: '/log', label: 'Log', icon: 'article', may: 'log' },
];

/** The rail with the console's places, and the page next to it; on a phone above it. */
export function Layout({ children }: { children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="console">
        <Rail />
        {children}
      </div>
    </>
  );
}

function Rail() {
  const { pathname } = useLocation();
  const { name, roles } = useOperator();
  const mine = places.filter(({ may }) => operatorMay(roles, may));
  return (
    <header className="c-rail">
      <div className="c-brand">
        <Mark onPine />
        <span className="strong">Operators</span>
      </div>
      <nav className="c-nav" aria-label="Console">
        {mine.map(({ to, label, icon }) => (
          <Link key={to} className="nav" to={to} aria-current={pathname.startsWith(to) ? 'page' : undefined}>
            <Icon name={icon} />
            {label}
          </Link>
        ))}
      </nav>
      <div className="c-who">
        <span className="sm clip">{name}</span>
        <IconButton
          icon="sign-out"
          label="Log out"
          onClick={() => void consoleAuth.signOut().catch(() => {})}
        />
      </div>
    </header>
  );
}
