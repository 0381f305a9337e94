/** A member's roles in a business (product.md, Words). What each may do: `people/team.rules.ts`. */
export const memberRoles = ['owner', 'manager', 'recruiter', 'finance'] as const;
export type MemberRole = (typeof memberRoles)[number];
