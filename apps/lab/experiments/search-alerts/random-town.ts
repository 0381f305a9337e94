import { type Weekday, weekdays } from '@nearhand/contract/people/profile-choices';
import { categoryIds } from '@nearhand/contract/people/taxonomy';
import type { Chances } from '../webhooks/chances.ts';

export type JobFacts = {
  id: string;
  title: string;
  description: string;
  category: (typeof categoryIds)[number];
  kind: 'shift' | 'task';
  /** Hourly minor units; null for a task. */
  pay: number | null;
  lat: number;
  lng: number;
  startsAt: string | null;
};

export type SearchFacts = {
  accountId: string;
  lat: number;
  lng: number;
  radiusKm: number;
  category: JobFacts['category'] | null;
  kind: JobFacts['kind'] | null;
  minPay: number | null;
  minTotal: number | null;
  weekdays: Weekday[];
  from: string | null;
  to: string | null;
  q: string | null;
  alert: 'at_once' | 'daily' | 'weekly' | 'off';
};

/** Towns on both sides of the date line, near a pole, across a border of squares, dense and empty. */
const towns = [
  [52.37, 4.9],
  [52.01, 4.4],
  [-17.1, 179.98],
  [-17.2, -179.97],
  [89.4, 12],
  [0.01, -0.02],
  [40.7, -74],
  [-33.9, 151.2],
] as const;
const words = [
  'barista',
  'bar',
  'waiter',
  'cook',
  'forklift',
  'driver',
  'painter',
  'fish',
  'cleaner',
  'host',
];
const kinds = ['shift', 'task'] as const;
const pays = [1_400, 1_600, 1_800, 2_000, 2_400];
const totals = [6_000, 8_000, 9_900];
const radii = [1, 2, 5, 10, 25, 50, 100];
export const taskPayMinor = 10_000;
export const shiftHours = 4;
const firstDay = Date.parse('2027-01-04T00:00:00Z');
const dayMs = 86_400_000;
const dayAhead = (days: number) => new Date(firstDay + days * dayMs).toISOString().slice(0, 10);

function somewhere(random: Chances): { lat: number; lng: number } {
  const [lat, lng] = random.oneOf(towns);
  const spread = random.happens(0.6) ? 0.15 : 1.2;
  const north = Math.max(-89.9, Math.min(89.9, lat + (random.next() - 0.5) * spread));
  const east = lng + ((random.next() - 0.5) * spread) / Math.max(0.05, Math.cos((north * Math.PI) / 180));
  return { lat: north, lng: ((((east + 180) % 360) + 360) % 360) - 180 };
}

export function randomJob(random: Chances, id: string): JobFacts {
  const kind = random.oneOf(kinds);
  const text = () => [random.oneOf(words), random.oneOf(words)].join(' ');
  return {
    id,
    kind,
    title: text(),
    description: text(),
    category: random.oneOf(categoryIds),
    ...somewhere(random),
    pay: kind === 'task' ? null : random.oneOf(pays),
    startsAt: kind === 'task' ? null : `${dayAhead(random.between(0, 29))}T12:00:00Z`,
  };
}

export function randomSearch(random: Chances, accountId: string): SearchFacts {
  const maybe = <Value>(share: number, value: () => Value) => (random.happens(share) ? value() : null);
  const typed = () => {
    const word = random.oneOf(words);
    const end = random.happens(0.3) ? word.slice(0, 4) : word;
    return random.happens(0.3) ? `${random.oneOf(words)} ${end}` : end;
  };
  return {
    accountId,
    ...somewhere(random),
    radiusKm: random.oneOf(radii),
    category: maybe(0.3, () => random.oneOf(categoryIds)),
    kind: maybe(0.3, () => random.oneOf(kinds)),
    minPay: maybe(0.3, () => random.oneOf(pays)),
    minTotal: maybe(0.2, () => random.oneOf(totals)),
    weekdays: maybe(0.2, () => [random.oneOf(weekdays)]) ?? [],
    from: maybe(0.2, () => dayAhead(random.between(0, 29))),
    to: maybe(0.2, () => dayAhead(random.between(0, 29))),
    q: maybe(0.4, typed),
    alert: random.oneOf(['at_once', 'at_once', 'daily', 'weekly', 'off']),
  };
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The haversine formula, which the product does not use. */
function kilometres(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2;
  const h = half(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(a.lng, b.lng);
  return 2 * 6_371.0088 * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The fixed price of a task, or the pay for a shift without a break (`openCopy`), in minor units. */
const totalOf = ({ pay }: JobFacts): number => (pay === null ? taskPayMinor : pay * shiftHours);

/** A second implementation of matching. `names` are words of the business that every job has. */
export function fits(job: JobFacts, search: SearchFacts, names: readonly string[]): boolean {
  if (search.category !== null && search.category !== job.category) return false;
  if (search.kind !== null && search.kind !== job.kind) return false;
  if (search.minPay !== null && (job.pay ?? 0) < search.minPay) return false;
  if (search.minTotal !== null && totalOf(job) < search.minTotal) return false;
  const day = job.startsAt?.slice(0, 10) ?? null;
  // 1970 began on a Thursday.
  const weekday = day === null ? null : weekdays[(Date.parse(day) / dayMs + 3) % 7];
  if (search.weekdays.length > 0 && !(weekday && search.weekdays.includes(weekday))) return false;
  if (search.from !== null && (day === null || day < search.from)) return false;
  if (search.to !== null && (day === null || day > search.to)) return false;
  // `forklift driver` and `forklift` are names of the same skill, so both find the same jobs (ADR 6).
  const queryWords = search.q === 'forklift driver' ? ['forklift', ''] : (search.q?.split(' ') ?? []);
  const jobWords = [...`${job.title} ${job.description}`.split(' '), ...names];
  const matches = (word: string, index: number) =>
    jobWords.some((jobWord) =>
      index === queryWords.length - 1 ? jobWord.startsWith(word) : jobWord === word,
    );
  return queryWords.every(matches) && kilometres(job, search) <= search.radiusKm;
}
