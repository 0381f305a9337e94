import { describe, expect, it } from 'vitest';
import { contextOf } from './ticket-context.ts';

const id = '0193aaaa-0000-7000-8000-000000000001';

describe('contextOf', () => {
  it.each([
    [`/tabs/menu/my-work/engagement/${id}`, '/tabs/menu/my-work/engagement', 'engagement'],
    [`/tabs/menu/jobs/engagement/${id}`, '/tabs/menu/jobs/engagement', 'engagement'],
    [`/tabs/menu/my-work/${id}`, '/tabs/menu/my-work', 'application'],
    [`/job-desc/${id}`, '/job-desc', 'job'],
    [`/worker-details/${id}`, '/worker-details', 'worker'],
    [`/interview?id=${id}`, '/interview', 'interview'],
    [`/chat?c=${id}`, '/chat', 'conversation'],
  ])('%s names its record', (from, page, kind) => {
    expect(contextOf(from)).toEqual({ page, refs: [{ kind, id }] });
  });

  it.each([
    ['/withdraw', '/withdraw'],
    ['/login?verify=secret', '/login'],
    [`/unknown/${id}`, '/unknown'],
    ['/tabs/menu/explore?q=barista', '/tabs/menu/explore'],
    ['https://evil.example', ''],
    ['', ''],
  ])('%s names only the page', (from, page) => {
    expect(contextOf(from)).toEqual({ page, refs: [] });
  });
});
