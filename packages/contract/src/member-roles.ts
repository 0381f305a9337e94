/** A member's roles in a business (product.md, Words). Their capabilities are in `people/team.rules.ts`. */
export const memberRoles = ['owner', 'manager', 'recruiter', 'coordinator', 'finance'] as const;
export type MemberRole = (typeof memberRoles)[number];
