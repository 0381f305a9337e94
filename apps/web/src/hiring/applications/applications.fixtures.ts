import type { MyApplication } from '@nearhand/contract/hiring/applications';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';

export const sampleQuestion = (change: Partial<JobQuestion> = {}): JobQuestion => ({
  id: '0193aaaa-0000-7000-8000-00000000000a',
  prompt: 'How many years?',
  kind: 'text',
  choices: [],
  required: true,
  ...change,
});

/** An application as its worker sees it, for tests; given fields replace the rest. */
export function sampleApplication(change: Partial<MyApplication> = {}): MyApplication {
  return {
    id: '0193aaaa-0000-7000-8000-0000000000c1',
    version: 1,
    status: 'submitted',
    origin: 'applied',
    coverNote: 'I live around the corner.',
    answers: [],
    cv: null,
    submittedAt: '2026-11-19T17:40:00Z',
    viewedAt: null,
    decideBy: '2026-12-03T17:40:00Z',
    steps: [{ status: 'submitted', at: '2026-11-19T17:40:00Z', reason: null, rejectReason: null }],
    interview: null,
    offer: null,
    engagementId: null,
    waitlist: null,
    actions: ['edit', 'withdraw'],
    job: {
      id: '0193aaaa-0000-7000-8000-000000000001',
      kind: 'shift',
      title: 'Front desk, evenings',
      category: 'hospitality',
      business: {
        id: '0193aaaa-0000-7000-8000-0000000000b1',
        name: 'Hotel Brouwers',
        verified: true,
        logoPath: null,
        rating: { count: 0, averageTenths: null },
      },
      pay: {
        minor: 1_700,
        maxMinor: null,
        currency: 'EUR',
        unit: 'hour',
        paidMinutes: 480,
        totalMinor: 13_600,
        merchantFeeBasisPoints: 1_000,
        workerFeeBasisPoints: 0,
      },
      place: { label: 'Jordaan, Amsterdam', lat: 52.37, lng: 4.88, blurred: false },
      distanceM: null,
      startsAt: '2026-12-10T14:00:00Z',
      endsAt: '2026-12-10T22:00:00Z',
      dueOn: null,
      hoursNote: null,
      timeZone: 'Europe/Amsterdam',
      seatsLeft: 1,
      headCount: 1,
      publishedAt: '2026-11-18T10:00:00Z',
      instantHire: false,
      funded: false,
      status: 'open',
      questions: [],
    },
    ...change,
  };
}
