import { useLingui } from '@lingui/react/macro';
import { Suspense } from 'react';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useUser } from '../../lib/session.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Boundary } from '../boundary.tsx';
import type { Side } from '../routes.ts';
import { messagesPath, tabs } from './navigation.ts';

const UnreadMessages = lazyPart(() => import('./unread-messages.tsx'));

/** The tabs of a phone; desktops use the menu. */
export function TabBar({ side, pathname }: { side: Side; pathname: string }) {
  const { t, i18n } = useLingui();
  const user = useUser();
  return (
    <nav className="tab-nav" aria-label={t`Main`}>
      {tabs[side].map(({ to, label, icon, iconOn }) => {
        const on = pathname === to;
        return (
          <Link key={to} to={to} className="tab" aria-current={on ? 'page' : undefined}>
            <Icon name={on && iconOn ? iconOn : icon} />
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
      })}
    </nav>
  );
}
