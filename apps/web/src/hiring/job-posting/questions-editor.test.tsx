import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { QuestionForm } from './job-form.rules.ts';
import { QuestionsEditor } from './questions-editor.tsx';

configure({ asyncUtilTimeout: 10_000 });

const question = (key: string, prompt: string): QuestionForm => ({
  key,
  prompt,
  kind: 'yes_no',
  choices: [],
  required: true,
});

let now: readonly QuestionForm[] = [];

function Held({ start }: { start: readonly QuestionForm[] }) {
  const [questions, setQuestions] = useState(start);
  now = questions;
  return (
    <I18nProvider i18n={i18n}>
      <QuestionsEditor id="q" questions={questions} onChange={setQuestions} />
    </I18nProvider>
  );
}

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(cleanup);

describe('the editor of questions', () => {
  it('adds one and focuses it', async () => {
    render(<Held start={[]} />);
    fireEvent.click(screen.getByRole('button', { name: 'Add a question' }));
    const prompt = screen.getByLabelText('What do you want to know?');
    await waitFor(() => expect(document.activeElement).toBe(prompt));
    fireEvent.change(prompt, { target: { value: 'Do you have a bicycle?' } });
    expect(now).toMatchObject([{ prompt: 'Do you have a bicycle?', kind: 'yes_no', required: true }]);
  });

  it('moves by keyboard, announces it, and keeps the focus on the question', async () => {
    render(<Held start={[question('a', 'First'), question('b', 'Second'), question('c', 'Third')]} />);
    fireEvent.click(screen.getByRole('button', { name: 'Move question 3 up' }));
    expect(now.map(({ key }) => key)).toEqual(['a', 'c', 'b']);
    expect(screen.getByRole('status').textContent).toBe('Moved to question 2 of 3');
    fireEvent.click(screen.getByRole('button', { name: 'Move question 2 up' }));
    expect(now.map(({ key }) => key)).toEqual(['c', 'a', 'b']);
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Move question 1 down'),
    );
    expect(screen.getByRole('button', { name: 'Move question 1 up' }).hasAttribute('disabled')).toBe(true);
  });

  it('requires two answers for a choice', () => {
    render(<Held start={[question('a', 'When?')]} />);
    fireEvent.change(screen.getByLabelText('Answer'), { target: { value: 'choice' } });
    expect(now[0]?.choices).toEqual(['', '']);
    fireEvent.change(screen.getByRole('textbox', { name: 'Answer 2' }), { target: { value: 'Evenings' } });
    fireEvent.click(screen.getByRole('button', { name: 'Add an answer' }));
    expect(now[0]?.choices).toEqual(['', 'Evenings', '']);
    fireEvent.click(screen.getByRole('button', { name: 'Remove answer 1' }));
    expect(now[0]?.choices).toEqual(['Evenings', '']);
  });

  it('accepts up to ten', () => {
    render(<Held start={Array.from({ length: 10 }, (_, at) => question(String(at), 'Q'))} />);
    expect(screen.getByRole('button', { name: 'Add a question' }).hasAttribute('disabled')).toBe(true);
  });
});
