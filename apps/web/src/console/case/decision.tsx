import type { CaseFile } from '@nearhand/contract/trust/cases';
import { caseDecisions } from '@nearhand/contract/trust/cases.rules';
import type { Macro } from '@nearhand/contract/trust/operators';
import { fillMacro } from '@nearhand/contract/trust/tickets.rules';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { FilesField } from '../../ui/controls/files-field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useMacros } from '../messages/macros-page.tsx';
import { englishLanguageName, readersText } from '../queue/case.labels.ts';
import { refetchCases, refetchLists } from '../queue/cases-api.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import {
  availableDecisions,
  decisionRow,
  payoutEffect,
  type ReasonField,
  requestApproval,
  secondPersonReason,
  submitDecision,
} from './decisions.ts';
import { authorOf } from './moderation-facts.tsx';
import { AmountField, EffectView, usePayAmount } from './pay-amount.tsx';
import { StatementFields, useStatementOfReasons } from './statement-fields.tsx';
import { useAnswerFiles } from './ticket-work.tsx';

export function Decision({ file }: { file: CaseFile }) {
  if (caseDecisions[file.item.kind].length === 0) return null;
  return <DecisionForm key={file.item.subjectId} file={file} />;
}

function DecisionForm({ file }: { file: CaseFile }) {
  const { item } = file;
  const choices = availableDecisions(file);
  const navigate = useNavigate();
  const move = useMove();
  const [tried, setTried] = useState(false);
  const [name, setName] = useState(
    choices.length === 1 || item.kind === 'ticket' ? (choices[0]?.decision ?? null) : null,
  );
  const draft = useTextDraft(`case-reason ${item.kind} ${item.subjectId}`);
  const choice = choices.find(({ decision }) => decision === name) ?? null;
  const pay = usePayAmount(file, name);
  const statement = useStatementOfReasons(file, name);
  const files = useAnswerFiles();
  const takesSecond = takesSecondPerson(file, name, pay.takesSecondPerson);
  const row = name === null ? null : decisionRow(item.kind, name);
  const reasonField = row && (row.reason ?? (takesSecond ? secondPersonReason : null));
  const reason = reasonField ? draft.value.trim() : '';
  const effect = payoutEffect(file, name);
  const readers =
    item.kind === 'ticket' && item.language
      ? `They read ${englishLanguageName(item.language)}.`
      : readersText(file.people);
  const problem = reasonField ? reasonProblem(reasonField, reason) : undefined;

  const submit = async () => {
    setTried(true);
    if (!choice || !row || problem || pay.problem || !statement.isComplete) return;
    const action = statement.read(new Date());
    const input = {
      reason,
      amountMinor: pay.amountMinor,
      action,
      rule: statement.chosenRule,
      uploadFiles: files.upload,
    };
    let needsSecond = takesSecond;
    const call = async () => {
      if (needsSecond) return requestApproval(file, choice.decision, input);
      try {
        await submitDecision(file, choice.decision, input);
      } catch (failure) {
        if (!isApiError(failure, 'approval/required')) throw failure;
        needsSecond = true;
        await requestApproval(file, choice.decision, input);
      }
    };
    if (!(await move.run(call))) return void refetchCases();
    draft.drop();
    statement.facts.drop();
    showToast(needsSecond ? 'Sent to a second person' : row.done);
    if (needsSecond) return void refetchCases();
    await refetchLists();
    navigate('/cases');
  };

  return (
    <section className="card" aria-label="Decision">
      <h2 className="h-s">{item.kind === 'ticket' ? 'Answer' : 'Decision'}</h2>
      <Form className="col g4 mt3" onSubmit={() => void submit()}>
        {choices.length > 1 ? (
          <RadioGroup
            legend="What do you decide?"
            value={name}
            error={tried && !choice ? 'Choose a decision.' : undefined}
            onChange={setName}
            options={choices.map(({ decision, does }) => ({
              value: decision,
              label: labelOf(file, decision),
              help: does,
            }))}
          />
        ) : (
          <p className="sm mute">{choice?.does}</p>
        )}
        {pay.asks ? <AmountField pay={pay} tried={tried} /> : null}
        {pay.effect ? <EffectView effect={pay.effect} /> : null}
        {effect ? (
          <div className="c-effect">
            <p className="label">What it does</p>
            <p className="sm">{effect}</p>
          </div>
        ) : null}
        {readers && (reasonField || statement.asks) ? <p className="sm">{readers}</p> : null}
        {statement.asks ? <StatementFields statement={statement} tried={tried} /> : null}
        {reasonField ? (
          <>
            <Macros
              file={file}
              onChoose={(text) => draft.set(reason === '' ? text : `${reason}\n\n${text}`)}
            />
            <ReasonInput
              field={reasonField}
              templates={choice?.templates}
              value={draft.value}
              error={tried ? problem : undefined}
              onChange={draft.set}
            />
          </>
        ) : null}
        {item.kind === 'ticket' && name === 'answer' ? <FilesField files={files} /> : null}
        <Refused text={move.refusal} />
        <Button kind="go" full type="submit" busy={move.busy}>
          {takesSecond ? 'Ask a second person to approve it' : actionText(row?.action ?? 'Decide', pay.words)}
        </Button>
      </Form>
    </section>
  );
}

/** The error of a typed reason, if any. */
export function reasonProblem({ missing, max }: ReasonField, reason: string): string | undefined {
  if (reason === '') return missing;
  return reason.length > max ? `Use ${max} characters or fewer.` : undefined;
}

/** The reason for a decision, with the texts to start from. */
export function ReasonInput({
  field,
  templates = [],
  value,
  error,
  onChange,
}: {
  field: ReasonField;
  templates: readonly string[] | undefined;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}) {
  return (
    <>
      {templates.length > 0 ? (
        <Select
          label="Start from a template"
          optional
          placeholder="Choose a text"
          value=""
          options={templates.map((text) => ({ value: text, label: text }))}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : null}
      <TextArea
        label={field.label}
        help={field.help}
        rows={5}
        maxLength={field.max}
        length={value.length}
        value={value}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}

/** The shared answers, for requests, in the requester's language. */
function Macros({ file, onChoose }: { file: CaseFile; onChoose: (text: string) => void }) {
  const { item, facts } = file;
  const operator = useOperator();
  const macros = useMacros();
  if (facts.kind !== 'ticket' || !macros.data || macros.data.length === 0) return null;
  const { from, subject } = facts.ticket;
  const textOf = ({ texts }: Macro) => (item.language && texts[item.language]) || texts.en;
  return (
    <Select
      label="Shared answer"
      optional
      placeholder="Choose an answer"
      value=""
      options={macros.data.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => {
        const macro = macros.data.find(({ id }) => id === event.target.value);
        if (macro) onChoose(fillMacro(textOf(macro), { name: from.name, subject, operator: operator.name }));
      }}
    />
  );
}

/** A measure about a review goes to the side that wrote it. */
function labelOf({ item, facts }: CaseFile, decision: string): string {
  const { label } = decisionRow(item.kind, decision);
  const author = facts.kind === 'report' ? authorOf(facts.reported) : null;
  return author && (decision === 'warning' || decision === 'suspension') ? `${label} ${author.name}` : label;
}

const takesSecondPerson = ({ facts }: CaseFile, decision: string | null, pay: boolean): boolean =>
  facts.kind === 'payout_held' ? decision === 'release' && facts.held.takesSecondPerson : pay;

/** "Decide the dispute: Leila gets €80". */
const actionText = (action: string, pay: string | null): string => (pay ? `${action}: ${pay}` : action);
