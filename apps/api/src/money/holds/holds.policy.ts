import { type MemberRole, recruiterRoles } from '@nearhand/contract/operation';

const payers: readonly MemberRole[] = recruiterRoles;

/** Whether a member of this role pays a hold of their business, whatever its state: anyone who hires. Finance pays the bills but offers and approves nothing. */
export const canPayHolds = (role: MemberRole): boolean => payers.includes(role);
