import { useLingui } from '@lingui/react/macro';
import type { JobQuestion } from '@nearhand/contract/hiring/job-posting';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { issueText } from '../../lib/api/issue.labels.ts';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import type { ApplicationDraft, DraftProblem } from './application-draft.ts';

type QuestionFieldsProps = {
  questions: readonly JobQuestion[];
  answers: ApplicationDraft['answers'];
  errors: Record<string, string>;
  idOf: (questionId: string) => string;
  onAnswer: (questionId: string, value: string | boolean) => void;
};

export function QuestionFields({ questions, answers, errors, idOf, onAnswer }: QuestionFieldsProps) {
  const { t } = useLingui();
  return questions.map((question) => {
    const { id, prompt, kind, required } = question;
    const value = answers[id];
    const error = errors[id];
    const label = (
      <>
        <bdi>{prompt}</bdi>
        {required ? null : <span className="mute opt-mark"> · {t`optional`}</span>}
      </>
    );
    if (kind === 'yes_no') {
      return (
        <div key={id} id={idOf(id)} tabIndex={-1}>
          <RadioGroup
            legend={label}
            columns
            error={error}
            value={value === undefined ? null : value === true ? 'yes' : 'no'}
            onChange={(option) => onAnswer(id, option === 'yes')}
            options={[
              { value: 'yes', label: t`Yes` },
              { value: 'no', label: t`No` },
            ]}
          />
        </div>
      );
    }
    if (kind === 'choice') {
      return (
        <div key={id} id={idOf(id)} tabIndex={-1}>
          <RadioGroup
            legend={label}
            error={error}
            value={typeof value === 'string' ? value : null}
            onChange={(option) => onAnswer(id, option)}
            options={question.choices.map((choice) => ({ value: choice, label: <bdi>{choice}</bdi> }))}
          />
        </div>
      );
    }
    const text = typeof value === 'string' ? value : '';
    return kind === 'number' ? (
      <TextInput
        key={id}
        id={idOf(id)}
        label={label}
        error={error}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={(event) => onAnswer(id, event.target.value)}
      />
    ) : (
      <TextArea
        key={id}
        id={idOf(id)}
        label={label}
        error={error}
        rows={4}
        dir="auto"
        length={text.length}
        maxLength={hiringLimits.answerMax}
        value={text}
        onChange={(event) => onAnswer(id, event.target.value)}
      />
    );
  });
}

export function useProblemText(): (problem: DraftProblem) => string {
  const { t } = useLingui();
  return (problem) => {
    if (problem === 'required') return t`Answer this question.`;
    if (problem === 'not-a-number') return t`Enter a number, such as 3 or 2.5.`;
    if (problem === 'negative') return t`Enter 0 or more.`;
    if (problem === 'too-large') return t`That number is too large. Check it.`;
    if (problem === 'contact-details') return issueText({ path: '', rule: problem });
    return t`Use ${hiringLimits.answerMax} characters or fewer.`;
  };
}
