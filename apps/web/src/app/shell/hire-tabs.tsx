import type { ReactNode } from 'react';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { isInHireMenu } from '../../people/businesses/role-screens.ts';
import { type NavItem, tabs } from './navigation.ts';

/** The hiring tabs that the member's role includes. */
export default function HireTabs({ tab }: { tab: (item: NavItem) => ReactNode }) {
  const { business, all } = useCurrentBusiness();
  return tabs.hire.filter(({ to }) => isInHireMenu(to, business, all)).map(tab);
}
