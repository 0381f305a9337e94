/** Roles of operators, granted on the command line; someone may have several (ADR 176). */
export const operatorRoles = ['support', 'trust', 'finance', 'owner'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** What each role of an operator may do: the one table that the server, the console and the tests follow (ADR 176). */
export const operatorRoleTable = {
  /** See the queue, its figures and the other operators. */
  queue: ['support', 'trust', 'finance', 'owner'],
  /** Answer people's requests. */
  tickets: ['support', 'owner'],
  /** Show everyone a message about the service. */
  'service-messages': ['support', 'owner'],
  /** Decide reported and frozen conversations. */
  conversations: ['trust', 'owner'],
  /** Decide reports of jobs, businesses, people and reviews, and jobs under review. */
  moderation: ['trust', 'owner'],
  /** Check businesses, identity documents and certificates. */
  verification: ['trust', 'owner'],
  /** Decide appeals against someone else's decision. */
  appeals: ['trust', 'owner'],
  /** Decide pay disputes and contested no-shows. */
  disputes: ['trust', 'finance', 'owner'],
  /** Pay or refuse checked referral rewards. */
  referrals: ['trust', 'finance', 'owner'],
  /** Approve what another operator decided about much money. */
  'second-approvals': ['trust', 'finance', 'owner'],
  /** Work on chargebacks and held payouts, and correct the ledger. */
  payments: ['finance', 'owner'],
  /** Find people, businesses, jobs and engagements. */
  search: ['support', 'trust', 'finance', 'owner'],
  /** Find ledger entries. */
  'search-entries': ['finance', 'owner'],
  /** See how the platform is doing. */
  health: ['support', 'trust', 'finance', 'owner'],
  /** Run failed tasks again. */
  tasks: ['owner'],
  log: ['owner'],
} as const satisfies Record<string, readonly OperatorRole[]>;
export type OperatorCapability = keyof typeof operatorRoleTable;
export const operatorCapabilities = Object.keys(operatorRoleTable) as OperatorCapability[];

/** Returns whether someone with these roles may do this. */
export const operatorMay = (roles: readonly OperatorRole[], capability: OperatorCapability): boolean =>
  roles.some((role) => (operatorRoleTable[capability] as readonly OperatorRole[]).includes(role));
