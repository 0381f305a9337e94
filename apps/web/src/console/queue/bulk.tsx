import { type CaseKind, caseKindTable } from '@nearhand/contract/case-kinds';
import { operatorMay } from '@nearhand/contract/operator-roles';
import type { CaseFile, CaseItem } from '@nearhand/contract/trust/cases';
import { caseLimits, type Decision } from '@nearhand/contract/trust/cases.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useOperatorText } from '../../lib/device/device-draft.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { answerFor, ReasonInput, reasonProblem, Templates } from '../case/decision.tsx';
import { availableDecisions, decisionRow, submitDecision } from '../case/decisions.ts';
import { api } from '../console-api.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { caseKindText, casePath } from './case.labels.ts';
import { type Colleague, useColleagues } from './cases-api.ts';

type Offered<K extends CaseKind = CaseKind> = readonly [Decision<K>, ...Decision<K>[]];

/** Decisions that need no look at a document or an amount, so that many can be made at once. */
const bulkDecisions: { readonly [K in CaseKind]?: Offered<K> } = {
  ticket: ['answer', 'solve'],
  report: ['dismiss'],
  chat_report: ['dismiss'],
  flagged_review: ['keep'],
};

/** The reason a case is left out of a bulk decision; null if it is included. */
export function leftOut(item: CaseItem, kind: CaseKind, operatorId: string, now: Date): string | null {
  if (item.kind !== kind) return `Another kind: ${caseKindText[item.kind].one.toLowerCase()}.`;
  if (item.claimedBy && item.claimedBy.id !== operatorId) return `${item.claimedBy.name} has claimed it.`;
  if (item.waitsUntil && Date.parse(item.waitsUntil) > now.getTime()) return 'It waits for an answer.';
  return item.awaitsApproval ? 'It waits for a second person.' : null;
}

/** The kind that most of them are; a tie goes to the first. */
export function kindOf(chosen: readonly CaseItem[]): CaseKind | null {
  const counts = new Map<CaseKind, number>();
  for (const { kind } of chosen) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1])[0]?.[0] ?? null;
}

type BulkProps = { chosen: readonly CaseItem[]; onClear: () => void; onDone: () => void };

/** Bulk actions on the selected cases. Each case is claimed, decided and logged on its own. */
export function BulkCaseBar({ chosen, onClear, onDone }: BulkProps) {
  const [open, setOpen] = useState<'decide' | 'hand-over' | null>(null);
  const operator = useOperator();
  const now = useNow();
  const kind = kindOf(chosen);
  if (kind === null) return null;
  const offered = bulkDecisions[kind];
  const alike = chosen.filter((item) => leftOut(item, kind, operator.id, now) === null);
  return (
    <section className="c-bulk" aria-label="Selected cases">
      <p className="grow strong" role="status">
        {chosen.length} selected
      </p>
      {offered ? (
        <Button kind="go" size="s" onClick={() => setOpen('decide')}>
          Same decision
        </Button>
      ) : null}
      <Button kind="out" size="s" onClick={() => setOpen('hand-over')}>
        Hand over
      </Button>
      <Button kind="quiet" size="s" onClick={onClear}>
        Clear
      </Button>
      {offered ? (
        <Sheet open={open === 'decide'} onClose={() => setOpen(null)} title="Same decision">
          <SameDecision kind={kind} offered={offered} chosen={chosen} alike={alike} onDone={onDone} />
        </Sheet>
      ) : null}
      <Sheet open={open === 'hand-over'} onClose={() => setOpen(null)} title="Hand over the cases">
        <Colleagues chosen={chosen} onDone={onDone} />
      </Sheet>
    </section>
  );
}

function SameDecision({
  kind,
  offered,
  chosen,
  alike,
  onDone,
}: {
  kind: CaseKind;
  offered: Offered;
  chosen: readonly CaseItem[];
  alike: readonly CaseItem[];
  onDone: () => void;
}) {
  const [files, setFiles] = useState<CaseFile[] | null>(null);
  const action = useAction();
  const operator = useOperator();
  const now = useNow();
  const loadFiles = async () => {
    const loaded: CaseFile[] = [];
    for (const { subjectId } of alike) {
      await api.cases.claim({ kind, subjectId });
      loaded.push(await api.cases.get({ kind, subjectId }));
    }
    setFiles(loaded);
  };
  const rest = chosen.filter((item) => !alike.includes(item));
  return (
    <div className="col g4">
      {files === null ? (
        <>
          <p className="mute">
            {alike.length === 1 ? 'One case' : `${alike.length} cases`} of {chosen.length} can be decided
            together. You claim and read them first; each view is in the log.
          </p>
          <Refused text={action.refusal} />
          {alike.length > 0 ? (
            <Button kind="go" full busy={action.busy} onClick={() => void action.run(loadFiles)}>
              Claim and read {alike.length}
            </Button>
          ) : null}
        </>
      ) : (
        <DecideAll kind={kind} offered={offered} files={files} onDone={onDone} />
      )}
      {rest.length > 0 ? (
        <div>
          <p className="label">Left out</p>
          <ul className="c-words">
            {rest.map((item) => (
              <li key={item.subjectId}>
                <p className="strong break">{item.title}</p>
                <p className="sm mute">{leftOut(item, kind, operator.id, now)}</p>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  );
}

/** The text of each case, so that the operator can compare them. */
function gist({ facts }: CaseFile): string {
  switch (facts.kind) {
    case 'ticket':
      return facts.ticket.messages.findLast(({ author }) => author === 'requester')?.body ?? '';
    case 'report':
      return facts.reported.reports.map(({ note }) => note).join('\n');
    case 'chat_report':
      return facts.report.note;
    case 'flagged_review':
      return facts.review.body;
    default:
      return '';
  }
}

/** The sending of one decision for all cases but those left out or decided already. */
function useBulkDecision(kind: CaseKind, files: readonly CaseFile[]) {
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [failed, setFailed] = useState<Record<string, string>>({});
  const [done, setDone] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const operator = useOperator();
  const included = files.filter(
    ({ item }) => !skipped.includes(item.subjectId) && !done.includes(item.subjectId),
  );
  /** Returns true if every case was decided. */
  const decide = async (decision: string, reason: string): Promise<boolean> => {
    setBusy(true);
    const errors: Record<string, string> = {};
    const decided: string[] = [];
    for (const file of included) {
      try {
        await submitDecision(file, decision, {
          reason: kind === 'ticket' ? answerFor(file, reason, operator) : reason,
          amountMinor: null,
          action: null,
          rule: null,
        });
        decided.push(file.item.subjectId);
      } catch (error) {
        errors[file.item.subjectId] = errorText(error);
      }
    }
    setBusy(false);
    setFailed(errors);
    setDone((all) => [...all, ...decided]);
    if (decided.length > 0) showToast(`${decisionRow(kind, decision).done}: ${decided.length}`);
    return Object.keys(errors).length === 0;
  };
  const skip = (subjectId: string) =>
    setSkipped((all) =>
      all.includes(subjectId) ? all.filter((id) => id !== subjectId) : [...all, subjectId],
    );
  return { included, skipped, failed, done, busy, decide, skip };
}

function DecideAll({
  kind,
  offered,
  files,
  onDone,
}: {
  kind: CaseKind;
  offered: Offered;
  files: readonly CaseFile[];
  onDone: () => void;
}) {
  const bulk = useBulkDecision(kind, files);
  const [tried, setTried] = useState(false);
  const [decision, setDecision] = useState<string>(offered[0]);
  const draft = useOperatorText(`bulk ${kind} ${decision}`);
  const { label, action, reason: reasonField } = decisionRow(kind, decision);
  const choice =
    files[0] && availableDecisions(files[0], new Date()).find((available) => available.decision === decision);
  const reason = reasonField ? draft.value.trim() : '';
  const problem = reasonField ? reasonProblem(reasonField, reason) : undefined;
  const submit = async () => {
    setTried(true);
    if (problem || bulk.busy || !(await bulk.decide(decision, reason))) return;
    draft.drop();
    onDone();
  };
  return (
    <Form className="col g4" onSubmit={() => void submit()}>
      {offered.length > 1 ? (
        <RadioGroup
          legend="What do you decide?"
          value={decision}
          onChange={setDecision}
          options={offered.map((value) => ({ value, label: decisionRow(kind, value).label }))}
        />
      ) : null}
      <p className="sm mute">{choice?.does}</p>
      <div>
        <p className="label">{label}, in these cases</p>
        <ul className="c-words">
          {files.map((file) => (
            <BulkCase
              key={file.item.subjectId}
              file={file}
              isDone={bulk.done.includes(file.item.subjectId)}
              isSkipped={bulk.skipped.includes(file.item.subjectId)}
              refusal={bulk.failed[file.item.subjectId] ?? null}
              onSkip={() => bulk.skip(file.item.subjectId)}
            />
          ))}
        </ul>
      </div>
      {reasonField ? (
        <>
          <Templates files={bulk.included} decision={decision} value={draft.value} onChange={draft.set} />
          <ReasonInput
            field={{
              ...reasonField,
              label: 'They read',
              help:
                kind === 'ticket'
                  ? 'Everyone gets the same words. {name}, {subject} and {operator} are filled in for each.'
                  : 'Everyone gets the same words.',
            }}
            value={draft.value}
            error={tried ? problem : undefined}
            onChange={draft.set}
          />
        </>
      ) : null}
      <Button kind="go" full type="submit" busy={bulk.busy}>
        {action}: {bulk.included.length}
      </Button>
    </Form>
  );
}

type BulkCaseProps = {
  file: CaseFile;
  isDone: boolean;
  isSkipped: boolean;
  refusal: string | null;
  onSkip: () => void;
};

/** A case of a bulk decision with its text, which may be left out. */
function BulkCase({ file, isDone, isSkipped, refusal, onSkip }: BulkCaseProps) {
  return (
    <li>
      <p className="row g2">
        {isDone ? <Icon name="check-circle" /> : null}
        <a
          className="link strong break grow"
          href={`/operator${casePath(file.item)}`}
          target="_blank"
          rel="noreferrer"
        >
          {file.item.title}
        </a>
        {isDone ? null : (
          <Button kind="text" size="xs" onClick={onSkip}>
            {isSkipped ? 'Include' : 'Leave out'}
          </Button>
        )}
      </p>
      <p className="sm mute pre-line break" dir="auto">
        {isSkipped ? 'Left out. It stays claimed by you.' : gist(file).slice(0, gistMax)}
      </p>
      <Refused text={refusal} />
    </li>
  );
}

const gistMax = 300;

type HandOverProps = { chosen: readonly CaseItem[]; onDone: () => void };

function Colleagues(props: HandOverProps) {
  return (
    <QueryState
      query={useColleagues()}
      loading={<RowsSkeleton count={2} />}
      errorTitle="We couldn't load the operators"
    >
      {(operators) => <HandOverAll {...props} operators={operators} />}
    </QueryState>
  );
}

function HandOverAll({ chosen, onDone, operators }: HandOverProps & { operators: Colleague[] }) {
  const operator = useOperator();
  const [to, setTo] = useState('');
  const [tried, setTried] = useState(false);
  const [failed, setFailed] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const draft = useOperatorText('bulk hand-over');
  const note = draft.value.trim();
  const colleaguesInRoles = operators.filter(
    ({ id, roles }) =>
      id !== operator.id && chosen.every(({ kind }) => operatorMay(roles, caseKindTable[kind].may)),
  );
  const assignee = colleaguesInRoles.find(({ id }) => id === to) ?? colleaguesInRoles[0];
  if (!assignee) return <p>No other operator has the roles for all of them.</p>;
  const send = async () => {
    setTried(true);
    if (note === '' || busy) return;
    setBusy(true);
    const problems: string[] = [];
    for (const { kind, subjectId, title, claimedBy } of chosen) {
      try {
        if (!claimedBy) await api.cases.claim({ kind, subjectId });
        await api.cases.handOver({ kind, subjectId, toAccountId: assignee.id, note });
      } catch (error) {
        problems.push(`${title}: ${errorText(error)}`);
      }
    }
    setBusy(false);
    setFailed(problems);
    if (problems.length > 0) return;
    draft.drop();
    showToast(`${assignee.name} has ${chosen.length} more cases`);
    onDone();
  };
  return (
    <Form className="col g4" onSubmit={() => void send()}>
      <p className="mute">They get an email for each, and see who handed it over.</p>
      <Select
        label="To"
        value={assignee.id}
        options={colleaguesInRoles.map(({ id, name, roles }) => ({
          value: id,
          label: `${name} (${roles.join(', ')})`,
        }))}
        onChange={(event) => setTo(event.target.value)}
      />
      <TextArea
        label="What should they know?"
        rows={3}
        maxLength={caseLimits.noteMax}
        length={draft.value.length}
        value={draft.value}
        error={tried && note === '' ? 'Write what is done and what is open.' : undefined}
        onChange={(event) => draft.set(event.target.value)}
      />
      {failed.map((text) => (
        <Refused key={text} text={text} />
      ))}
      <Button kind="go" full type="submit" busy={busy}>
        Hand {chosen.length} to {assignee.name}
      </Button>
    </Form>
  );
}
