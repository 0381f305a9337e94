import type { SuspensionScope } from './sanctions.rules.ts';

/** The operations that each suspension refuses, as `slice.verb`, or `slice.*` for all writes of a slice. Reading is never refused. */
export const suspendedOperations: Record<Exclude<SuspensionScope, 'everything'>, readonly string[]> = {
  applying: [
    ...['applications.submit', 'applications.update', 'waitlist.join', 'offers.accept', 'interviews.pick'],
    'interviews.keep',
  ],
  hiring: [
    ...['businesses.register', 'businesses.submit', 'jobs.create', 'jobs.update', 'jobs.publish'],
    ...['jobs.reopen', 'jobs.duplicate', 'applicants.shortlist', 'interviews.propose', 'invitations.send'],
    ...['offers.make', 'pools.invite', 'rebook.*', 'team.accept', 'team.acceptOwnership'],
  ],
  chat: [
    ...['messages.send', 'messages.edit', 'messages.react', 'conversations.open', 'invitations.send'],
    ...['interviews.propose', 'pools.invite'],
  ],
};

/**
 * What an account suspended from everything can still write: booked work, earned money, its account and proofs of who it is, appeals and requests to staff. All
 * other writes are refused, so a new operation is closed until it is listed here.
 */
export const openWhileSuspended: readonly string[] = [
  ...['attendance.*', 'timesheets.*', 'engagements.*', 'disputes.*', 'pay.*', 'holds.*', 'charges.*'],
  ...['cards.*', 'payouts.*', 'wallet.*', 'downloads.*', 'calendar.*', 'files.*', 'messages.redact'],
  ...['accountSettings.*', 'accountDeletion.*', 'accounts.*', 'dataExports.*', 'emailChange.*'],
  ...['passkeys.*', 'verification.*', 'identityChecks.*'],
  ...['sessions.*', 'termsOfUse.*', 'devices.*', 'notifications.*', 'notificationSettings.*'],
  ...['tickets.*', 'help.*', 'appeals.*', 'chatReports.*', 'reports.*'],
  ...['applications.withdraw', 'waitlist.leave', 'offers.decline', 'offers.withdraw', 'interviews.cancel'],
  ...['jobs.pause', 'jobs.close', 'jobs.archive', 'jobs.deleteDraft', 'applicants.reject', 'team.leave'],
  ...['conversations.acknowledge', 'conversations.mute', 'conversations.block', 'savedJobs.remove'],
];

const lists = (names: readonly string[], operation: string): boolean =>
  names.includes(operation) || names.includes(`${operation.split('.')[0]}.*`);

/** The first of these suspensions that refuses a write, or null. */
export const refusingScope = <Suspension extends { scope: SuspensionScope }>(
  suspensions: readonly Suspension[],
  operation: string,
): Suspension | null =>
  suspensions.find(({ scope }) =>
    scope === 'everything'
      ? !lists(openWhileSuspended, operation)
      : lists(suspendedOperations[scope], operation),
  ) ?? null;
