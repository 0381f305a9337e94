import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { MatchReason } from '@nearhand/contract/hiring/matching';

export const sampleReason = (change: Partial<MatchReason> = {}): MatchReason => ({
  kind: 'skills',
  tone: 'good',
  points: 30,
  of: 40,
  data: { matched: ['barista'], asked: ['barista'], years: 4 },
  ...change,
});

export function sampleApplicant(change: Partial<Applicant> = {}): Applicant {
  return {
    id: '0193aaaa-0000-7000-8000-0000000000c1',
    version: 2,
    status: 'viewed',
    stage: 'new',
    workEnding: null,
    origin: 'applied',
    coverNote: 'I live around the corner.',
    answers: [],
    cv: null,
    submittedAt: '2026-11-19T17:40:00Z',
    viewedAt: '2026-11-20T08:00:00Z',
    decideBy: '2026-12-03T17:40:00Z',
    steps: [{ status: 'submitted', at: '2026-11-19T17:40:00Z', reason: null, rejectReason: null }],
    interview: null,
    offer: null,
    engagementId: null,
    waitlist: null,
    actions: ['shortlist', 'reject', 'propose-interview', 'offer'],
    jobId: '0193aaaa-0000-7000-8000-000000000001',
    jobTitle: 'Weekend barista',
    jobStartsAt: '2026-11-28T07:00:00Z',
    seriesId: null,
    shiftsApplied: 1,
    timeZone: 'Europe/Amsterdam',
    questions: [],
    worker: {
      workerId: '0193aaaa-0000-7000-8000-0000000000d1',
      name: 'Leila Haddad',
      photoPath: null,
      rating: { count: 0, averageTenths: null },
      bio: '',
      area: 'Jordaan',
      languages: [],
      availability: [],
      skills: [{ skill: 'barista', level: 'practised', years: 4 }],
      checks: { phone: true, identity: false, certificates: [] },
    },
    distanceM: 1_500,
    matchScore: 80,
    match: [sampleReason()],
    tags: [],
    notes: 0,
    ...change,
  };
}
