import { Trans, useLingui } from '@lingui/react/macro';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { useId, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Switch } from '../../ui/controls/choices.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { type QuestionForm, type QuestionKind, questionError } from './job-form.rules.ts';

type QuestionsEditorProps = {
  id: string;
  questions: readonly QuestionForm[];
  onChange: (questions: QuestionForm[]) => void;
  error?: string;
};

const newQuestion = (): QuestionForm => ({
  key: crypto.randomUUID(),
  prompt: '',
  kind: 'yes_no',
  choices: [],
  required: true,
});

export function QuestionsEditor({ id, questions, onChange, error }: QuestionsEditorProps) {
  const { t } = useLingui();
  const [announcement, announce] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const promptOf = (key: string) =>
    list.current?.querySelector<HTMLInputElement>(`[data-question="${key}"] input`);

  const add = () => {
    const question = newQuestion();
    onChange([...questions, question]);
    requestAnimationFrame(() => promptOf(question.key)?.focus());
  };
  const move = (key: string, step: -1 | 1) => {
    const reordered = moveQuestion(questions, key, step);
    onChange(reordered);
    const place = reordered.findIndex((question) => question.key === key) + 1;
    announce(t`Moved to question ${place} of ${reordered.length}`);
    // At an end of the list the pressed button is disabled; the focus stays with the question.
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll<HTMLButtonElement>(`[data-question="${key}"] .ib`);
      const [up, down] = buttons ?? [];
      const pressed = step === -1 ? up : down;
      (pressed?.disabled ? (step === -1 ? down : up) : pressed)?.focus();
    });
  };
  const remove = (key: string) => {
    const at = questions.findIndex((question) => question.key === key);
    const remaining = questions.filter((question) => question.key !== key);
    onChange(remaining);
    announce(t`Question removed`);
    const next = remaining[Math.min(at, remaining.length - 1)];
    requestAnimationFrame(() => (next ? promptOf(next.key)?.focus() : document.getElementById(id)?.focus()));
  };

  return (
    <section aria-labelledby={`${id}-title`}>
      <h3 className="flabel" id={`${id}-title`}>
        {t`Questions`}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </h3>
      <p className="sm mute">
        <Trans>
          Everyone who applies answers these. Two or three good questions save you messages later.
        </Trans>
      </p>
      <ol className="col mt3" ref={list}>
        {questions.map((question, index) => (
          <QuestionRow
            key={question.key}
            question={question}
            place={index + 1}
            count={questions.length}
            showError={Boolean(error)}
            onChange={(part) =>
              onChange(questions.map((item) => (item.key === question.key ? { ...item, ...part } : item)))
            }
            onMove={(step) => move(question.key, step)}
            onRemove={() => remove(question.key)}
          />
        ))}
      </ol>
      <FieldNote id={`${id}-note`} error={error} />
      <div className="mt3">
        <Button
          id={id}
          kind="out"
          size="s"
          icon="plus"
          disabled={questions.length >= hiringLimits.questionsMax}
          onClick={add}
        >
          {t`Add a question`}
        </Button>
        {questions.length >= hiringLimits.questionsMax ? (
          <p className="help">{t`You can ask up to ten questions.`}</p>
        ) : null}
      </div>
      <p className="vh" role="status">
        {announcement}
      </p>
    </section>
  );
}

type QuestionRowProps = {
  question: QuestionForm;
  place: number;
  count: number;
  showError: boolean;
  onChange: (part: Partial<QuestionForm>) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
};

function QuestionRow({ question, place, count, showError, onChange, onMove, onRemove }: QuestionRowProps) {
  const { t } = useLingui();
  const kinds: { value: QuestionKind; label: string }[] = [
    { value: 'yes_no', label: t`Yes or no` },
    { value: 'text', label: t`Text` },
    { value: 'number', label: t`Number` },
    { value: 'choice', label: t`Multiple choice` },
  ];
  return (
    <li className="card" data-question={question.key}>
      <div className="row">
        <h4 className="label grow">{t`Question ${place}`}</h4>
        <IconButton
          icon="caret-up"
          label={t`Move question ${place} up`}
          disabled={place === 1}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon="caret-down"
          label={t`Move question ${place} down`}
          disabled={place === count}
          onClick={() => onMove(1)}
        />
        <IconButton icon="trash" label={t`Remove question ${place}`} onClick={onRemove} />
      </div>
      <div className="form-fields">
        <TextInput
          label={t`What do you want to know?`}
          value={question.prompt}
          error={showError ? questionError(question) : undefined}
          onChange={(event) => onChange({ prompt: event.target.value })}
        />
        <div className="form-pair">
          <Select
            label={t`Answer`}
            options={kinds}
            value={question.kind}
            onChange={(event) => {
              const kind = event.target.value as QuestionKind;
              onChange({
                kind,
                choices: kind === 'choice' && question.choices.length < 2 ? ['', ''] : question.choices,
              });
            }}
          />
          <div className="self-end">
            <Switch
              label={t`Required`}
              checked={question.required}
              onChange={(event) => onChange({ required: event.target.checked })}
            />
          </div>
        </div>
        {question.kind === 'choice' ? (
          <ChoiceAnswers choices={question.choices} onChange={(choices) => onChange({ choices })} />
        ) : null}
      </div>
    </li>
  );
}

/** The options of a multiple-choice question. */
function ChoiceAnswers({
  choices,
  onChange,
}: {
  choices: readonly string[];
  onChange: (choices: string[]) => void;
}) {
  const { t } = useLingui();
  const id = useId();
  return (
    <fieldset className="bare-set">
      <legend className="flabel">{t`Answers to choose from`}</legend>
      <div className="col g2">
        {choices.map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies an answer while it is typed.
          <div className="row g2" key={index}>
            <span className="inp grow">
              <input
                id={`${id}-${index}`}
                className="bare"
                type="text"
                aria-label={t`Answer ${index + 1}`}
                value={choice}
                onChange={(event) =>
                  onChange(choices.map((choice, at) => (at === index ? event.target.value : choice)))
                }
              />
            </span>
            <IconButton
              icon="x"
              label={t`Remove answer ${index + 1}`}
              disabled={choices.length <= 2}
              onClick={() => onChange(choices.filter((_, at) => at !== index))}
            />
          </div>
        ))}
      </div>
      <Button
        kind="text"
        size="s"
        icon="plus"
        disabled={choices.length >= hiringLimits.choicesMax}
        onClick={() => onChange([...choices, ''])}
      >
        {t`Add an answer`}
      </Button>
    </fieldset>
  );
}

export function moveQuestion(questions: readonly QuestionForm[], key: string, step: -1 | 1): QuestionForm[] {
  const from = questions.findIndex((question) => question.key === key);
  const to = from + step;
  if (from < 0 || to < 0 || to >= questions.length) return [...questions];
  const reordered = [...questions];
  const [movedQuestion] = reordered.splice(from, 1);
  if (movedQuestion) reordered.splice(to, 0, movedQuestion);
  return reordered;
}
