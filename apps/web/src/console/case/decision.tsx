import { type Language, languageNames, languages } from '@nearhand/contract/languages';
import { textFor, textInLanguages } from '@nearhand/contract/texts-by-language';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import { caseDecisions } from '@nearhand/contract/trust/cases.rules';
import type { Macro } from '@nearhand/contract/trust/operators';
import type { FullReportCase } from '@nearhand/contract/trust/reports';
import { fillMacro } from '@nearhand/contract/trust/tickets.rules';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { useStoredText } from '../../lib/device/device-draft.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Check, RadioGroup } from '../../ui/controls/choices.tsx';
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
  answerAndClose,
  availableDecisions,
  decisionRow,
  isForReporters,
  isOfPerson,
  laterDecision,
  payoutEffect,
  type ReasonField,
  requestApproval,
  secondPersonReason,
  submitDecision,
} from './decisions.ts';
import { authorOf } from './moderation-facts.tsx';
import { AmountField, EffectView, usePayAmount } from './pay-amount.tsx';
import { confirmSuspension, StatementFields, useStatementOfReasons } from './statement-fields.tsx';
import { templatesOf } from './templates.ts';
import { useAnswerFiles } from './ticket-work.tsx';

export function Decision({ file }: { file: CaseFile }) {
  if (caseDecisions[file.item.kind].length === 0) return null;
  return <DecisionForm key={file.item.subjectId} file={file} />;
}

/** The decision on a case as typed so far, and its submission. */
function useDecision(file: CaseFile) {
  const { item } = file;
  const now = useNow(30_000, file.facts.kind === 'no_show' ? file.facts.endsAt : null);
  const choices = availableDecisions(file, now);
  const navigate = useNavigate();
  const request = useAction();
  const [tried, setTried] = useState(false);
  const preset = choices.length === 1 || item.kind === 'ticket' ? (choices[0]?.decision ?? null) : null;
  // A case that opens again has empty fields.
  const chosenName = useStoredText(`case-decision ${item.kind} ${item.subjectId} ${item.openedAt}`);
  const name = choices.find(({ decision }) => decision === chosenName.value)?.decision ?? preset;
  const draft = useStoredText(`case-reason ${item.kind} ${item.subjectId} ${item.openedAt}`);
  const choice = choices.find(({ decision }) => decision === name) ?? null;
  const pay = usePayAmount(file, name);
  const statement = useStatementOfReasons(file, name);
  const files = useAnswerFiles();
  const [solves, setSolves] = useState(false);
  const takesSecond = takesSecondPerson(file, name, pay.takesSecondPerson);
  const isSolved = item.kind === 'ticket' && name === 'answer' && solves;
  const row = isSolved ? answerAndClose : name === null ? null : decisionRow(item.kind, name);
  const reasonField = row && (row.reason ?? (takesSecond ? secondPersonReason : null));
  const reason = reasonField ? draft.value.trim() : '';
  const problem = reasonField ? reasonProblem(reasonField, reason) : undefined;

  const submit = async () => {
    setTried(true);
    if (!choice || !row || problem || pay.problem || !statement.isComplete) return;
    const action = statement.read(new Date());
    if (
      file.facts.kind === 'report' &&
      !(await confirmSuspension(action, suspendedSide(file.facts.reported)))
    )
      return;
    const input = {
      reason,
      amountMinor: pay.amountMinor,
      action,
      rule: statement.chosenRule,
      uploadFiles: files.upload,
      solves: isSolved,
    };
    let needsSecond = takesSecond;
    const call = async () => {
      needsSecond = await sendDecision(file, { decision: choice.decision, input, needsSecond: takesSecond });
    };
    if (!(await request.run(call))) return void refetchCases();
    draft.drop();
    chosenName.drop();
    statement.facts.drop();
    showToast(needsSecond ? 'Sent to a second person' : row.done);
    if (needsSecond) return void refetchCases();
    await refetchLists();
    navigate('/cases');
  };

  return {
    choices,
    later: laterDecision(file, now),
    choice,
    choose: chosenName.set,
    name,
    row,
    tried,
    pay,
    statement,
    files,
    solves,
    setSolves,
    isSolved,
    takesSecond,
    reasonField,
    reasonText: draft.value,
    setReason: draft.set,
    problem,
    refusal: request.refusal,
    busy: request.busy,
    submit,
  };
}

/** Sends a decision, or asks a second person to approve it. Returns whether it needs that person. */
async function sendDecision(
  file: CaseFile,
  {
    decision,
    input,
    needsSecond,
  }: { decision: string; input: Parameters<typeof submitDecision>[2]; needsSecond: boolean },
): Promise<boolean> {
  if (!needsSecond)
    try {
      await submitDecision(file, decision, input);
      return false;
    } catch (failure) {
      if (!isApiError(failure, 'approval/required')) throw failure;
    }
  await requestApproval(file, decision, input);
  return true;
}

/** Says who reads the reason, in which language, and where if it isn't the app. */
function readersNote(file: CaseFile, name: string | null, isStatement: boolean): string | null {
  if (file.facts.kind !== 'ticket' || !file.item.language)
    return readersText(isStatement ? file.people : readersOf(file, name));
  const language = englishLanguageName(file.item.language);
  return file.facts.ticket.from.accountId === null
    ? `They have no account and get a mail. They read ${language}.`
    : `They get it in the app and by mail. They read ${language}.`;
}

function DecisionForm({ file }: { file: CaseFile }) {
  const { item } = file;
  const operator = useOperator();
  const decision = useDecision(file);
  const { choices, choice, name, row, tried, pay, statement, files, isSolved, reasonField } = decision;
  const effect = payoutEffect(file, name);
  const readers = readersNote(file, name, statement.asks);
  return (
    <section className="card" aria-label="Decision">
      <h2 className="h-s">{item.kind === 'ticket' ? 'Answer' : 'Decision'}</h2>
      <Form className="col g4 mt3" onSubmit={() => void decision.submit()}>
        {choices.length > 1 ? (
          <RadioGroup
            legend="What do you decide?"
            value={name}
            error={tried && !choice ? 'Choose a decision.' : undefined}
            onChange={decision.choose}
            options={choices.map(({ decision, does }) => ({
              value: decision,
              label: labelOf(file, decision),
              help: isSolved && decision === name ? answerAndClose.does : does,
            }))}
          />
        ) : (
          <p className="sm mute">{isSolved ? answerAndClose.does : choice?.does}</p>
        )}
        {decision.later ? <p className="sm mute">{decision.later}</p> : null}
        {pay.asks ? <AmountField pay={pay} tried={tried} /> : null}
        {pay.effect ? <EffectView effect={pay.effect} /> : null}
        {effect ? (
          <div className="c-effect">
            <p className="label">What it does</p>
            <p className="sm">{effect}</p>
          </div>
        ) : null}
        {readers && (reasonField || statement.asks) ? <p className="sm">{readers}</p> : null}
        {statement.asks ? (
          <StatementFields statement={statement} tried={tried} readers={factsReaders(file)} />
        ) : null}
        {reasonField ? (
          <>
            <Templates
              files={[file]}
              decision={name}
              value={decision.reasonText}
              fill={(text) => fillFor(file, text, operator)}
              onChange={decision.setReason}
            />
            <ReasonInput
              field={reasonField}
              value={decision.reasonText}
              error={tried ? decision.problem : undefined}
              onChange={decision.setReason}
            />
          </>
        ) : null}
        {item.kind === 'ticket' && name === 'answer' ? (
          <>
            <FilesField files={files} />
            <Check
              label="Close as solved with this answer"
              help="They are asked whether it helped. A reply opens it again."
              checked={decision.solves}
              onChange={(event) => decision.setSolves(event.target.checked)}
            />
          </>
        ) : null}
        <Refused text={decision.refusal} />
        <Button kind="go" full type="submit" busy={decision.busy}>
          {decision.takesSecond
            ? 'Ask a second person to approve it'
            : actionText(row?.action ?? 'Decide', pay.words)}
        </Button>
      </Form>
    </section>
  );
}

export function reasonProblem({ missing, max }: ReasonField, reason: string): string | undefined {
  if (reason === '') return missing;
  return reason.length > max ? `Use ${max} characters or fewer.` : undefined;
}

export function ReasonInput({
  field,
  value,
  error,
  onChange,
}: {
  field: ReasonField;
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
}) {
  return (
    <TextArea
      label={field.label}
      help={field.help}
      rows={5}
      dir="auto"
      maxLength={field.max}
      length={value.length}
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

type TemplatesProps = {
  /** The cases that get the text. */
  files: readonly CaseFile[];
  decision: string | null;
  value: string;
  /** Fills in the variables of a template. */
  fill?: (text: string) => string;
  onChange: (text: string) => void;
};

/**
 * Adds a template to a text that does not have it yet, or replaces the same template in another language unless it was
 * changed.
 */
export const withTemplate = (value: string, text: string, earlierText: string | null): string =>
  earlierText === null
    ? value.trim() === ''
      ? text
      : value.includes(text)
        ? value
        : `${value.trim()}\n\n${text}`
    : value.replace(earlierText, () => text);

type AddedTemplate = { texts: Macro['texts']; text: string };

const templateIn = (texts: Macro['texts'], readerLanguages: readonly Language[]): string =>
  textInLanguages(readerLanguages.map((language) => [language, texts[language] ?? texts.en]));

/**
 * Texts to start from: the shared answers for requests, and the templates of the decision. They are listed in English
 * and written in the languages of those who read them, or in the one that the operator chooses.
 */
export function Templates({ files, decision, value, fill = (text) => text, onChange }: TemplatesProps) {
  const [file] = files;
  const macros = useMacros(file?.facts.kind === 'ticket');
  const [chosenLanguage, setChosenLanguage] = useState<Language | null>(null);
  // With their words as they were added: other readers or another decision would give others.
  const [addedTemplates, setAddedTemplates] = useState<readonly AddedTemplate[]>([]);
  const [isOneKept, setIsOneKept] = useState(false);
  if (!file) return null;
  const readers = readersLanguages(files, decision);
  const decisionTemplates = templatesOf(file.item.kind, decision);
  const shared = file.facts.kind === 'ticket' ? (macros.data ?? []) : [];
  const texts: readonly { name: string; texts: Macro['texts'] }[] = [
    ...shared,
    ...decisionTemplates.map((template) => ({ name: template.en.replaceAll(/\s+/g, ' '), texts: template })),
  ];
  if (texts.length === 0) return null;
  const textIn = (template: Macro['texts'], language: Language | null) =>
    fill(templateIn(template, language === null ? readers : [language]));
  const translate = (language: Language | null) => {
    setChosenLanguage(language);
    const unchanged = addedTemplates.filter(({ text }) => value.includes(text));
    const translated = unchanged.map(({ texts }) => ({ texts, text: textIn(texts, language) }));
    setIsOneKept(unchanged.length < addedTemplates.length);
    setAddedTemplates(translated);
    const newValue = translated.reduce(
      (before, { text }, index) => withTemplate(before, text, unchanged[index]?.text ?? null),
      value,
    );
    if (newValue !== value) onChange(newValue);
  };
  const isAmongOperators = decisionTemplates.length > 0 && decisionTemplates.every(({ en, nl }) => en === nl);
  return (
    <div className="col g4">
      <Select
        label="Start from a template"
        optional
        placeholder="Choose a text"
        value=""
        options={texts.map(({ name }, index) => ({ value: String(index), label: name }))}
        onChange={(event) => {
          const template = texts[Number(event.target.value)]?.texts;
          if (!template) return;
          const text = textIn(template, chosenLanguage);
          setAddedTemplates([...addedTemplates, { texts: template, text }]);
          setIsOneKept(false);
          onChange(withTemplate(value, text, null));
        }}
      />
      {isAmongOperators ? null : (
        <Select
          label="Language of the template"
          value={chosenLanguage ?? ''}
          placeholder={`${readers.map(englishLanguageName).join(' and ')}, as they read`}
          options={languages.map((language) => ({ value: language, label: englishLanguageName(language) }))}
          onChange={(event) =>
            translate(languages.find((language) => language === event.target.value) ?? null)
          }
        />
      )}
      {chosenLanguage === null && readers.length > 1 && !isAmongOperators ? (
        <p className="sm mute">
          Each of them gets only the part in their language, which a line such as [
          {languageNames[readers[0] ?? 'en']}] begins. What is before the first such line goes to all.
        </p>
      ) : null}
      {isOneKept ? (
        <p className="sm mute" role="status">
          You changed the text of a template, so it keeps its language.
        </p>
      ) : null}
    </div>
  );
}

/** The languages of those who read the reason, each once; English for people who never chose one. */
export function readersLanguages(
  files: readonly CaseFile[],
  decision: string | null = null,
): readonly Language[] {
  const languagesRead = files.flatMap((file) => {
    const readers = readersOf(file, decision);
    return file.facts.kind === 'ticket' || readers.length === 0
      ? [file.item.language]
      : readers.map(({ language }) => language);
  });
  return [...new Set(languagesRead.map((language) => language ?? 'en'))];
}

/** The languages of the reported side, which reads the facts. */
const factsReaders = ({ people }: CaseFile): readonly Language[] => [
  ...new Set(people.filter(({ side }) => side !== 'reporter').map(({ language }) => language ?? 'en')),
];

/** The people who read the reason: of an appeal only the side that the decision concerns. */
function readersOf({ item, facts, people }: CaseFile, decision: string | null): CaseFile['people'] {
  const readerSide =
    facts.kind === 'appeal'
      ? facts.appeal.sanction.business
        ? 'business'
        : 'worker'
      : isForReporters(item.kind, decision)
        ? 'reporter'
        : null;
  return people.filter(({ side }) => readerSide === null || side === readerSide);
}

/** The part of an answer to several requests that the requester of one of them reads. */
export const answerFor = (file: CaseFile, text: string, operator: { name: string }): string =>
  fillFor(file, textFor(text, file.item.language ?? 'en'), operator);

/** A text with its variables filled in for a case. */
export function fillFor({ item, facts }: CaseFile, text: string, operator: { name: string }): string {
  const request = facts.kind === 'ticket' ? facts.ticket : null;
  const values = {
    name: request?.from.name ?? '',
    subject: request?.subject ?? item.title,
    operator: operator.name,
  };
  // Guests may leave their name out: "Hello ," would be left.
  return fillMacro(values.name === '' ? text.replaceAll(/[\s\u00a0]*\{name\}/g, '') : text, values);
}

/** A measure about a review concerns the side that wrote it, one about a job its business. */
function concernedBy(reported: FullReportCase): { name: string } | null {
  const { subject, business } = reported;
  return subject.kind === 'review' ? authorOf(reported) : subject.kind === 'job' ? business : subject;
}

const suspendedSide = (reported: FullReportCase) => ({
  name: concernedBy(reported)?.name || 'them',
  ofPerson: isOfPerson(reported),
  running: reported.running,
});

function labelOf({ item, facts }: CaseFile, decision: string): string {
  const { label } = decisionRow(item.kind, decision);
  if (facts.kind !== 'report' || (decision !== 'warning' && decision !== 'suspension')) return label;
  const concerned = concernedBy(facts.reported);
  return concerned?.name ? `${label} ${concerned.name}` : label;
}

const takesSecondPerson = ({ facts }: CaseFile, decision: string | null, pay: boolean): boolean =>
  facts.kind === 'payout_held' ? decision === 'release' && facts.held.takesSecondPerson : pay;

/** "Decide the dispute: Leila gets €80". */
const actionText = (action: string, pay: string | null): string => (pay ? `${action}: ${pay}` : action);
