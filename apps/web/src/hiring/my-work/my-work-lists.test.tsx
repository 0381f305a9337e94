import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApplicationActions } from '../applications/application-detail.part.tsx';
import { sampleApplication } from '../applications/applications.samples.ts';
import { openApplications } from './my-work-lists.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);

describe('what the worker applied for', () => {
  it('leaves out what they were hired for, which is booked work', () => {
    const sent = sampleApplication();
    const hired = sampleApplication({ id: '0193aaaa-0000-7000-8000-0000000000c2', status: 'hired' });
    const pages = [{ items: [hired, sent], nextCursor: null }];
    expect(openApplications({ pages, pageParams: [undefined] })).toEqual([sent]);
    expect(openApplications(undefined)).toEqual([]);
  });
});

describe('an application whose interview waits for a time', () => {
  const interview = (status: 'proposed' | 'scheduled'): MyApplication['interview'] => ({
    id: '0193aaaa-0000-7000-8000-0000000000f1',
    status,
    mode: 'video',
    startsAt: status === 'scheduled' ? '2026-11-29T10:00:00Z' : null,
  });
  const show = (status: 'proposed' | 'scheduled') =>
    render(
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={new QueryClient()}>
          <MemoryRouter>
            <ApplicationActions
              application={sampleApplication({
                status: 'interviewing',
                interview: interview(status),
                actions: ['withdraw'],
              })}
            />
          </MemoryRouter>
        </QueryClientProvider>
      </I18nProvider>,
    );

  it('has that as its action, until a time is picked', () => {
    show('proposed');
    expect(screen.getByRole('link', { name: 'Pick a time' }).getAttribute('href')).toBe(
      '/interview?id=0193aaaa-0000-7000-8000-0000000000f1',
    );
    cleanup();
    show('scheduled');
    expect(screen.queryByRole('link', { name: 'Pick a time' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Withdraw' })).toBeTruthy();
  });
});
