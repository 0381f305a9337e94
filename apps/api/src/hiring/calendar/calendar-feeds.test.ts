import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';

const app = useTestApp({ READS_PER_MINUTE: '4' });

describe('a subscription address', () => {
  it('limits guessing', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1)
      statuses.push((await app.raw({ url: `/api/calendar/${String(n).repeat(43)}.ics` })).statusCode);
    expect(statuses).toEqual([404, 404, 404, 404, 429, 429]);
  });
});
