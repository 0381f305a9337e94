import { describe, expect, it } from 'vitest';
import {
  answerErrors,
  answersOf,
  changeDraft,
  emptyDraft,
  isApplicationDraft,
  toApplicationDraft,
  typedNumber,
} from './application-draft.ts';
import { sampleApplication, sampleQuestion } from './applications.fixtures.ts';

describe('a draft', () => {
  it('survives a round trip through the device', () => {
    const draft = { ...emptyDraft(), answers: { a: true, b: '2,5' }, coverNote: 'سلام' };
    expect(isApplicationDraft(JSON.parse(JSON.stringify(draft)))).toBe(true);
  });

  it.each([null, 7, [], {}, { ...emptyDraft(), answers: [1] }, { ...emptyDraft(), cv: { kind: 'other' } }])(
    'is rejected when it is %j',
    (value) => expect(isApplicationDraft(value)).toBe(false),
  );

  it('gets another key when its content changes', () => {
    const draft = emptyDraft();
    expect(changeDraft(draft, { coverNote: 'x' }).key).not.toBe(draft.key);
  });

  it('is restored from the sent application', () => {
    const draft = toApplicationDraft(sampleApplication({ answers: [{ questionId: 'n', value: 2.5 }] }));
    expect(draft).toMatchObject({ coverNote: 'I live around the corner.', answers: { n: '2.5' } });
    expect(draft.editing).toBe(sampleApplication().id);
  });
});

describe('typedNumber', () => {
  it.each([
    ['3', 3],
    ['2,5', 2.5],
    ['-1.25', null],
    ['1 000', 1000],
    ['', null],
    ['1e9', null],
    ['many', null],
    ['9'.repeat(40), null],
  ])('%j is %j', (text, number) => expect(typedNumber(text)).toBe(number));
});

describe('answers', () => {
  const questions = [
    sampleQuestion({ id: 't' }),
    sampleQuestion({ id: 'n', kind: 'number', required: false }),
    sampleQuestion({ id: 'y', kind: 'yes_no' }),
    sampleQuestion({ id: 'c', kind: 'choice', choices: ['Week', 'Weekend'], required: false }),
  ];

  it('are sent by kind, without empty and removed ones', () => {
    expect(answersOf(questions, { t: ' Yes ', n: '2,5', y: false, c: 'Nights', gone: 'x' })).toEqual([
      { questionId: 't', value: 'Yes' },
      { questionId: 'n', value: 2.5 },
      { questionId: 'y', value: false },
    ]);
  });

  it('are validated before sending', () => {
    expect(answerErrors(questions, { t: ' ', n: 'two' })).toEqual({
      t: 'required',
      n: 'not-a-number',
      y: 'required',
    });
    expect(answerErrors(questions, { t: 'x', n: '-3', y: true })).toEqual({ n: 'negative' });
    expect(answerErrors(questions, { t: 'x', n: '1000001', y: true })).toEqual({ n: 'too-large' });
    const years = sampleQuestion({ id: 'n', kind: 'number', prompt: 'How many years have you worked?' });
    expect(answerErrors([years], { n: '999' })).toEqual({ n: 'too-large' });
    expect(answerErrors([years], { n: '12.5' })).toEqual({});
    expect(answerErrors([{ ...years, prompt: 'Which year did you pass?' }], { n: '2019' })).toEqual({});
    expect(answerErrors(questions, { t: 'x'.repeat(1001), y: false })).toEqual({ t: 'too-long' });
    expect(answerErrors(questions, { t: 'x', y: true })).toEqual({});
  });
});
