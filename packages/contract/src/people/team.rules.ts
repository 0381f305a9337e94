import { type MemberRole, memberRoles } from '../member-roles.ts';

/** The capabilities of each role in a business, for policies, lists, screens and tests (ADR 163). */
export const roleTable = {
  view: memberRoles,
  jobs: ['owner', 'manager', 'recruiter', 'coordinator'],
  applicants: ['owner', 'manager', 'recruiter', 'coordinator'],
  /** Excludes members limited to branches, since pools belong to the whole business. */
  pools: ['owner', 'manager', 'recruiter', 'coordinator'],
  messages: ['owner', 'manager', 'recruiter', 'coordinator'],
  /** Manage shifts: attendance, no-shows, cancelling, days off. */
  work: ['owner', 'manager', 'recruiter', 'coordinator'],
  /** Propose other hours, which pays the undisputed part, and open and answer disputes (ADR 408). */
  settle: ['owner', 'manager', 'recruiter'],
  /** Approve hours and deliveries, release their pay, add what a hold lacks, and tip. */
  pay: ['owner', 'manager', 'recruiter', 'finance'],
  /** Pay for offers from the balance or a saved card. */
  spend: ['owner', 'manager', 'recruiter', 'coordinator'],
  /** See the balance and the saved cards. */
  'view-money': ['owner', 'manager', 'recruiter', 'finance'],
  /** Manage cards, add and refund money, read statements and invoices. */
  money: ['owner', 'manager', 'finance'],
  figures: ['owner', 'manager', 'finance'],
  details: ['owner', 'manager'],
  /** Invite members and manage recruiters, coordinators and finance. */
  team: ['owner', 'manager'],
  /** Manage owners and managers, request verification, close the business, hand it over. */
  ownership: ['owner'],
} as const satisfies Record<string, readonly MemberRole[]>;
export type Capability = keyof typeof roleTable;
export const capabilities = Object.keys(roleTable) as Capability[];

export const rolesFor = (capability: Capability): readonly MemberRole[] => roleTable[capability];

/** Returns whether the role has the capability; false for null, someone outside the business. */
export const roleMay = (role: MemberRole | null, capability: Capability): boolean =>
  role !== null && rolesFor(capability).includes(role);

/**
 * The roles that a member of this role may assign, change and remove: owners all, managers the roles below
 * them.
 */
export const managedRoles = (role: MemberRole | null): readonly MemberRole[] => {
  if (roleMay(role, 'ownership')) return memberRoles;
  return roleMay(role, 'team') ? memberRoles.filter((candidate) => !roleMay(candidate, 'team')) : [];
};

/** Roles that a link or a change of role can assign: owners are invited by name or take the business over. */
export const rolesBelowOwner = [
  'manager',
  'recruiter',
  'coordinator',
  'finance',
] as const satisfies readonly MemberRole[];
export type RoleBelowOwner = (typeof rolesBelowOwner)[number];

/** Roles whose members can be limited to branches: except for pools, they only work with single jobs (ADR 167). */
export const canBeLimited = (role: MemberRole): boolean => role === 'recruiter' || role === 'coordinator';

export const teamLimits = {
  members: 200,
  openInvitations: 50,
  /** Invitations and links of a business in 24 hours. A repeated invitation counts again. */
  invitationsPerDay: 50,
  /** Invitations in 24 hours of an unverified business, which could otherwise mail its name to anyone. */
  invitationsPerDayUnverified: 10,
  /** Mails to one address in 24 hours. */
  mailsPerAddress: 3,
  linkUses: 50,
  invitationDays: 7,
  ownershipDays: 7,
  /** The period in which previous owners can undo a change of owners. */
  undoHours: 72,
} as const;

export const invitationTokenShape = /^[A-Za-z0-9_-]{43}$/;

export type Relation = 'worker' | MemberRole | null;

/** A person's relation to a record: its worker, a member of its business by role, or null for anyone else. */
export const relationTo = (
  row: { workerId: string; role: MemberRole | null } | undefined,
  accountId: string,
): Relation => (row?.workerId === accountId ? 'worker' : (row?.role ?? null));
