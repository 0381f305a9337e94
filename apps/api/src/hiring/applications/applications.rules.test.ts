import { dayMs } from '@nearhand/contract/durations';
import type { Answer } from '@nearhand/contract/hiring/applications';
import { applicationStatuses } from '@nearhand/contract/hiring/applications.rules';
import { decideByAt } from '@nearhand/contract/hiring/decide-by.rules';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerProblems,
  applicationMoves,
  awaitsAnswer,
  batchesByWorker,
  decideByState,
  givenAnswers,
  nextApplicationStatus,
} from './applications.rules.ts';

describe('application states', () => {
  it('allow edits by the worker only until it is viewed', () => {
    expect(applicationStatuses.filter((from) => nextApplicationStatus(from, 'edit', 'worker'))).toEqual([
      'submitted',
    ]);
  });

  it('allow withdrawal before a hire, and repeat it as a no-op', () => {
    const from = applicationStatuses.filter((status) => nextApplicationStatus(status, 'withdraw', 'worker'));
    expect(from).toEqual([
      'submitted',
      'viewed',
      'shortlisted',
      'interviewing',
      'offered',
      'withdrawn',
      'position_filled',
    ]);
  });

  it('let only the business view, once', () => {
    expect(nextApplicationStatus('submitted', 'view', 'business')).toBe('viewed');
    expect(nextApplicationStatus('viewed', 'view', 'business')).toBe('viewed');
    expect(nextApplicationStatus('submitted', 'view', 'worker')).toBeNull();
    expect(nextApplicationStatus('withdrawn', 'view', 'business')).toBeNull();
  });

  it('are final, except filled, which has a waitlist', () => {
    const live = new Set([
      'submitted',
      'viewed',
      'shortlisted',
      'interviewing',
      'offered',
      'position_filled',
      'hired',
    ]);
    expect(applicationMoves.filter(([from]) => !live.has(from))).toEqual([]);
  });

  it('keep the clock running until there is a response', () => {
    expect(applicationStatuses.filter(awaitsAnswer)).toEqual([
      'submitted',
      'viewed',
      'shortlisted',
      'interviewing',
    ]);
  });
});

const question = (id: string, options: Partial<JobQuestion> = {}): JobQuestion => ({
  id,
  prompt: '',
  kind: 'text',
  choices: [],
  required: false,
  ...options,
});

describe('answerProblems', () => {
  const questions = [
    question('t', { required: true }),
    question('y', { kind: 'yes_no', required: true }),
    question('n', { kind: 'number' }),
    question('c', { kind: 'choice', choices: ['Mornings', 'Evenings'] }),
  ];
  const whole: Answer[] = [
    { questionId: 't', value: 'Three years' },
    { questionId: 'y', value: false },
  ];
  const problemsWith = (answers: Answer[]) => answerProblems(questions, answers);

  it('accepts a complete set, with or without optional answers', () => {
    expect(problemsWith(whole)).toEqual([]);
    expect(
      problemsWith([...whole, { questionId: 'n', value: 0.5 }, { questionId: 'c', value: 'Evenings' }]),
    ).toEqual([]);
  });

  it.each<[string, Answer[], unknown]>([
    ['a missing one', [{ questionId: 'y', value: true }], [{ questionId: 't', problem: 'required' }]],
    [
      'an empty one',
      [{ questionId: 't', value: ' ' }, whole[1] as Answer],
      [{ questionId: 't', problem: 'required' }],
    ],
    ['an unknown one', [...whole, { questionId: 'x', value: '' }], [{ questionId: 'x', problem: 'unknown' }]],
    [
      'a repeated one',
      [...whole, { questionId: 'y', value: true }],
      [{ questionId: 'y', problem: 'repeated' }],
    ],
    [
      'text for a number',
      [...whole, { questionId: 'n', value: '5' }],
      [{ questionId: 'n', problem: 'wrong-kind' }],
    ],
    [
      'no number',
      [...whole, { questionId: 'n', value: Number.NaN }],
      [{ questionId: 'n', problem: 'wrong-kind' }],
    ],
    [
      'a number below zero',
      [...whole, { questionId: 'n', value: -3 }],
      [{ questionId: 'n', problem: 'wrong-kind' }],
    ],
    [
      'a number nobody means',
      [...whole, { questionId: 'n', value: 1_000_001 }],
      [{ questionId: 'n', problem: 'too-large' }],
    ],
    [
      'a yes for a text',
      [{ questionId: 't', value: true }, whole[1] as Answer],
      [{ questionId: 't', problem: 'wrong-kind' }],
    ],
    [
      'an email address',
      [{ questionId: 't', value: 'Write to leila@shore.example' }, whole[1] as Answer],
      [{ questionId: 't', problem: 'contact-details' }],
    ],
    [
      'another choice',
      [...whole, { questionId: 'c', value: 'Nights' }],
      [{ questionId: 'c', problem: 'not-a-choice' }],
    ],
  ])('finds %s', (_what, answers, problems) => {
    expect(problemsWith(answers)).toEqual(problems);
  });

  it('drops empty texts, keeps false and zero', () => {
    const answers = [
      { questionId: 'y', value: false },
      { questionId: 'n', value: 0 },
    ];
    expect(givenAnswers([...answers, { questionId: 't', value: '' }])).toEqual(answers);
  });
});

describe('decideByState', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 10, 1) + n * dayMs);
  const at = (n: number, decideAfter = 14) =>
    decideByState(day(n), { submittedAt: day(0), decideBy: day(decideAfter) }, [3, 7, 12]);

  it('nudges on days 3, 7 and 12 and ends on day 14', () => {
    expect(at(0)).toEqual({ over: false, nudgeDay: null, next: day(3) });
    expect(at(3)).toEqual({ over: false, nudgeDay: 3, next: day(7) });
    expect(at(12)).toEqual({ over: false, nudgeDay: 12, next: day(14) });
    expect(at(14)).toMatchObject({ over: true });
  });

  it('sends only the newest nudge after long downtime', () => {
    expect(at(8)).toEqual({ over: false, nudgeDay: 7, next: day(12) });
  });

  it('skips nudges that would come after a shorter deadline', () => {
    expect(at(3, 5)).toEqual({ over: false, nudgeDay: 3, next: day(5) });
  });

  it('always schedules another run, never past the end', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 30, noNaN: true }),
        fc.integer({ min: 1, max: 30 }),
        (n, decide) => {
          const { over, next } = at(n, decide);
          expect(over || (next > day(n) && next <= day(decide))).toBe(true);
        },
      ),
    );
  });
});

describe('decideByAt', () => {
  const now = new Date('2026-11-21T09:00:00Z');
  const by = (startsAt: string | null) =>
    decideByAt(now, 14, startsAt === null ? null : new Date(startsAt), 'Europe/Amsterdam').toISOString();

  it('returns 14 days from now, three hours before the work if sooner, half the time at short notice, or now if it has begun', () => {
    expect(by(null)).toBe('2026-12-05T09:00:00.000Z');
    expect(by('2027-03-01T09:00:00Z')).toBe('2026-12-05T09:00:00.000Z');
    expect(by('2026-11-25T10:00:00Z')).toBe('2026-11-25T07:00:00.000Z');
    expect(by('2026-11-21T15:00:00Z')).toBe('2026-11-21T12:00:00.000Z');
    expect(by('2026-11-21T11:00:00Z')).toBe('2026-11-21T10:00:00.000Z');
    expect(by('2026-11-21T09:10:00Z')).toBe('2026-11-21T09:05:00.000Z');
    expect(by('2026-11-20T09:00:00Z')).toBe('2026-11-21T09:00:00.000Z');
  });

  it('returns the morning or evening instead of night local time', () => {
    const sentAt = (at: string, startsAt: string | null = null) =>
      decideByAt(
        new Date(at),
        14,
        startsAt === null ? null : new Date(startsAt),
        'Europe/Amsterdam',
      ).toISOString();
    expect(sentAt('2026-11-21T20:59:00Z')).toBe('2026-12-05T20:59:00.000Z');
    expect(sentAt('2026-11-21T21:00:00Z')).toBe('2026-12-06T07:00:00.000Z');
    expect(sentAt('2026-11-22T02:30:00Z')).toBe('2026-12-06T07:00:00.000Z');
    expect(sentAt('2026-11-22T06:59:00Z')).toBe('2026-12-06T07:00:00.000Z');
    expect(sentAt('2026-11-22T07:00:00Z')).toBe('2026-12-06T07:00:00.000Z');
    // A deadline before an early start is the evening before, or at night if that is too soon.
    expect(sentAt('2026-11-22T02:30:00Z', '2026-11-27T06:00:00Z')).toBe('2026-11-26T21:00:00.000Z');
    expect(sentAt('2026-11-26T20:00:00Z', '2026-11-27T06:00:00Z')).toBe('2026-11-27T03:00:00.000Z');
    // The clocks go forward that night.
    expect(decideByAt(new Date('2027-03-14T01:00:00Z'), 14, null, 'Europe/Amsterdam').toISOString()).toBe(
      '2027-03-28T06:00:00.000Z',
    );
  });
});

describe('batchesByWorker', () => {
  it('splits between workers, in any order', () => {
    const apply = (workerId: string, ...ids: string[]) => ids.map((id) => ({ id, workerId }));
    const [first, ...shifts] = apply('leila', 'a', 'b', 'c');
    const applications = [
      ...apply('noor', 'd', 'e'),
      ...(first ? [first] : []),
      ...apply('sam', 'f'),
      ...shifts,
    ];
    expect(batchesByWorker(applications, 4)).toEqual([
      ['d', 'e'],
      ['a', 'b', 'c', 'f'],
    ]);
    expect(batchesByWorker(apply('leila', 'a', 'b', 'c'), 2)).toEqual([['a', 'b', 'c']]);
    expect(batchesByWorker([], 2)).toEqual([]);
  });
});
