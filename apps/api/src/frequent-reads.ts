import { startSearch } from '@nearhand/contract/hiring/nearby-start';
import { findSomeOpenJobs } from './hiring/jobs/jobs.sql.ts';
import { townOf } from './people/places/places.ts';
import type { Config } from './platform/config/config.ts';
import type { Db } from './platform/db.ts';

const samples = 4;

/** Returns addresses of reads that most visitors make, to warm up caches and statements. */
export async function frequentReads(db: Db, config: Pick<Config, 'MAP_START'>): Promise<string[]> {
  const jobs = await findSomeOpenJobs(db, samples);
  const searches = [townOf(config), ...jobs].flatMap(({ lat, lng }) =>
    [{}, { category: 'hospitality' }, { sort: 'newest' }].map((change) => {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...startSearch({ lat, lng }), ...change }))
        query.set(name, String(value));
      return `/api/jobs/nearby?${query}`;
    }),
  );
  return ['/api/settings', ...searches, ...jobs.map(({ id }) => `/api/jobs/${id}`)];
}
