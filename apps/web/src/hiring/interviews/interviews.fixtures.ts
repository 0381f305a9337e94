import type { Interview } from '@nearhand/contract/hiring/interviews';

const id = (n: number): string => `01900000-0000-7000-8000-00000000000${n}`;

export const sampleInterview = (part: Partial<Interview> = {}): Interview => ({
  id: id(1),
  version: 2,
  side: 'worker',
  status: 'scheduled',
  applicationId: id(2),
  jobId: id(3),
  jobTitle: 'Weekend barista',
  business: { id: id(4), name: 'Kopi & Crumb', verified: true, logoPath: null },
  worker: { id: id(5), name: 'Leila Haddad', photoPath: null },
  mode: 'video',
  where: 'https://meet.example.org/abc',
  minutes: 30,
  message: '',
  slots: [],
  startsAt: '2026-11-24T09:00:00.000Z',
  endsAt: '2026-11-24T09:30:00.000Z',
  workStartsAt: null,
  zones: { business: 'Europe/Amsterdam', worker: null },
  awaits: null,
  answerBy: null,
  reschedules: 0,
  reschedule: null,
  outcome: null,
  notes: '',
  noShow: null,
  steps: [],
  actions: ['reschedule', 'cancel'],
  ...part,
});
