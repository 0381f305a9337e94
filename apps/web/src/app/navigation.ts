import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { IconName } from '../ui/icon-names.ts';
import type { Side } from './routes.ts';

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
/** Where the badge of unread conversations stands. */
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

/** The tab bar of a phone (look.md, Tabs). */
export const tabs: Record<Side, readonly NavItem[]> = {
  work: [explore, myWork, messages, account],
  hire: [business, jobs, messages, account],
};

/** The menu: on a desktop always there, on a phone behind the three lines. */
export const menu: Record<Side, readonly NavItem[]> = {
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
    { to: '/all-job-applicants', label: msg`Applicants`, icon: 'users-three' },
    { to: '/to-interview', label: msg`Interviews`, icon: 'video-camera' },
    { to: '/merchant-ongoing-jobs', label: msg`On shift`, icon: 'timer' },
    { to: '/release-payment', label: msg`Release payment`, icon: 'hand-coins' },
    { to: '/merchant-transaction', label: msg`Statement`, icon: 'receipt' },
    messages,
  ],
};

/** Where switching to a side leads. */
export const sideHome: Record<Side, string> = { work: explore.to, hire: business.to };
