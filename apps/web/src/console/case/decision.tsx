import type { CaseKind } from '@nearhand/contract/case-kinds';
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
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useMacros } from '../messages/macros-page.tsx';
import { languageText } from '../queue/case.labels.ts';
import { refetchCases } from '../queue/cases-api.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { choicesOf, decisionOf, decisionText, payoutEffect, reasonMax, requestOf } from './decisions.ts';
import { authorOf } from './moderation-facts.tsx';
import { AmountField, EffectView, usePayAmount } from './pay-amount.tsx';
import { StatementFields, useStatement } from './statement-fields.tsx';

export function Decision({ file }: { file: CaseFile }) {
  const choices = caseDecisions[file.item.kind];
  if (choices.length === 0) return null;
  return <DecisionForm key={file.item.subjectId} file={file} />;
}

function DecisionForm({ file }: { file: CaseFile }) {
  const { item } = file;
  const choices = choicesOf(file);
  const navigate = useNavigate();
  const move = useMove();
  const [tried, setTried] = useState(false);
  const [name, setName] = useState(
    choices.length === 1 || item.kind === 'ticket' ? (choices[0]?.decision ?? null) : null,
  );
  const draft = useTextDraft(`case-reason ${item.kind} ${item.subjectId}`);
  const choice = choices.find(({ decision }) => decision === name) ?? null;
  const pay = usePayAmount(file, name);
  const statement = useStatement(file, name);
  const max = reasonMax(item.kind);
  const reason = draft.value.trim();
  const usual = decisionText(item.kind, name, pay.words);
  const takesSecond = takesSecondPerson(file, name, pay.takesSecondPerson);
  const words = { ...usual, needsReason: usual.needsReason || takesSecond };
  const effect = payoutEffect(file, name);
  const problem =
    reason === '' && words.needsReason
      ? words.missing
      : reason.length > max
        ? `Use ${max} characters or fewer.`
        : undefined;

  const submit = async () => {
    setTried(true);
    if (!choice || problem || pay.problem || !statement.isComplete) return;
    const action = statement.read(new Date());
    const input = { reason, amountMinor: pay.amountMinor, action, rule: statement.chosenRule };
    const decide = decisionOf(file, choice.decision, input);
    const ask = requestOf(file, choice.decision, input);
    let needsSecond = takesSecond && ask !== null;
    const call = async () => {
      if (needsSecond) return ask?.();
      try {
        await decide();
      } catch (failure) {
        if (!ask || !isApiError(failure, 'approval/required')) throw failure;
        needsSecond = true;
        await ask();
      }
    };
    if (!(await move.run(call))) return void refetchCases();
    draft.drop();
    statement.facts.drop();
    showToast(needsSecond ? 'Sent to a second person' : words.done);
    await refetchCases();
    if (words.closes && !needsSecond) navigate('/cases');
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
        {statement.asks ? <StatementFields statement={statement} tried={tried} /> : null}
        {words.needsReason && (choice || !isApproval(item.kind)) ? (
          <>
            <Macros file={file} onChoose={draft.set} />
            {choice && choice.templates.length > 0 ? (
              <Select
                label="Start from a template"
                optional
                placeholder="Choose a text"
                value=""
                options={choice.templates.map((text) => ({ value: text, label: text }))}
                onChange={(event) => draft.set(event.target.value)}
              />
            ) : null}
            <TextArea
              label={reasonLabel(item.kind)}
              help={takesSecond && item.kind === 'payout_held' ? secondHelp : reasonHelp(item.kind, name)}
              rows={5}
              maxLength={max}
              length={draft.value.length}
              value={draft.value}
              error={tried ? problem : undefined}
              onChange={(event) => draft.set(event.target.value)}
            />
          </>
        ) : null}
        <Refused text={move.refusal} />
        <Button kind="go" full type="submit" busy={move.busy}>
          {takesSecond ? 'Ask a second person to approve it' : words.action}
        </Button>
      </Form>
    </section>
  );
}

/** The shared answers, for requests, in the language of whoever asked. */
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
      help={item.language ? `They read ${languageText(item.language)}.` : undefined}
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
  const { label } = decisionText(item.kind, decision, null);
  const author = facts.kind === 'report' ? authorOf(facts.reported) : null;
  return author && (decision === 'warning' || decision === 'suspension') ? `${label} ${author.name}` : label;
}

const takesSecondPerson = ({ facts }: CaseFile, decision: string | null, pay: boolean): boolean =>
  facts.kind === 'payout_held' ? decision === 'release' && facts.held.takesSecondPerson : pay;

const isApproval = (kind: CaseKind): boolean => kind === 'second_approval' || kind === 'correction';

function reasonLabel(kind: CaseKind): string {
  if (kind === 'ticket') return 'Your answer';
  if (kind === 'report') return 'Answer';
  return isApproval(kind) ? 'Note' : 'Reason';
}

const secondHelp = 'The second person reads it.';

function reasonHelp(kind: CaseKind, decision: string | null): string {
  if (kind === 'chat_report' && decision === 'dismiss') return 'Only the person who reported reads it.';
  switch (kind) {
    case 'report':
      return 'Everyone who reported reads it word for word.';
    case 'ticket':
    case 'identity':
    case 'certificate':
    case 'payout_held':
      return 'They read it word for word.';
    case 'second_approval':
    case 'correction':
      return 'The operator who asked reads it.';
    case 'job_review':
    case 'business_verification':
      return 'The business reads it word for word.';
    case 'appeal':
      return 'Those concerned read it word for word.';
    default:
      return 'Both sides read it word for word.';
  }
}
