import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleEngagement, sampleTerms } from './engagements.fixtures.ts';
import { WorkTerms } from './work-detail.tsx';

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
