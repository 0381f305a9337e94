/** Roles of operators, granted by owners or on the command line; an operator may have several (ADR 176). */
export const operatorRoles = ['support', 'trust', 'finance', 'owner'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** The capabilities of each operator role, for server, console and tests (ADR 176). */
export const operatorRoleTable = {
  queue: ['support', 'trust', 'finance', 'owner'],
  tickets: ['support', 'owner'],
  'service-messages': ['support', 'owner'],
  conversations: ['trust', 'owner'],
  /** Decide reports of jobs, businesses, people and reviews, and jobs under review. */
  moderation: ['trust', 'owner'],
  verification: ['trust', 'owner'],
  appeals: ['trust', 'owner'],
  disputes: ['trust', 'finance', 'owner'],
  /** Pay or refuse checked referral rewards. */
  referrals: ['trust', 'finance', 'owner'],
  /** Approve other operators' decisions about large amounts. */
  'second-approvals': ['trust', 'finance', 'owner'],
  /** Handle chargebacks and held payouts, and correct the ledger. */
  payments: ['finance', 'owner'],
  /** Find people, businesses, jobs and engagements. */
  search: ['support', 'trust', 'finance', 'owner'],
  'search-entries': ['finance', 'owner'],
  health: ['support', 'trust', 'finance', 'owner'],
  tasks: ['owner'],
  log: ['owner'],
  /** Appoint and end operators and change their roles. */
  operators: ['owner'],
} as const satisfies Record<string, readonly OperatorRole[]>;
export type OperatorCapability = keyof typeof operatorRoleTable;
export const operatorCapabilities = Object.keys(operatorRoleTable) as OperatorCapability[];

/** Returns whether one of the roles has the capability. The server asks this before each operator's call. */
export const operatorMay = (roles: readonly OperatorRole[], capability: OperatorCapability): boolean =>
  roles.some((role) => (operatorRoleTable[capability] as readonly OperatorRole[]).includes(role));
