import type { QuestionForm } from './job-form.rules.ts';

/** Moves a question up or down; out of the list it stays where it is. */
export function moveQuestion(questions: readonly QuestionForm[], key: string, step: -1 | 1): QuestionForm[] {
  const from = questions.findIndex((question) => question.key === key);
  const to = from + step;
  if (from < 0 || to < 0 || to >= questions.length) return [...questions];
  const moved = [...questions];
  const [taken] = moved.splice(from, 1);
  if (taken) moved.splice(to, 0, taken);
  return moved;
}
