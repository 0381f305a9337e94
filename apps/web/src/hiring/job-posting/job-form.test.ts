import { i18n } from '@lingui/core';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { spanAt } from '../../lib/words/zoned-time.ts';
import { jobDoubts } from '../jobs/job-doubts.ts';
import { changesOf, isMaterial } from './job-changes.rules.ts';
import { isJobForm } from './job-draft-start.ts';
import {
  canSaveDraft,
  doubtedTermsOf,
  emptyJobForm,
  type JobForm,
  jobErrors,
  type QuestionForm,
  toJobDraft,
  typedPaidMinutes,
} from './job-form.rules.ts';
import { pastErrors } from './job-past.rules.ts';
import { fieldsOfRefusal } from './job-refusal.tsx';
import { moveQuestion } from './questions-editor.tsx';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const setting = {
  timeZone: 'Europe/Amsterdam',
  currency: 'EUR' as const,
  now: new Date('2026-11-21T09:00:00Z'),
};
const business = {
  address: 'Westerstraat 112',
  area: 'Jordaan',
  lat: 52.379,
  lng: 4.882,
  privateAddress: false,
} as Business;
const whole: JobForm = {
  ...emptyJobForm(),
  title: ' Weekend barista ',
  category: 'hospitality',
  description: 'Two grinders, one bar.',
  day: '2026-11-28',
  from: '08:00',
  to: '14:00',
  breakMinutes: '30',
  pay: '18,50',
  headCount: '2',
};
const question = (change: Partial<QuestionForm>): QuestionForm => ({
  key: 'q',
  prompt: 'Do you have a bicycle?',
  kind: 'yes_no',
  choices: [],
  required: true,
  ...change,
});

describe('what keeps a job from being published', () => {
  it('is reported field by field', () => {
    expect(Object.keys(jobErrors(emptyJobForm(), setting)).sort()).toEqual(
      ['category', 'day', 'description', 'from', 'pay', 'title', 'to'].sort(),
    );
    expect(jobErrors(whole, setting)).toEqual({});
  });

  it('requires the place only for work elsewhere', () => {
    expect(Object.keys(jobErrors({ ...whole, elsewhere: true }, setting))).toEqual([
      'address',
      'area',
      'point',
    ]);
  });

  it('rejects a past start, but allows an old job to be corrected', () => {
    const old = { ...whole, day: '2026-11-20' };
    expect(jobErrors(old, setting)).toEqual({ day: expect.any(String) });
    expect(jobErrors({ ...whole, day: '2026-11-21' }, setting)).toEqual({ from: expect.any(String) });
    expect(jobErrors(old, { ...setting, savedStart: '2026-11-20T07:00:00+00:00' })).toEqual({});
  });

  it('reports a distant year, but allows an old job to be corrected', () => {
    expect(jobErrors({ ...whole, day: '2046-11-28' }, setting)).toEqual({
      day: '2046 is too far ahead. Choose a day within two years.',
    });
    expect(jobErrors({ ...whole, day: '2028-11-14' }, setting)).toEqual({});
    const savedStart = '2046-11-28T07:00:00+00:00';
    expect(jobErrors({ ...whole, day: '2046-11-28' }, { ...setting, savedStart })).toEqual({});
  });

  it('questions very low hourly pay, even without a minimum wage', () => {
    const doubts = (pay: string) => jobDoubts(doubtedTermsOf({ ...whole, pay }, setting), setting.now);
    expect(doubts('3')).toEqual(['The pay is €3 an hour.']);
    expect(doubts('6')).toEqual([]);
  });

  it('questions a shift of 16 hours, like one with end and start swapped', () => {
    const doubts = (to: string) =>
      jobDoubts(doubtedTermsOf({ ...whole, from: '17:00', to }, setting), setting.now);
    expect(doubts('09:00')).toEqual([expect.stringMatching(/^The shift is 16.h long\.$/)]);
    expect(doubts('08:30')).toEqual([]);
  });

  it('questions a nearly empty description', () => {
    const doubts = (description: string) =>
      jobDoubts(doubtedTermsOf({ ...whole, description }, setting), setting.now);
    expect(doubts('short')).toEqual(['The description says only “short”.']);
    expect(doubts(whole.description)).toEqual([]);
  });

  it('requires a break shorter than the shift and an end other than the start', () => {
    expect(jobErrors({ ...whole, to: '08:30' }, setting)).toEqual({ breakMinutes: expect.any(String) });
    expect(jobErrors({ ...whole, breakMinutes: '1.5' }, setting)).toEqual({
      breakMinutes: expect.any(String),
    });
    expect(jobErrors({ ...whole, to: '08:00' }, setting)).toEqual({ to: expect.any(String) });
  });

  it('reports unfinished questions', () => {
    const choice = question({ kind: 'choice', choices: ['Yes', ' '] });
    expect(jobErrors({ ...whole, questions: [choice] }, setting).questions).toBeTruthy();
    const whole3 = question({ kind: 'choice', choices: ['Mornings', 'Evenings'] });
    expect(jobErrors({ ...whole, questions: [whole3] }, setting)).toEqual({});
  });
});

describe('unusual terms', () => {
  const dutch = { ...setting, country: 'NL' };
  const sent = (form: JobForm) => toJobDraft(form, dutch, business);

  it("require a reason, for the day's minimum wage and below 15 paid minutes", () => {
    const errors = (part: Partial<JobForm>, at = dutch) => Object.keys(jobErrors({ ...whole, ...part }, at));
    expect(errors({ pay: '14,70' })).toEqual(['payReason']);
    expect(errors({ pay: '14,71' })).toEqual([]);
    expect(errors({ pay: '14,70' }, setting as typeof dutch)).toEqual([]);
    expect(errors({ pay: '17,99' }, { ...dutch, payFloors: { NL: 1_800 } } as typeof dutch)).toEqual([
      'payReason',
    ]);
    const short = { breakMinutes: '30', pay: '30' };
    expect(errors({ ...short, to: '08:44' })).toEqual(['shortReason']);
    expect(errors({ ...short, to: '08:45' })).toEqual([]);
    expect(errors({ ...short, to: '08:45', pay: '19' })).toEqual(['pay']);
    expect(errors({ pay: '14,70', payReason: 'x'.repeat(501) })).toEqual(['payReason']);
    expect(errors({ kind: 'task', pay: '5' })).toEqual([]);
  });

  it('send the reason only while it is required', () => {
    const low = { ...whole, pay: '14', payReason: ' An apprentice. ' };
    expect(sent(low)).toMatchObject({ payReason: 'An apprentice.', shortReason: null });
    expect(sent({ ...low, pay: '18' }).payReason).toBeNull();
  });
});

describe('instant hire', () => {
  const instant = { ...whole, instantHire: true };

  it('allows no questions that need review', () => {
    expect(jobErrors(instant, setting)).toEqual({});
    expect(Object.keys(jobErrors({ ...instant, cvRequired: true }, setting))).toEqual(['instantHire']);
    const asks = (kind: QuestionForm['kind']) =>
      Object.keys(jobErrors({ ...instant, questions: [question({ kind })] }, setting));
    expect(asks('text')).toEqual(['questions']);
    expect(asks('yes_no')).toEqual([]);
  });

  it("shows the server's rejection at its fields", () => {
    const refused = new ApiError('job/not-instant', { data: { because: ['payMinor', 'cvRequired'] } });
    expect(Object.keys(fieldsOfRefusal(refused, (field) => field)).sort()).toEqual(['instantHire', 'pay']);
  });

  it('states at hours and place that a hire locks them', () => {
    const refused = (changed: string[]) =>
      Object.keys(fieldsOfRefusal(new ApiError('job/terms-fixed', { data: { changed } }), String));
    expect(refused(['hours'])).toEqual(['day']);
    expect(refused(['place'])).toEqual(['point']);
    expect(refused(['hours', 'place']).sort()).toEqual(['day', 'point']);
  });
});

describe('the times of a shift', () => {
  it('end the next day when the end is before the start', () => {
    expect(spanAt({ day: '2026-11-28', from: '22:00', to: '06:00' }, 'Europe/Amsterdam')).toEqual({
      startsAt: '2026-11-28T21:00:00.000Z',
      endsAt: '2026-11-29T05:00:00.000Z',
      overnight: true,
    });
  });

  it('are an hour longer in the night when clocks go back', () => {
    const night = { ...whole, day: '2026-10-24', from: '22:00', to: '06:00', breakMinutes: '' };
    expect(typedPaidMinutes(night, 'Europe/Amsterdam')).toBe(9 * 60);
  });

  it('exclude an unpaid break', () => {
    expect(typedPaidMinutes(whole, 'Europe/Amsterdam')).toBe(330);
    expect(typedPaidMinutes({ ...whole, breakPaid: true }, 'Europe/Amsterdam')).toBe(360);
  });
});

describe('what is sent', () => {
  it('contains the kind of engagement, and none without a choice', () => {
    expect(toJobDraft({ ...whole, relation: 'employed' }, setting, business).relation).toBe('employed');
    expect(toJobDraft(whole, setting, business).relation).toBeNull();
  });

  it("matches the form, in minor units and instants, at the business's address", () => {
    expect(toJobDraft(whole, setting, business)).toMatchObject({
      title: 'Weekend barista',
      payMinor: 1_850,
      headCount: 2,
      startsAt: '2026-11-28T07:00:00.000Z',
      endsAt: '2026-11-28T13:00:00.000Z',
      breakMinutes: 30,
      dueOn: null,
      place: { address: 'Westerstraat 112', lat: 52.379 },
    });
  });

  it('omits incomplete fields instead of sending or clearing them', () => {
    const half = { ...whole, pay: '18.', breakMinutes: 'x', questions: [question({ prompt: ' ' })] };
    expect(toJobDraft({ ...half, pay: '18..' }, setting, business)).not.toHaveProperty('payMinor');
    expect(toJobDraft(half, setting, business)).toMatchObject({ payMinor: 1_800, questions: [] });
    expect(toJobDraft(half, setting, business)).not.toHaveProperty('breakMinutes');
    expect(toJobDraft({ ...whole, pay: '' }, setting, business).payMinor).toBeNull();
  });

  it('drops the hours of a shift that became a task', () => {
    const task = toJobDraft({ ...whole, kind: 'task', dueOn: '2026-12-04' }, setting, business);
    expect(task).toMatchObject({ kind: 'task', startsAt: null, endsAt: null, dueOn: '2026-12-04' });
  });

  it("contains only an edit's changes, marked as material if applicants must be notified", () => {
    const before = toJobDraft(whole, setting, business);
    const words = changesOf(before, toJobDraft({ ...whole, description: 'One bar.' }, setting, business));
    expect(words).toEqual({ description: 'One bar.' });
    expect(isMaterial(before, words)).toBe(false);
    const later = changesOf(before, toJobDraft({ ...whole, from: '09:00' }, setting, business));
    expect(Object.keys(later)).toEqual(['startsAt']);
    expect(isMaterial(before, later)).toBe(true);
    expect(isMaterial(before, { headCount: 3 })).toBe(false);
    expect(isMaterial(before, { headCount: 1 })).toBe(true);
    const { place } = before;
    if (!place) throw new Error('the draft has no place');
    expect(isMaterial(before, { place: { ...place, area: 'Elsewhere' } })).toBe(false);
    expect(isMaterial(before, { place: { ...place, privateAddress: !place.privateAddress } })).toBe(false);
    expect(isMaterial(before, { place: { ...place, address: 'Westerstraat 1' } })).toBe(true);
  });

  it('waits for a title and a category', () => {
    expect(canSaveDraft(whole)).toBe(true);
    expect(canSaveDraft({ ...whole, category: '' })).toBe(false);
  });
});

it('reorders questions within the list', () => {
  const list = ['a', 'b', 'c'].map((key) => question({ key }));
  const order = (moved: QuestionForm[]) => moved.map((questionForm) => questionForm.key).join('');
  expect(order(moveQuestion(list, 'a', 1))).toBe('bac');
  expect(order(moveQuestion(list, 'a', -1))).toBe('abc');
  expect(order(moveQuestion(list, 'c', 1))).toBe('abc');
});

it('restores only a saved form', () => {
  expect(isJobForm(JSON.parse(JSON.stringify(whole)))).toBe(true);
  expect(isJobForm({ ...whole, questions: 'none' })).toBe(false);
  expect(isJobForm(null)).toBe(false);
});

describe('what is said at once', () => {
  const pay = (typed: string) => jobErrors({ ...whole, pay: typed }, setting).pay;
  it('reports invalid pay', () => {
    expect(pay('-5')).toContain('more than');
    expect(pay('0')).toContain('more than');
    expect(pay('10000001')).toContain('or less');
    expect(pay('123456789012')).toContain('or less');
    expect(pay('a lot')).toContain('as a number');
    expect(pay('18.505')).toContain('as a number');
  });

  it('reports a past day before the hours are entered, but no half-typed year', () => {
    const on = (day: string, part = {}) => pastErrors({ ...whole, from: '', to: '', day, ...part }, setting);
    expect(on('2020-01-01')).toHaveProperty('day');
    expect(on('0202-01-01')).toEqual({});
    expect(on('2999-01-01')).toEqual({});
    expect(on('', { kind: 'task', dueOn: '2020-01-01' })).toHaveProperty('dueOn');
    expect(pastErrors(whole, setting)).toEqual({});
  });
});
