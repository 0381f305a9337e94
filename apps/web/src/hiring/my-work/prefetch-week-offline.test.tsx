import { dayMs } from '@nearhand/contract/durations';
import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { sampleApplication } from '../applications/applications.fixtures.ts';
import { sampleCard, sampleJob } from '../jobs/jobs.fixtures.ts';
import PrefetchWeek from './prefetch-week-offline.ts';

const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const work = (id: string, startsAt: string) => {
  const sample = sampleEngagement({ id });
  return { ...sample, terms: { ...sample.terms, startsAt } };
};
const tomorrow = work('0193aaaa-0000-7000-8000-0000000000d1', at(1));
const nextMonth = work('0193aaaa-0000-7000-8000-0000000000d2', at(30));
const requests: string[] = [];

const answers: Handlers = {
  'engagements.mine': { items: [tomorrow, nextMonth], nextCursor: null },
  'engagements.get': ({ engagementId }) => {
    requests.push(engagementId);
    return tomorrow;
  },
  'applications.mine': { items: [sampleApplication()], nextCursor: null },
  'offers.mine': { items: [], nextCursor: null },
  'invitations.mine': { items: [], nextCursor: null },
  'conversations.list': { items: [], nextCursor: null, unread: 0, found: [] },
  'payouts.balance': () => {
    requests.push('balance');
    return new Promise(() => {});
  },
};

beforeEach(() => {
  requests.length = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const inUse = () => vi.advanceTimersByTimeAsync(10_000);

describe('keeping the week of a worker on the device', () => {
  it("fetches this week's work in detail, but not next month's, before the balance", async () => {
    const { api } = renderPart(<PrefetchWeek />, { session: 'worker', api: answers });
    expect(api.calls('engagements.mine')).toEqual([]);
    await inUse();
    await vi.waitFor(() => expect(requests).toEqual([tomorrow.id, 'balance']));
    expect(api.inputs('engagements.mine')).toEqual([expect.objectContaining({ group: 'live' })]);
    expect(api.calls('applications.mine')).toHaveLength(1);
    expect(api.inputs('conversations.list')).toEqual([expect.objectContaining({ side: 'work' })]);
  });

  it('fetches what needs a reply: offers, the jobs of open invitations, and interview times', async () => {
    const invitation = { id: '0193aaaa-0000-7000-8000-0000000000b2', message: '', at: at(-1) };
    const interview = { id: '0193aaaa-0000-7000-8000-0000000000b1', status: 'proposed' as const };
    const { api } = renderPart(<PrefetchWeek />, {
      session: 'worker',
      api: {
        ...answers,
        'applications.mine': {
          items: [
            sampleApplication({
              interview: { ...interview, mode: 'video', startsAt: null, answerBy: null, awaits: 'worker' },
            }),
          ],
          nextCursor: null,
        },
        'invitations.mine': {
          items: [
            { ...invitation, status: 'sent', job: sampleCard() },
            { ...invitation, id: tomorrow.id, status: 'declined', job: sampleCard({ id: nextMonth.id }) },
          ],
          nextCursor: null,
        },
        'jobs.get': sampleJob(),
        'interviews.mine': { items: [], nextCursor: null },
      },
    });
    await inUse();
    await vi.waitFor(() => expect(requests).toContain('balance'));
    expect(api.inputs('offers.mine')).toEqual([expect.objectContaining({ group: 'live' })]);
    expect(api.inputs('jobs.get').map(({ jobId }) => jobId)).toEqual([sampleJob().id]);
    expect(api.inputs('interviews.mine').map(({ group }) => group)).toEqual(['to_answer', 'upcoming']);
  });

  it('keeps the rest when the job of an invitation was closed in the meantime', async () => {
    renderPart(<PrefetchWeek />, {
      session: 'worker',
      api: {
        ...answers,
        'invitations.mine': {
          items: [{ id: tomorrow.id, message: '', at: at(-1), status: 'sent', job: sampleCard() }],
          nextCursor: null,
        },
        'jobs.get': () => {
          throw refuse('job/not-found');
        },
      },
    });
    await inUse();
    await vi.waitFor(() => expect(requests).toContain('balance'));
  });

  it.each<[string, { saveData?: boolean; session: 'business' | 'worker' | null }]>([
    ['someone who hires', { session: 'business' }],
    ['a guest', { session: null }],
    ['a device that saves data', { session: 'worker', saveData: true }],
  ])('fetches nothing for %s', async (_case, { saveData, session }) => {
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData } }));
    const { api } = renderPart(<PrefetchWeek />, { session: session || undefined, api: answers });
    await inUse();
    expect(api.calls('engagements.mine')).toEqual([]);
  });

  it('retries when the app opens again after a time without a network', async () => {
    const { api } = renderPart(<PrefetchWeek />, { session: 'worker', api: answers });
    api.reachable = false;
    await inUse();
    expect(requests).toEqual([]);
    api.reachable = true;
    document.dispatchEvent(new Event('visibilitychange'));
    await inUse();
    await vi.waitFor(() => expect(requests).toEqual([tomorrow.id, 'balance']));
  });
});
