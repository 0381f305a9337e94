import { describe, expect, it } from 'vitest';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { type ApplicantPages, withApplicant } from './applicants.api.ts';

const applicantOf = (id: string, matchScore: number, change = {}) =>
  sampleApplicant({ id, matchScore, ...change });
const pages = (...items: ReturnType<typeof applicantOf>[][]): ApplicantPages => ({
  pageParams: [],
  pages: items.map((page, index) => ({
    items: page,
    nextCursor: index === items.length - 1 ? null : 'next',
  })),
});
const ids = (list: ApplicantPages) => list.pages.map(({ items }) => items.map(({ id }) => id).join(''));

describe('a list after one applicant changed', () => {
  const list = pages(
    [applicantOf('a', 90), applicantOf('b', 80)],
    [applicantOf('c', 70), applicantOf('d', 60)],
  );

  it('updates the row in place', () => {
    const after = withApplicant(list, { stage: 'new' }, applicantOf('c', 70, { notes: 3 }), true);
    expect(ids(after)).toEqual(['ab', 'cd']);
    expect(after.pages[1]?.items[0]?.notes).toBe(3);
  });
  it('removes applicants that no longer belong, and keeps the others', () => {
    const after = withApplicant(list, { stage: 'new' }, applicantOf('b', 80, { stage: 'shortlisted' }), true);
    expect(ids(after)).toEqual(['a', 'cd']);
  });
  it('keeps applicants in a list of everyone waiting when only the stage changed', () => {
    const after = withApplicant(
      list,
      { group: 'live' },
      applicantOf('b', 80, { stage: 'shortlisted' }),
      true,
    );
    expect(ids(after)).toEqual(['ab', 'cd']);
    expect(
      ids(withApplicant(list, { group: 'live' }, applicantOf('b', 80, { stage: 'ended' }), true)),
    ).toEqual(['a', 'cd']);
  });
  it('inserts a new applicant by rank, on their page', () => {
    expect(ids(withApplicant(list, { stage: 'new' }, applicantOf('x', 85), true))).toEqual(['axb', 'cd']);
    expect(ids(withApplicant(list, { stage: 'new' }, applicantOf('x', 65), true))).toEqual(['ab', 'cxd']);
    expect(ids(withApplicant(list, { stage: 'new' }, applicantOf('x', 10), true))).toEqual(['ab', 'cdx']);
  });
  it('ignores a new applicant who ranks below the loaded rows', () => {
    const part: ApplicantPages = {
      pageParams: [],
      pages: [{ items: [applicantOf('a', 90)], nextCursor: 'next' }],
    };
    expect(withApplicant(part, { stage: 'new' }, applicantOf('x', 10), true)).toBe(part);
  });
  it('ignores a new applicant whom a filter might exclude', () => {
    expect(withApplicant(list, { stage: 'new' }, applicantOf('x', 85), false)).toBe(list);
  });
  it('sorts by day when the newest come first', () => {
    const late = pages([
      applicantOf('a', 10, { submittedAt: '2026-11-20T10:00:00Z' }),
      applicantOf('b', 90, { submittedAt: '2026-11-18T10:00:00Z' }),
    ]);
    const x = applicantOf('x', 50, { submittedAt: '2026-11-19T10:00:00Z' });
    expect(ids(withApplicant(late, { sort: 'newest', stage: 'new' }, x, true))).toEqual(['axb']);
  });
});
