import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { ApplicantActions } from './applicant-body.tsx';
import type { DropMove } from './stage.labels.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const fresh = sampleApplicant({
  stage: 'new',
  status: 'viewed',
  actions: ['shortlist', 'propose-interview', 'reject'],
});
const shortlisted = sampleApplicant({
  stage: 'shortlisted',
  status: 'shortlisted',
  actions: ['propose-interview', 'unshortlist', 'reject'],
});

function Panel({ moves }: { moves: DropMove[] }) {
  const [applicant, setApplicant] = useState(fresh);
  const onMove = (_: unknown, move: DropMove) => {
    moves.push(move);
    setApplicant(shortlisted);
  };
  return <ApplicantActions applicant={applicant} onMove={onMove} />;
}

it('ignores the second click of a double click on "Shortlist" for the button that moves into its place', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const moves: DropMove[] = [];
  renderPart(<Panel moves={moves} />, { session: 'business' });
  const first = () => screen.getByRole('group', { name: 'Actions' }).querySelector('button') as Element;
  fireEvent.click(first());
  expect(first().textContent).not.toBe('Shortlist');
  fireEvent.click(first());
  expect(moves).toEqual(['shortlist']);
  act(() => void vi.advanceTimersByTime(700));
  fireEvent.click(first());
  expect(moves).toEqual(['shortlist', 'propose-interview']);
});

it('accepts a click elsewhere at once', () => {
  const moves: DropMove[] = [];
  renderPart(<Panel moves={moves} />, { session: 'business' });
  const first = () => screen.getByRole('group', { name: 'Actions' }).querySelector('button') as Element;
  fireEvent.click(first(), { clientX: 44 });
  fireEvent.click(first(), { clientX: 85 });
  expect(moves).toEqual(['shortlist', 'propose-interview']);
});

it('offers every decision on a new applicant without a menu', () => {
  const moves: DropMove[] = [];
  renderPart(<Panel moves={moves} />, { session: 'business' });
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect(names).toEqual(expect.arrayContaining(['Shortlist', 'Propose an interview', 'Reject']));
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull();
});
