import { cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { ApplicantState } from './applicant-state.tsx';

afterEach(cleanup);

const show = (startsAt: string) =>
  renderPart(
    <ApplicantState
      applicant={sampleApplicant({
        stage: 'interviewing',
        interview: { id: 'one', status: 'scheduled', mode: 'video', startsAt, awaits: null },
      })}
      zone="Europe/Amsterdam"
    />,
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
