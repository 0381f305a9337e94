import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { Tx } from '../../platform/db.ts';
import { copyJob, makeJob } from '../jobs/jobs.fixtures.ts';
import { gatherFitting, type NearbyFilters } from './nearby.sql.ts';
import { circleAround, wordsOf } from './search-terms.service.ts';

const app = useTestApp();
const copies = 3_000;
const none: NearbyFilters = {
  ...{ category: null, kind: null, minPay: null, from: null, to: null, words: null },
  ...{ instant: null, funded: null, verified: null, fits: null },
};

describe('a search by words', () => {
  it('reads the index of words by square, however many jobs are open elsewhere (ADR 356)', async () => {
    const owner = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner.accountId));
    const job = await makeJob(app.db, app.scopeOf(owner.accountId), business.id, { title: 'Night guard' });
    // The same job, many times over, in places all over a continent.
    await copyJob(app.db, job.id, {
      copies,
      changes: sql`'slug', 'copy-' || n, 'public_lat', 40 + (n % 53) * 0.1, 'public_lng', 20 + (n / 53) * 0.1`,
    });
    await sql`vacuum analyze jobs`.execute(app.db);
    const { query } = await wordsOf(app.db, 'guard');
    // A circle of many squares, as far from the equator.
    const around = circleAround({ lat: 70, lng: 25 }, 100);
    const search = (tx: Tx) =>
      gatherFitting(tx, around, { ...none, words: query }, { by: 'distance', after: null, limit: 21 });
    // With the words in its sight, as the planner sees those of a search that was written down.
    const inSight = sql`select id from jobs where status = 'open'
      and words_by_square(words) @@ query_by_square(to_tsquery('nearhand', ${query}), ${[...around.squares]}::text[])`;
    const byIndex = async (work: (tx: Tx) => Promise<unknown>) =>
      (await pagesRead(app.pool, work)).plans.includes('jobs_open_square_words');
    // The jobs are few, so the other plan has to be cheap to be chosen as it is among a million.
    await sql`alter function words_by_square(tsvector) cost 1`.execute(app.db);
    expect(await byIndex(search)).toBe(true);
    expect(await byIndex((tx) => inSight.execute(tx))).toBe(false);
  });
});
