import type { DataExportState } from '@nearhand/contract/people/data-exports';
import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../test/fake-api.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { YourData } from './your-data.tsx';

const state = (change: Partial<DataExportState> = {}): DataExportState => ({
  latest: null,
  leftToday: 3,
  perDay: 3,
  linkHours: 24,
  email: 'leila@example.org',
  ...change,
});
const latest = {
  id: '0193aaaa-0000-7000-8000-00000000000e',
  requestedAt: '2026-11-22T09:00:00.000Z',
  readyAt: null,
  expiresAt: null,
  bytes: null,
};

describe('your data', () => {
  it('is prepared on request, and shows where the link goes', async () => {
    const { api } = renderPart(<YourData />, {
      session: 'worker',
      api: {
        'dataExports.get': state(),
        'dataExports.request': state({ latest: { ...latest, status: 'running' }, leftToday: 2 }),
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Get a copy of my data' }));
    expect(await screen.findByText(/We'll send the link to leila@example.org/)).toBeTruthy();
    expect((screen.getByRole('button', { name: 'Get a new copy' }) as HTMLButtonElement).disabled).toBe(true);
    expect(api.calls('dataExports.request')).toHaveLength(1);
  });

  it('is ready until a time, and can be requested again while copies are left', async () => {
    const ready = {
      readyAt: '2026-11-22T09:01:00.000Z',
      expiresAt: '2026-11-23T09:01:00.000Z',
      bytes: 20_480,
    };
    renderPart(<YourData />, {
      session: 'worker',
      api: { 'dataExports.get': state({ latest: { ...latest, ...ready, status: 'ready' }, leftToday: 0 }) },
    });
    expect(await screen.findByText(/It works until Mon 23 Nov/)).toBeTruthy();
    expect(screen.getByText(/as many copies as you can today/)).toBeTruthy();
  });

  it('that failed shows an error, like a rejection', async () => {
    renderPart(<YourData />, {
      session: 'worker',
      api: {
        'dataExports.get': state({ latest: { ...latest, status: 'failed' } }),
        'dataExports.request': () => {
          throw refuse('data-export/daily-limit', { limit: 3 });
        },
      },
    });
    expect(await screen.findByText(/We couldn't prepare your last copy/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Get a new copy' }));
    expect(await screen.findByText(/up to 3 copies a day/)).toBeTruthy();
  });

  it('is downloaded with the mailed link', async () => {
    renderPart(<YourData />, {
      session: 'worker',
      path: '/account-settings?export=a.b',
      api: { 'dataExports.get': state() },
    });
    expect(await screen.findByRole('button', { name: 'Download your data' })).toBeTruthy();
  });
});
