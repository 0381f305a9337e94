import type { MemberRole } from '@nearhand/contract/operation';

/** What can be done with the money of a business: look at it, spend it on offers, pay and tips, or manage cards, top-ups and refunds. */
export type MoneyAction = 'look' | 'spend' | 'manage';

const allowed: Record<MoneyAction, readonly MemberRole[]> = {
  look: ['owner', 'manager', 'recruiter', 'finance'],
  // Whoever hires; finance pays the bills but offers and approves nothing.
  spend: ['owner', 'manager', 'recruiter'],
  manage: ['owner', 'manager', 'finance'],
};

/** Whether a member of this role may, whatever the state. */
export const canMoney = (role: MemberRole, action: MoneyAction): boolean => allowed[action].includes(role);
