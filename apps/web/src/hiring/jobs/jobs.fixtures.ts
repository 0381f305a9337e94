import { minuteMs } from '@nearhand/contract/durations';
import type { JobTemplate } from '@nearhand/contract/hiring/job-templates';
import type { Job, JobCard, ListedJob, PlannedShift, SeriesDate } from '@nearhand/contract/hiring/jobs';
import { flagsOf, mapTexts } from '@nearhand/contract/hiring/jobs.rules';
import type { NearbyPage } from '@nearhand/contract/hiring/nearby';
import type { NearbyCard } from '@nearhand/contract/hiring/nearby-card';
import type { RosterShift } from '@nearhand/contract/hiring/roster';

export function sampleCard(change: Partial<JobCard> = {}): JobCard {
  return {
    id: '0193aaaa-0000-7000-8000-000000000001',
    kind: 'shift',
    title: 'Weekend barista',
    category: 'hospitality',
    business: {
      id: '0193aaaa-0000-7000-8000-0000000000b1',
      name: 'Kopi & Crumb',
      verified: true,
      logoPath: null,
      rating: { count: 0, averageTenths: null },
    },
    pay: {
      minor: 1_800,
      maxMinor: null,
      currency: 'EUR',
      unit: 'hour',
      paidMinutes: 360,
      totalMinor: 10_800,
      businessFeeBasisPoints: 1_000,
      workerFeeBasisPoints: 0,
    },
    place: { label: 'Jordaan, Amsterdam', lat: 52.3762, lng: 4.8822, blurred: false },
    distanceM: 400,
    startsAt: '2026-11-28T07:00:00Z',
    endsAt: '2026-11-28T13:00:00Z',
    dueOn: null,
    hoursNote: null,
    timeZone: 'Europe/Amsterdam',
    spotsLeft: 2,
    headCount: 3,
    publishedAt: '2026-11-20T10:00:00Z',
    instantHire: false,
    funded: false,
    series: null,
    ...change,
  };
}

export function sampleJob(change: Partial<Job> = {}): Job {
  return {
    ...sampleCard(),
    seriesId: null,
    dates: [],
    coverPath: null,
    photoIds: [],
    version: 1,
    status: 'open',
    ...mapTexts(() => null),
    description: 'You run the bar on Saturday, our busiest morning.\n\nStaff coffee is on us.',
    requirements: ['One year on an espresso machine', 'Dark shoes'],
    skills: ['barista'],
    breakMinutes: 30,
    breakPaid: true,
    relation: null,
    ...flagsOf(),
    questions: [],
    expiresAt: null,
    sourceUrl: null,
    actions: ['apply'],
    myApplication: null,
    member: null,
    ...change,
  };
}

/** A shift of a series on a day of November 2026; the 28th is `sampleJob` itself. */
export function sampleDate(day: number, change: Partial<SeriesDate> = {}): SeriesDate {
  const { id, pay } = sampleCard();
  return {
    jobId: day === 28 ? id : `${id.slice(0, -2)}${day}`,
    startsAt: `2026-11-${day}T07:00:00Z`,
    endsAt: `2026-11-${day}T13:00:00Z`,
    pay,
    spotsLeft: 2,
    myApplication: null,
    asBlock: false,
    booked: null,
    ...change,
  };
}

/** A shift of a series as `jobs.series` has it. */
export const samplePlannedShift = (change: Partial<PlannedShift> = {}): PlannedShift => ({
  jobId: sampleCard().id,
  status: 'open',
  startsAt: '2027-01-08T07:00:00Z',
  endsAt: '2027-01-08T13:00:00Z',
  breakMinutes: 30,
  breakPaid: true,
  timeZone: 'Europe/Amsterdam',
  payMinor: 1_500,
  currency: 'EUR',
  businessFeeBasisPoints: 1_000,
  headCount: 1,
  hired: 0,
  offered: 0,
  renewable: false,
  asBlock: false,
  changedAlone: [],
  ...change,
});

export const breakfast = {
  title: 'Breakfast service',
  startsAt: '2026-11-28T07:00:00Z',
  endsAt: '2026-11-28T10:00:00Z',
};

export function sampleNearbyCard(change: Partial<JobCard> = {}): NearbyCard {
  const job = sampleCard(change);
  const { business, pay, place } = job;
  return {
    id: job.id,
    title: job.title,
    category: job.category,
    distanceM: job.distanceM ?? 0,
    business: {
      name: business.name,
      verified: business.verified || undefined,
      logoPath: business.logoPath ?? undefined,
      rating: business.rating.averageTenths === null ? undefined : business.rating,
    },
    pay: {
      minor: pay.minor,
      unit: pay.unit,
      currency: pay.currency,
      maxMinor: pay.maxMinor ?? undefined,
      unpaidMinutes: unpaidMinutesOf(job),
      workerFeeBasisPoints: pay.workerFeeBasisPoints || undefined,
    },
    place: { lat: place.lat, lng: place.lng, blurred: place.blurred || undefined },
    startsAt: job.startsAt ?? undefined,
    endsAt: job.endsAt ?? undefined,
    dueOn: job.dueOn ?? undefined,
    hoursNote: job.hoursNote ?? undefined,
    timeZone: job.timeZone,
    instantHire: job.instantHire || undefined,
    funded: job.funded || undefined,
    series: job.series ?? undefined,
  };
}

function unpaidMinutesOf({ startsAt, endsAt, pay }: JobCard): number | undefined {
  if (startsAt === null || endsAt === null || pay.paidMinutes === null) return undefined;
  return (Date.parse(endsAt) - Date.parse(startsAt)) / minuteMs - pay.paidMinutes;
}

export const sampleNearbyPage = (change: Partial<NearbyPage> = {}): NearbyPage => ({
  items: [],
  common: change.items?.length
    ? { currency: 'EUR', timeZone: 'Europe/Amsterdam', unit: 'hour', unpaidMinutes: 0 }
    : null,
  nextCursor: null,
  radiusKm: 25,
  widened: false,
  respelled: [],
  ...change,
});

export const sampleTemplate = (change: Partial<JobTemplate> = {}): JobTemplate => ({
  id: '0193aaaa-0000-7000-8000-0000000000f1',
  name: 'Weekday morning',
  title: 'Barista',
  category: 'hospitality',
  branch: null,
  payMinor: 1_800,
  currency: 'EUR',
  breakMinutes: 30,
  breakPaid: true,
  instantHire: false,
  headCount: 1,
  timeZone: 'Europe/Amsterdam',
  from: '08:00',
  to: '14:00',
  ...change,
});

export const sampleRosterShift = (change: Partial<RosterShift> = {}): RosterShift => ({
  jobId: '0193aaaa-0000-7000-8000-000000000001',
  title: 'Barista',
  status: 'open',
  branch: null,
  startsAt: '2026-11-24T09:00:00Z',
  endsAt: '2026-11-24T15:00:00Z',
  timeZone: 'Europe/Amsterdam',
  headCount: 3,
  applicants: 2,
  instantHire: false,
  asBlock: false,
  isReplacement: false,
  currency: 'EUR',
  paidMinutes: 330,
  costMinor: 10_890,
  people: [
    {
      id: '0193aaaa-0000-7000-8000-0000000000e1',
      workerId: '0193aaaa-0000-7000-8000-0000000000a1',
      name: 'Leila Haddad',
      status: 'confirmed',
      giveaway: null,
      hours: null,
      asksDayOff: false,
    },
    {
      id: '0193aaaa-0000-7000-8000-0000000000c1',
      workerId: '0193aaaa-0000-7000-8000-0000000000a2',
      name: 'Omar Said',
      status: 'offered',
      giveaway: null,
      hours: null,
      asksDayOff: false,
    },
  ],
  ...change,
});

export const sampleListedJob = (change: Partial<ListedJob> = {}): ListedJob => ({
  ...sampleCard(),
  version: 1,
  status: 'open',
  expiresAt: '2026-12-20T10:00:00Z',
  applicants: 4,
  seriesId: null,
  newApplicants: 1,
  hired: 1,
  offered: 1,
  branch: null,
  seriesTotals: null,
  actions: ['edit', 'see-applicants', 'pause', 'duplicate', 'close'],
  ...change,
});

export const sampleSeriesTotals = (): NonNullable<ListedJob['seriesTotals']> => ({
  seriesId: '0193aaaa-0000-7000-8000-000000000051',
  shifts: 5,
  firstStartsAt: '2026-12-07T07:00:00Z',
  lastStartsAt: '2026-12-11T07:00:00Z',
  payRange: null,
  sameHours: true,
  headCount: 10,
  hired: 3,
  offered: 1,
  applicants: 6,
  newApplicants: 2,
  standings: { open: 4, filled: 1 },
});
