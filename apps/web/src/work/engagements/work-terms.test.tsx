import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleEngagement, sampleTerms } from './engagements.fixtures.ts';
import { WorkDetail, WorkTerms } from './work-detail.tsx';

afterEach(() => vi.unstubAllGlobals());

const open = () =>
  renderPart(
    <WorkTerms
      work={sampleEngagement({
        terms: sampleTerms({ startsAt: '2026-11-21T08:00:00Z', endsAt: '2026-11-21T14:00:00Z' }),
      })}
    />,
  );

it("offers a calendar file, except in Android's app, which can't save it", () => {
  open();
  const link = screen.getByRole('link', { name: 'Add to calendar' });
  expect(link.getAttribute('download')).toBe('work.ics');
  cleanup();
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true, getPlatform: () => 'android' });
  open();
  expect(screen.getByRole('heading', { name: 'Agreed terms' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Add to calendar' })).toBeNull();
});

it('leads completed work with what was paid, says the planned pay once, and calls the agreed hours so', () => {
  const at = '2026-11-21T13:30:00Z';
  const claim = {
    id: 'a',
    round: 1,
    by: 'worker' as const,
    startsAt: '2026-11-21T07:00:00Z',
    endsAt: '2026-11-21T14:00:00Z',
    breakMinutes: 0,
    paidMinutes: 420,
    amountMinor: 12_600,
    note: '',
    at,
    flags: [],
  };
  const counter = { ...claim, id: 'b', by: 'business' as const, paidMinutes: 390, amountMinor: 11_700 };
  const { container } = renderPart(
    <WorkDetail
      work={sampleEngagement({
        status: 'completed',
        actions: [],
        terms: sampleTerms({ breakMinutes: 30 }),
        checkedInAt: '2026-11-21T07:00:00Z',
        checkedOutAt: '2026-11-21T13:00:00Z',
        amountMinor: 11_700,
        claims: [claim, counter],
        releases: [
          {
            kind: 'undisputed',
            amountMinor: 11_700,
            workerGetsMinor: 11_700,
            currency: 'EUR',
            state: 'released',
            at,
            clearsAt: null,
            note: '',
          },
        ],
      })}
    />,
  );
  const page = container.textContent ?? '';
  expect(page.match(/€108 (to|for) you/g)).toEqual(['€108 to you']);
  expect(page.indexOf('Pay for the work')).toBeLessThan(page.indexOf('€108 to you'));
  expect(screen.getByRole('rowheader', { name: /^Agreed/ })).toBeTruthy();
  expect(screen.getByText(/planned break of 30\smin, none recorded/)).toBeTruthy();
  expect(page).not.toMatch(/Proposed|Undisputed|Add to calendar/);
});

it('says once that the worker cancelled', () => {
  renderPart(
    <WorkDetail
      work={sampleEngagement({
        status: 'cancelled_by_worker',
        actions: [],
        cancelled: { late: true, compensationMinor: 0, reason: 'I am ill.' },
      })}
    />,
  );
  expect(screen.getAllByText('You cancelled')).toHaveLength(1);
  expect(screen.getByText('It was a late cancellation.')).toBeTruthy();
});
