import type { Business } from '@nearhand/contract/people/businesses';
import { type Capability, roleMay } from '@nearhand/contract/people/team.rules';

/** The capability each hiring screen needs, for the menu and for the screen itself (ADR 163). */
export const screenNeeds = {
  '/tabs/menu/jobs': 'jobs',
  '/create-job': 'jobs',
  '/listed-job': 'jobs',
  '/roster': 'jobs',
  '/all-job-applicants': 'applicants',
  '/find-workers': 'applicants',
  '/saved-workers': 'pools',
  '/to-interview': 'applicants',
  '/merchant-ongoing-jobs': 'work',
  '/working-now': 'work',
  '/release-payment': 'view',
  '/completed-job': 'work',
  '/merchant-transaction': 'money',
} as const satisfies Record<string, Capability>;
export type RoleScreen = keyof typeof screenNeeds;

/** The screen that members of a role start at after they join. */
export const startScreen = (role: Business['role']): string => {
  if (role === 'recruiter' || role === 'coordinator') return '/all-job-applicants';
  return role === 'finance' ? '/merchant-transaction' : '/tabs/menu/business';
};

type Member = Pick<Business, 'role' | 'branchIds'>;

/** Returns whether a member may open a screen. Pools are closed to members limited to branches. */
export function mayOpen(member: Member | null | undefined, path: string): boolean {
  const need: Capability | undefined = (screenNeeds as Record<string, Capability>)[path];
  if (!member || need === undefined) return true;
  return roleMay(member.role, need) && (need !== 'pools' || member.branchIds === null);
}

/** Menu entries that stay empty once a business is closed. */
const endedWithBusiness = [
  '/roster',
  '/find-workers',
  '/saved-workers',
  '/to-interview',
  '/merchant-ongoing-jobs',
  '/release-payment',
];

/** Returns whether the hiring menu has an entry. Messages are those of all the member's businesses. */
export function isInHireMenu(
  to: string,
  business: Business | null | undefined,
  all: readonly Pick<Business, 'role'>[],
): boolean {
  if (to === '/tabs/menu/messages')
    return all.length === 0 || all.some(({ role }) => roleMay(role, 'messages'));
  return mayOpen(business, to) && !(business?.status === 'closed' && endedWithBusiness.includes(to));
}
