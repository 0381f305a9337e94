import type { MyApplication } from '@nearhand/contract/hiring/applications';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { ApplicationActions } from '../applications/application-detail.tsx';
import { sampleApplication } from '../applications/applications.fixtures.ts';
import { openApplications } from './my-work-lists.tsx';

afterEach(cleanup);

describe('what the worker applied for', () => {
  it('excludes hires, which are booked work', () => {
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
    answerBy: null,
    awaits: status === 'proposed' ? 'worker' : null,
  });
  const show = (status: 'proposed' | 'scheduled') =>
    renderPart(
      <ApplicationActions
        application={sampleApplication({
          status: 'interviewing',
          interview: interview(status),
          actions: ['withdraw'],
        })}
      />,
    );

  it('has that as its action until a time is picked', () => {
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
