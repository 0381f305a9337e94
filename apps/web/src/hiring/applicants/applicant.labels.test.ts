import { i18n } from '@lingui/core';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import { beforeAll, describe, expect, it } from 'vitest';
import { answerText } from './applicant.labels.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('an answer in words', () => {
  const question = (id: string): JobQuestion => ({
    id,
    prompt: '?',
    kind: 'text',
    choices: [],
    required: true,
  });
  const answers = [
    { questionId: 'a', value: true },
    { questionId: 'b', value: 1_200 },
    { questionId: 'c', value: 'Mornings' },
    { questionId: 'd', value: '' },
  ];
  it('shows yes, numbers and text, and null without an answer', () => {
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => answerText(question(id), answers))).toEqual([
      'Yes',
      '1,200',
      'Mornings',
      null,
      null,
    ]);
  });
});
