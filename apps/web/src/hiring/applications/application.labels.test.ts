import { i18n } from '@lingui/core';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { applicationStatuses } from '@nearhand/contract/hiring/applications.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  applicationStatusText,
  applicationTimeline,
  clockText,
  endingText,
  payThatCounts,
  waysIn,
} from './application.labels.ts';
import { sampleApplication } from './applications.fixtures.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
const now = new Date('2026-11-24T15:20:00Z');

const step = (
  status: MyApplication['status'],
  at = '2026-11-20T08:12:00Z',
  reason: string | null = null,
) => ({
  status,
  at,
  reason,
  rejectReason: null,
});

describe('waysIn', () => {
  it('marks the last step reached, even after an ending', () => {
    expect(waysIn(sampleApplication())).toEqual({ names: ['Sent', 'Viewed', 'Hired'], now: 0 });
    const steps = [...sampleApplication().steps, step('viewed')];
    expect(waysIn(sampleApplication({ status: 'viewed', steps })).now).toBe(1);
    const ended = step('no_response', '2026-12-03T17:40:00Z');
    expect(waysIn(sampleApplication({ status: 'no_response', steps: [...steps, ended] })).now).toBe(1);
  });

  it('skips steps that were passed over', () => {
    const steps = [...sampleApplication().steps, step('offered')];
    expect(waysIn(sampleApplication({ status: 'offered', steps }))).toEqual({
      names: ['Sent', 'Offer', 'Hired'],
      now: 1,
    });
    expect(waysIn(sampleApplication({ status: 'hired', steps: [...steps, step('hired')] }))).toEqual({
      names: ['Sent', 'Offer', 'Hired'],
      now: 2,
    });
  });
});

describe('clockText', () => {
  it("shows days, then hours, then minutes, with the day and time in the job's zone", () => {
    expect(clockText(sampleApplication(), now)).toMatchObject({
      figure: '9\u00a0d',
      title: '9 days left',
      reply: expect.stringMatching(/^They'll reply by Thu,?\s.*3.*(18:40|6:40)/),
    });
    const { job } = sampleApplication();
    const atStart = sampleApplication({ job: { ...job, startsAt: sampleApplication().decideBy } });
    expect(clockText(atStart, now).reply).toMatch(/^They'll reply by Thu,?\s.*3.*(18:40|6:40)/);
    expect(clockText(sampleApplication(), new Date('2026-12-02T00:40:00Z')).figure).toBe('41\u00a0h');
    expect(clockText(sampleApplication(), new Date('2026-12-03T17:10:00Z')).figure).toBe('30\u00a0min');
  });

  it('is empty after the deadline', () => {
    const over = clockText(sampleApplication(), new Date('2026-12-04T00:00:00Z'));
    expect(over).toMatchObject({ left: 0, title: 'Time is up' });
  });
});

describe('applicationTimeline', () => {
  it('shows past and possible events', () => {
    const items = applicationTimeline(sampleApplication(), now);
    expect(items.map(({ state }) => state)).toEqual(['now', 'next', 'next', 'next', 'next']);
    expect(items[0]?.title).toBe('Sent');
  });

  it('shows who withdrew an offer, also if the application goes on', () => {
    const onDay = (status: MyApplication['status'], day: number) => step(status, `2026-11-${day}T09:00:00Z`);
    const titles = (status: MyApplication['status'], ...steps: ReturnType<typeof step>[]) =>
      applicationTimeline(
        sampleApplication({ status, steps: [...sampleApplication().steps, ...steps] }),
        now,
      ).map(({ title }) => title);
    const withdrawn = `${sampleApplication().job.business.name} withdrew the offer`;
    expect(
      titles(
        'viewed',
        onDay('viewed', 20),
        onDay('offered', 21),
        onDay('viewed', 22),
        onDay('offered', 23),
        onDay('viewed', 24),
      ).slice(0, 6),
    ).toEqual(['Sent', 'Viewed', 'Offer', withdrawn, 'Offer', withdrawn]);
    expect(titles('offer_withdrawn', onDay('offered', 21), onDay('offer_withdrawn', 22)).at(-1)).toBe(
      withdrawn,
    );
    expect(titles('hired', onDay('offered', 21), onDay('hired', 22)).at(-1)).toBe('Hired');
  });

  it('has the time of the interview', () => {
    const note = (status: 'proposed' | 'scheduled' | 'completed' | 'cancelled', startsAt: string | null) =>
      applicationTimeline(
        sampleApplication({
          status: 'interviewing',
          steps: [...sampleApplication().steps, step('interviewing')],
          interview: { id: '1', status, mode: 'phone', startsAt, answerBy: null, awaits: null },
        }),
        now,
      )[1]?.note;
    expect(note('proposed', null)).toBeUndefined();
    expect(note('scheduled', '2026-12-02T09:00:00Z')).toMatch(/^Your interview is on Wed.*10/);
    expect(note('completed', '2026-11-23T09:00:00Z')).toMatch(/^Your interview was on Mon.*10/);
    expect(note('cancelled', '2026-12-02T09:00:00Z')).toBe('The interview was cancelled.');
  });

  it('ends with the outcome and its reason', () => {
    const steps = [
      ...sampleApplication().steps,
      step('job_closed', '2026-11-21T09:00:00Z', 'We found someone.'),
    ];
    const items = applicationTimeline(sampleApplication({ status: 'job_closed', steps }), now);
    expect(items.at(-1)).toMatchObject({
      title: 'The job was closed',
      note: 'We found someone.',
      state: 'now',
    });
  });
});

describe('payThatCounts', () => {
  it('uses a pending or accepted offer, otherwise the job', () => {
    const { job } = sampleApplication();
    const pay = { ...job.pay, minor: 2_000, totalMinor: 16_000 };
    const minorOf = (status: MyApplication['status'], offer: NonNullable<MyApplication['offer']>['status']) =>
      payThatCounts({
        status,
        job,
        offer: { id: '1', status: offer, funding: 'funded', expiresAt: '2026-11-22T09:00:00Z', pay },
      }).minor;
    expect([minorOf('offered', 'sent'), minorOf('hired', 'accepted')]).toEqual([2_000, 2_000]);
    expect([minorOf('offer_declined', 'declined'), minorOf('offered', 'funding')]).toEqual([1_700, 1_700]);
    expect(payThatCounts({ status: 'submitted', offer: null, job })).toBe(job.pay);
  });
});

describe('applicationStatusText', () => {
  it('has a label for every status, and an ending for each final one', () => {
    for (const status of applicationStatuses) {
      const { badge, title } = applicationStatusText(status);
      expect(badge && title).toBeTruthy();
      const over = !['submitted', 'viewed', 'shortlisted', 'interviewing', 'offered', 'hired'].includes(
        status,
      );
      expect(endingText(status, 'Hotel Brouwers') !== null).toBe(over);
    }
  });
});
