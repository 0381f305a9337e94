import { liveCategories, type Probe } from './probes.ts';

/** `key` makes a write unique. */
export type BenchRequest = {
  method: 'GET' | 'POST';
  path: string;
  token: string;
  key?: string;
  body?: string;
};

const misspelt = ['barrista', 'waitres', 'gaurd', 'harbor', 'old twon', 'nigth', 'packre', 'elektrician'];
const words = ['barista', 'waiter', 'guard', 'cook', 'old town', 'night', 'packer', 'nurse'];

/** Query parameters of each nearby case. The rare ones match one job in a thousand. */
export const nearbyCases: Record<string, (index: number) => Record<string, string>> = {
  'nearby, plain': () => ({}),
  'nearby, category': (index) => ({ category: liveCategories[index % liveCategories.length] ?? 'events' }),
  'nearby, text': (index) => ({ q: words[index % words.length] ?? 'cook' }),
  'nearby, misspelt': (index) => ({ q: misspelt[index % misspelt.length] ?? 'cok' }),
  'nearby, page 5': () => ({ page: '5' }),
  'nearby, 0.1 % by pay': () => ({ minPay: '9000' }),
  'nearby, 0.1 % by word': () => ({ q: 'falconer' }),
  'nearby, newest': () => ({ sort: 'newest' }),
  'nearby, by pay': () => ({ sort: 'pay' }),
};

export const nearbyPath = (probe: Probe, options: Record<string, string>): string => {
  const { page: _page, ...query } = options;
  return `/api/jobs/nearby?${new URLSearchParams({ lat: String(probe.lat), lng: String(probe.lng), ...query })}`;
};
