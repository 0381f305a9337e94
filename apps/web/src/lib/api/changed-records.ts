import type { Contract } from '@nearhand/contract/contract';
import type { SignalRecord } from '@nearhand/contract/realtime';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { apiQuery } from './api.ts';
import { queryClient } from './query.ts';

/** A change may resolve a notification (ADR 16). */
const inbox = 'notifications' as const;

/** The API slices to refetch when a record changes; only visible queries are fetched (ADR 89). */
export const partsOf: Record<SignalRecord, readonly (keyof Contract)[]> = {
  application: [
    'jobShares',
    'invitations',
    'pools',
    'applicants',
    'applications',
    'pipeline',
    'roster',
    'jobs',
    'nearby',
    'businesses',
    'calendar',
    'reliability',
    inbox,
  ],
  business: [
    'budgets',
    'businesses',
    'businessVerification',
    'branches',
    'team',
    'accounts',
    'jobs',
    'nearby',
    'reviews',
  ],
  calendar: ['calendar'],
  dispute: ['disputes', 'engagements', 'timesheets', 'holds', 'pay', 'seats', 'operators', inbox],
  engagement: [
    'engagements',
    'pools',
    'attendance',
    'timesheets',
    'disputes',
    'holds',
    'pay',
    'seats',
    'applicants',
    'applications',
    'pipeline',
    'roster',
    'calendar',
    'jobs',
    'nearby',
    'businesses',
    'reliability',
    'reviews',
    'operators',
    inbox,
  ],
  hold: [
    'budgets',
    'holds',
    'rebook',
    'pay',
    'seats',
    'wallet',
    'charges',
    'engagements',
    'offers',
    'jobs',
    'nearby',
    'applicants',
    'applications',
    'pipeline',
    'roster',
    inbox,
  ],
  interview: ['interviews', 'applicants', 'applications', 'pipeline', 'calendar', inbox],
  job: [
    'jobShares',
    'invitations',
    'savedJobs',
    'jobs',
    'nearby',
    'businesses',
    'applicants',
    'applications',
    'pipeline',
    'roster',
    'calendar',
  ],
  'job-template': ['jobTemplates'],
  offer: [
    'offers',
    'pools',
    'rebook',
    'applicants',
    'applications',
    'pipeline',
    'roster',
    'calendar',
    'jobs',
    'nearby',
    'holds',
    'pay',
    'seats',
    inbox,
  ],
  wallet: ['wallet', 'charges', 'holds', 'pay', 'seats', 'invoices', 'receipts', 'statements', 'dashboard'],
  balance: ['payouts', 'statements', 'verification'],
  'saved-job': ['savedJobs'],
  referral: ['referrals', inbox],
  'saved-search': ['savedSearches'],
  'followed-business': ['followedBusinesses'],
  account: [
    'accountSettings',
    'accounts',
    'emailChange',
    'certificates',
    'identityChecks',
    'passkeys',
    'sessions',
    'signIn',
    'verification',
  ],
  pool: ['pools'],
  profile: [
    'pools',
    'profiles',
    'reviews',
    'accounts',
    'applicants',
    'applications',
    'pipeline',
    'roster',
    'verification',
  ],
  ticket: ['tickets', 'operators', inbox],
  report: ['reports', inbox],
  sanction: ['sanctions', 'appeals', 'accounts', 'reports', 'jobs', 'businesses', inbox],
  review: ['reviews', 'businesses', 'profiles', inbox],
};

export const keysOf = (...records: readonly SignalRecord[]): QueryKey[] =>
  [...new Set(records.flatMap((record) => partsOf[record]))].map((part) => apiQuery[part].key());

/** Refetches the queries that show changed records. `stored` is the query that already holds the write's response. */
export function refetchChanged(records: readonly SignalRecord[], storedKey?: QueryKey): void {
  const storedHash = storedKey && hashKey(storedKey);
  for (const queryKey of keysOf(...records))
    void queryClient.invalidateQueries({ queryKey, predicate: (query) => query.queryHash !== storedHash });
}
