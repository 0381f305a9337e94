import type { MemberRole } from '@nearhand/contract/operation';

/** Who sees the statement, the documents and the analytics of a business. A recruiter spends its money, and sees what is held and paid on the work itself. */
const readers: readonly MemberRole[] = ['owner', 'manager', 'finance'];

export const canReadStatement = (role: MemberRole): boolean => readers.includes(role);
