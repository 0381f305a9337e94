import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sampleTerms, sampleWork } from './engagements.samples.ts';
import { anyAwaitingAnswer, TodayCards, WorkToAnswer } from './work-list.part.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-20T18:30:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const asked = { what: 'auto-submit' as const, at: '2026-11-22T01:00:00Z', since: '2026-11-18T10:00:00Z' };
const show = (items: readonly EngagementCard[]) =>
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <TodayCards items={items} />
          <WorkToAnswer items={items} />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );

describe('work that asks whether one comes', () => {
  it('is answered where it leads the screen, and stands there only', () => {
    const tomorrow = sampleWork({ next: asked });
    show([tomorrow]);
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Tomorrow');
    expect(screen.getByRole('button', { name: "Confirm I'll be there" })).toBeTruthy();
    expect(screen.queryByText("Confirm you'll be there")).toBeNull();
    expect(anyAwaitingAnswer([tomorrow])).toBe(false);
  });

  it('waits in the list while it is further away', () => {
    const later = sampleWork({
      next: asked,
      terms: sampleTerms({ startsAt: '2026-11-22T05:00:00Z', endsAt: '2026-11-22T11:00:00Z' }),
    });
    show([later]);
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
    expect(screen.getByRole('link', { name: /Confirm you'll be there/ })).toBeTruthy();
    expect(anyAwaitingAnswer([later])).toBe(true);
  });

  it('asks nobody who has said so', () => {
    show([sampleWork({ status: 'confirmed', next: asked, actions: ['cancel'] })]);
    expect(screen.queryByRole('button', { name: "Confirm I'll be there" })).toBeNull();
  });
});
