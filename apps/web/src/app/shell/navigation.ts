import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { IconName } from '../../ui/art/icon-names.ts';
import { type MenuSide, routeOf } from '../routes.ts';

export type NavItem = { to: string; label: MessageDescriptor; icon: IconName; iconOn?: IconName };

const explore: NavItem = {
  to: '/tabs/menu/explore',
  label: msg`Explore`,
  icon: 'compass',
  iconOn: 'compass-fill',
};
const myWork: NavItem = {
  to: '/tabs/menu/my-work',
  label: msg`My work`,
  icon: 'calendar-check',
  iconOn: 'calendar-check-fill',
};
export const messagesPath = '/tabs/menu/messages';
const messages: NavItem = {
  to: messagesPath,
  label: msg`Messages`,
  icon: 'chats-circle',
  iconOn: 'chats-circle-fill',
};
const account: NavItem = {
  to: '/tabs/menu/account',
  label: msg`Account`,
  icon: 'user-circle',
  iconOn: 'user-circle-fill',
};
const business: NavItem = {
  to: '/tabs/menu/business',
  label: msg`Business`,
  icon: 'storefront',
  iconOn: 'storefront-fill',
};
const jobs: NavItem = {
  to: '/tabs/menu/jobs',
  label: msg`Jobs`,
  icon: 'clipboard-text',
  iconOn: 'clipboard-text-fill',
};

export const tabs: Record<MenuSide, readonly NavItem[]> = {
  work: [explore, myWork, messages, account],
  hire: [business, jobs, messages, account],
};

export const menu: Record<MenuSide, readonly NavItem[]> = {
  work: [
    explore,
    myWork,
    { to: '/favorite', label: msg`Saved`, icon: 'heart' },
    messages,
    { to: '/interview', label: msg`Interviews`, icon: 'video-camera' },
    { to: '/withdraw', label: msg`Balance`, icon: 'wallet' },
    { to: '/rating-review', label: msg`Reviews`, icon: 'star' },
  ],
  hire: [
    business,
    jobs,
    { to: '/roster', label: msg`Roster`, icon: 'calendar-blank' },
    { to: '/all-job-applicants', label: msg`Applicants`, icon: 'users-three' },
    { to: '/find-workers', label: msg`Find workers`, icon: 'magnifying-glass' },
    { to: '/saved-workers', label: msg`Saved workers`, icon: 'users' },
    { to: '/to-interview', label: msg`Interviews`, icon: 'video-camera' },
    { to: '/merchant-ongoing-jobs', label: msg`On shift`, icon: 'timer' },
    { to: '/release-payment', label: msg`Release payment`, icon: 'hand-coins' },
    { to: '/completed-job', label: msg`Finished work`, icon: 'check-circle' },
    { to: '/merchant-transaction', label: msg`Statement`, icon: 'receipt' },
    { to: '/business-review', label: msg`Reviews`, icon: 'star' },
    messages,
  ],
};

export const sideHome: Record<MenuSide, string> = { work: explore.to, hire: business.to };

/** The screens opened from a menu entry, by name; an entry's own screen need not be listed. */
const ledTo: Record<MenuSide, Record<string, readonly string[]>> = {
  work: {
    [explore.to]: ['nearby-jobs-list', 'job-desc', 'job-apply-form'],
    [myWork.to]: ['application', 'engagement', 'giveaway', 'job-applied-success', 'completed-job'],
    '/withdraw': ['user-transaction'],
    '/rating-review': ['business-review'],
  },
  hire: {
    [business.to]: ['edit-business', 'register-business'],
    [jobs.to]: ['create-job', 'edit-job', 'share-job'],
    '/all-job-applicants': ['job-applicants', 'worker-details'],
    '/to-interview': ['interview'],
    '/merchant-ongoing-jobs': ['merchant-engagement', 'completed-job', 'giveaway', 'working-now'],
  },
};
const ofAccount = [
  'account-settings',
  'change-password',
  'favorite',
  'help-center',
  'join-team',
  'owner-change',
  'help',
  'help-article',
  'contact',
  'ticket',
  'myprofile',
  'share-refer',
  'toc',
  'public-terms',
  'verify',
  'report',
  'decisions',
  'decision',
];
const below: Record<string, readonly string[]> = {
  '/notifications': ['notification-settings'],
  [account.to]: ofAccount,
};

export function sectionOf(pathname: string, side: MenuSide): string | null {
  const screen = routeOf(pathname)?.screen;
  if (typeof screen !== 'string') return null;
  const entries = [...menu[side].map(({ to }) => to), ...Object.keys(below)];
  return (
    entries.find((to) => routeOf(to)?.screen === screen) ??
    entries.find((to) => (ledTo[side][to] ?? below[to] ?? []).includes(screen)) ??
    null
  );
}
