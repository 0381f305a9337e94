import { IonTabBar, IonTabButton } from '@ionic/react';
import { useLingui } from '@lingui/react/macro';
import type { ComponentProps, ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { UnreadMessages } from './nav-count.tsx';
import { messagesPath, type NavItem, tabs } from './navigation.ts';
import { routeOf, type Side } from './routes.ts';

/** The phone's tabs. Ionic finds its buttons among the direct children, so this builds elements instead of being a component. */
export function tabButtons(
  side: Side,
  pathname: string,
  name: (item: NavItem) => string,
  mark: (item: NavItem) => ReactNode = () => null,
) {
  return tabs[side].map((item) => {
    const on = pathname === item.to;
    return (
      <IonTabButton key={item.to} tab={item.to} href={item.to} className="tab">
        <Icon name={on && item.iconOn ? item.iconOn : item.icon} />
        <span>{name(item)}</span>
        {mark(item)}
      </IonTabButton>
    );
  });
}

type TabBarProps = ComponentProps<typeof IonTabBar> & { side: Side; pathname: string };

/** Hidden off the tabs and on a desktop; it keeps its state meanwhile. */
export function useTabBar({ side, pathname }: Pick<TabBarProps, 'side' | 'pathname'>) {
  const { t, i18n } = useLingui();
  const shown = routeOf(pathname)?.tab === true;
  const mark = (item: NavItem) => (item.to === messagesPath ? <UnreadMessages side={side} /> : null);
  return (
    <nav slot="bottom" className={shown ? 'tab-nav' : 'tab-nav off'} aria-label={t`Main`}>
      <IonTabBar className="tabs">{tabButtons(side, pathname, (item) => i18n._(item.label), mark)}</IonTabBar>
    </nav>
  );
}
