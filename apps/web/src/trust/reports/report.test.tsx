import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { press } from '../../../test/device.ts';
import { refuse } from '../../../test/fake-api.ts';
import { renderApp } from '../../../test/render-app.tsx';

const id = '0193aaaa-0000-7000-8000-000000000001';
const at = '2026-11-21T09:00:00.000Z';
const profile = {
  ...({ id, name: 'Café Zilverlinde', category: 'hospitality', description: '', area: 'Haarlem' } as const),

  verified: true,
  logoPath: null,
  coverPath: null,
  website: null,
  openJobs: 1,
  memberSince: at,
  rating: { count: 0, averageTenths: null },
};
const subject = { kind: 'business', id, name: profile.name } as const;
const undecided = {
  outcome: null,
  answer: null,
  decidedAt: null,
  contestUntil: null,
  contest: null,
} as const;
const report = { id, subject, reason: 'unpaid', at, ...undecided } as const;

describe('reporting a business', () => {
  it('requires a reason, and shows what happens next', async () => {
    const { api } = renderApp(`/tabs/menu/report/business/${id}`, {
      session: 'worker',
      api: { 'businesses.profile': profile, 'reports.create': report },
    });
    await screen.findByText('Only our team sees your report. We never say who sent it.');
    await press('Send report');
    expect(await screen.findByText('Choose the best match.')).toBeTruthy();
    expect(api.inputs('reports.create')).toEqual([]);
    screen.getByRole('radio', { name: "Doesn't pay as agreed" }).click();
    fireEvent.change(screen.getByLabelText(/^What happened/), {
      target: { value: ' I worked two shifts. ' },
    });
    await press('Send report');
    expect(await screen.findByText('Thank you for reporting it')).toBeTruthy();
    await waitFor(() =>
      expect(api.inputs('reports.create')).toEqual([
        {
          kind: 'business',
          subjectId: id,
          reason: 'unpaid',
          note: 'I worked two shifts.',
          fileIds: [],
        },
      ]),
    );
  });

  it('of a review sends it without loading anything first', async () => {
    const { api } = renderApp(`/tabs/menu/report/review/${id}`, {
      session: 'worker',
      api: { 'reports.create': { ...report, subject: { ...subject, kind: 'review' }, reason: 'private' } },
    });
    expect(await screen.findByRole('heading', { name: 'Report this review' })).toBeTruthy();
    screen.getByRole('radio', { name: 'Names someone or shares private details' }).click();
    await press('Send report');
    expect(await screen.findByText('Thank you for reporting it')).toBeTruthy();
    expect(api.inputs('reports.create')).toMatchObject([
      { kind: 'review', subjectId: id, reason: 'private' },
    ]);
  });

  it('shows when there is nothing to report', async () => {
    renderApp(`/tabs/menu/report/business/${id}`, {
      session: 'worker',
      api: {
        'businesses.profile': () => {
          throw refuse('business/not-found');
        },
      },
    });
    expect(await screen.findByText("There's nothing to report here")).toBeTruthy();
  });
});
