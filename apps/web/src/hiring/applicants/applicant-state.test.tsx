import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sampleApplicant } from '../pipeline/pipeline.samples.ts';
import { ApplicantState } from './applicant-state.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);

const show = (startsAt: string) =>
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <ApplicantState
            applicant={sampleApplicant({
              stage: 'interviewing',
              interview: { id: 'one', status: 'scheduled', mode: 'video', startsAt },
            })}
            zone="Europe/Amsterdam"
          />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );

describe("an applicant's interview", () => {
  it('is upcoming until it begins, and then waits for its outcome', () => {
    show('2999-11-21T13:00:00Z');
    expect(screen.getByText('Interview scheduled')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open interview' })).toBeTruthy();
    cleanup();
    show('2026-01-21T13:00:00Z');
    expect(screen.queryByText('Interview scheduled')).toBeNull();
    expect(screen.getByText('Interview needs an outcome')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Add outcome' }).getAttribute('href')).toBe('/interview?id=one');
  });
});
