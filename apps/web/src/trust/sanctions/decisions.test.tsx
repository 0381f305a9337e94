import { ownReportPath } from '@nearhand/contract/app-paths';
import type { Report } from '@nearhand/contract/trust/reports';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import { refuse } from '../../../test/fake-api.ts';
import { sampleSettings } from '../../../test/people.fixtures.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { problemAt, type } from '../../../test/typing.ts';

const id = '0193aaaa-0000-7000-8000-000000000001';
const jobId = '0193aaaa-0000-7000-8000-000000000002';
const businessId = '0193aaaa-0000-7000-8000-000000000003';
const at = '2026-11-21T09:00:00.000Z';
const sample = (change: Partial<Sanction> = {}): Sanction => ({
  id,
  measure: 'hidden',
  scope: null,
  rule: 'no-fees',
  source: 'report',
  target: { kind: 'job', id: jobId, name: 'Barista' },
  business: { id: businessId, name: 'Café Zilverlinde' },
  facts: 'The job asks applicants to pay for a uniform.',
  decidedAt: at,
  endsAt: null,
  endedAt: null,
  ending: null,
  endReason: null,
  appeal: null,
  appealUntil: '2027-05-23T09:00:00.000Z',
  ...change,
});

describe('decisions', () => {
  it('are listed, with the ones in force', async () => {
    renderApp('/tabs/menu/decisions', {
      session: 'worker',
      api: { 'sanctions.mine': { items: [sample()], nextCursor: null } },
    });
    expect(await screen.findByText('Your job is hidden')).toBeTruthy();
    expect(screen.getByText('In force')).toBeTruthy();
  });

  it.each([
    ['removed', 'review', 'Your review was removed', /^Nobody else sees the review/],
    ['redacted', 'message', 'Your message was removed', /^Nobody can read the message/],
    ['frozen', 'conversation', 'Your conversation is frozen', /^Both sides can read/],
    ['refused', 'job', "Your job wasn't published", /^Only your team can see the job/],
  ] as const)('explain %s', async (measure, kind, title, note) => {
    renderApp(`/tabs/menu/decisions/${id}`, {
      session: 'worker',
      api: { 'sanctions.get': sample({ measure, target: { kind, id: jobId, name: 'Barista' } }) },
    });
    expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getByText(note)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Send appeal' })).toBeTruthy();
  });

  it('show an empty state', async () => {
    renderApp('/tabs/menu/decisions', {
      session: 'worker',
      api: { 'sanctions.mine': { items: [], nextCursor: null } },
    });
    expect(await screen.findByText('No decisions about you')).toBeTruthy();
  });

  it('show their reasons, and are appealed once', async () => {
    const words = 'The uniform is free.';
    const appeal = { id, words, at, dueAt: at, outcome: null, reason: null, decidedAt: null };
    const { api } = renderApp(`/tabs/menu/decisions/${id}`, {
      session: 'worker',
      api: {
        'sanctions.get': sample(),
        'appeals.create': sample({ appealUntil: null, appeal }),
      },
    });
    expect(await screen.findByText('The job asks applicants to pay for a uniform.')).toBeTruthy();
    expect(screen.getByText('Workers never pay to get or do a job.')).toBeTruthy();
    await press('Send appeal');
    await waitFor(() => expect(problemAt("Why it's wrong")).toBe('Say why you disagree.'));
    type("Why it's wrong", ` ${words} `);
    await press('Send appeal');
    expect(await screen.findByText('In review')).toBeTruthy();
    expect(api.inputs('appeals.create')).toEqual([{ sanctionId: id, words }]);
  });

  it('name who settles the dispute out of court after a rejected appeal', async () => {
    const decided = { outcome: 'upheld' as const, reason: 'The rule applies.', decidedAt: at };
    const appeal = { id, words: 'The uniform is free.', at, dueAt: at, ...decided };
    const body = { settlementBody: 'User Rights', settlementBodyUrl: 'https://rights.example/' };
    renderApp(`/tabs/menu/decisions/${id}`, {
      session: 'worker',
      api: {
        'sanctions.get': sample({ appealUntil: null, appeal }),
        'settings.get': { ...sampleSettings, ...body },
      },
    });
    expect(await screen.findByText(/^You can ask User Rights to settle/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open their site' }).getAttribute('href')).toBe(
      body.settlementBodyUrl,
    );
  });

  it('of someone else show not found', async () => {
    renderApp(`/tabs/menu/decisions/${id}`, {
      session: 'worker',
      api: {
        'sanctions.get': () => {
          throw refuse('sanction/not-found');
        },
      },
    });
    expect(await screen.findByText("We can't find this decision")).toBeTruthy();
  });

  it("include those about one's own reports", async () => {
    const subject = { kind: 'job', id: jobId, name: 'Barista' } as const;
    renderApp('/tabs/menu/decisions?show=reports', {
      session: 'worker',
      api: {
        'reports.mine': {
          items: [
            {
              id,
              subject,
              reason: 'scam',
              at,
              outcome: 'actioned',
              answer: 'We hid the job.',
              decidedAt: at,
              contestUntil: null,
              contest: null,
            },
            {
              id: jobId,
              subject: { kind: 'message', id: jobId, name: 'Café Zilverlinde' },
              reason: 'off-platform',
              at,
              outcome: null,
              answer: null,
              decidedAt: null,
              contestUntil: null,
              contest: null,
            },
          ],
          nextCursor: null,
        },
      },
    });
    expect(await screen.findByText('We hid the job.')).toBeTruthy();
    expect(screen.getByText('We took action')).toBeTruthy();
    expect(screen.getByText(/^Message.*Wants to pay or agree outside Nearhand/)).toBeTruthy();
  });

  it('let a reporter contest a dismissal once, with the form open from its notice', async () => {
    const subject = { kind: 'job', id: jobId, name: 'Barista' } as const;
    const decided = { outcome: 'dismissed', answer: 'The uniform is free.', decidedAt: at } as const;
    const dismissed = { id, subject, reason: 'scam', at, ...decided } as const;
    const contest = { words: 'They ask for 50 euros.', at, outcome: null, answer: null, decidedAt: null };
    const contested = { ...dismissed, contestUntil: null, contest };
    let item: Report = { ...dismissed, contestUntil: '2027-05-21T09:00:00.000Z', contest: null };
    const { api } = renderApp(ownReportPath(id), {
      session: 'worker',
      api: {
        'reports.mine': () => ({ items: [item], nextCursor: null }),
        'reports.contest': () => {
          item = contested;
          return contested;
        },
      },
    });
    await screen.findByText('The uniform is free.');
    type("Why it's wrong", contest.words);
    await press(/^Ask for another review/);
    expect(await screen.findByText('Your request for another review')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Ask for another review/ })).toBeNull();
    expect(api.inputs('reports.contest')).toEqual([{ reportId: id, words: contest.words }]);
  });

  it('move focus to the form of the report whose button was pressed, on a later page too', async () => {
    const decided = { reason: 'scam', at, outcome: 'dismissed', answer: 'No.', decidedAt: at } as const;
    const reportOn = (reportId: string, name: string): Report => ({
      ...decided,
      id: reportId,
      subject: { kind: 'job', id: jobId, name },
      contestUntil: '2027-05-21T09:00:00.000Z',
      contest: null,
    });
    renderApp(ownReportPath(id), {
      session: 'worker',
      api: {
        'reports.mine': ({ cursor }) =>
          cursor
            ? { items: [reportOn(id, 'Courier')], nextCursor: null }
            : { items: [reportOn(jobId, 'Barista')], nextCursor: 'next' },
      },
    });
    expect(await screen.findAllByLabelText("Why it's wrong")).toHaveLength(1);
    await press('Ask for another review, Barista');
    const [first] = screen.getAllByLabelText("Why it's wrong");
    expect(document.activeElement).toBe(first);
  });
});
