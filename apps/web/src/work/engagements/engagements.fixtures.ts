import type { Engagement, EngagementCard } from '@nearhand/contract/work/engagements';
import type { Terms } from '@nearhand/contract/work/terms';

export const sampleTerms = (change: Partial<Terms> = {}): Terms => ({
  kind: 'shift',
  title: 'Weekend barista',
  category: 'hospitality',
  payMinor: 1_800,
  currency: 'EUR',
  paidMinutes: 360,
  payTotalMinor: 10_800,
  workerGetsMinor: 10_800,
  merchantFeeBasisPoints: 1_000,
  workerFeeBasisPoints: 0,
  holdMinor: 11_880,
  startsAt: '2026-11-21T07:00:00Z',
  endsAt: '2026-11-21T13:00:00Z',
  breakMinutes: 0,
  breakPaid: false,
  dueOn: null,
  timeZone: 'Europe/Amsterdam',
  place: { address: 'Westerstraat 112', area: 'Jordaan, Amsterdam', lat: 52.378, lng: 4.883 },
  ...change,
});

/** Booked work as its worker sees it in a list, for tests; given fields replace the rest. */
export const sampleWork = (change: Partial<EngagementCard> = {}): EngagementCard => ({
  id: '0193aaaa-0000-7000-8000-0000000000e1',
  version: 1,
  side: 'worker',
  status: 'booked',
  jobId: '0193aaaa-0000-7000-8000-000000000001',
  applicationId: '0193aaaa-0000-7000-8000-0000000000c1',
  business: {
    id: '0193aaaa-0000-7000-8000-0000000000b1',
    name: 'Kopi & Crumb',
    verified: true,
    logoPath: null,
  },
  worker: { id: '0193aaaa-0000-7000-8000-0000000000a1', name: 'Leila Haddad', photoPath: null },
  terms: sampleTerms(),
  funding: 'not_funded',
  checkedInAt: null,
  checkedOutAt: null,
  onBreak: false,
  lateMinutes: null,
  runningLate: null,
  next: null,
  amountMinor: 10_800,
  actions: ['confirm', 'cancel'],
  ...change,
});

/** The same, in full. */
export const sampleEngagement = (change: Partial<Engagement> = {}): Engagement => ({
  ...sampleWork(change),
  contact: { name: 'Aylin Demir', phone: '+31201234567', notes: null },
  photoIds: [],
  attendance: [],
  claims: [],
  deliveries: [],
  dispute: null,
  releases: [],
  cancelling: { late: false, compensationMinor: 0 },
  cancelled: null,
  noShow: null,
  steps: [{ action: 'book', status: 'booked', by: 'worker', at: '2026-11-18T10:00:00Z', reason: null }],
  ...change,
});
