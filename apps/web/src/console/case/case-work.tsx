import { caseKindTable, casePriorities } from '@nearhand/contract/case-kinds';
import { operatorMay } from '@nearhand/contract/operator-roles';
import type { CaseEntry, CaseFile } from '@nearhand/contract/trust/cases';
import { caseLimits } from '@nearhand/contract/trust/cases.rules';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useStoredText } from '../../lib/device/device-draft.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { api } from '../console-api.ts';
import { priorityText } from '../queue/case.labels.ts';
import { type Colleague, refetchCases, refetchLists, useColleagues } from '../queue/cases-api.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { useWhen } from './case-zone.ts';

export function CaseWork({ file, mine }: { file: CaseFile; mine: boolean }) {
  const { item } = file;
  const { kind, subjectId } = item;
  const action = useAction();
  const caseRef = { kind, subjectId };
  const run = async (call: () => Promise<unknown>, toast: string) => {
    if (await action.run(() => call().then(refetchCases))) showToast(toast);
  };
  return (
    <section className="card" aria-label="Work on the case">
      <div className="col g3">
        <div className="row g2 wrap">
          <p className="grow">
            <span className="label block">Claimed by</span>
            <span className="strong">{mine ? 'You' : (item.claimedBy?.name ?? 'Nobody')}</span>
          </p>
          {mine ? (
            <>
              <Button
                kind="quiet"
                size="s"
                busy={action.busy}
                onClick={() => void run(() => api.cases.release(caseRef), 'Claim released')}
              >
                Release
              </Button>
              <HandOver file={file} />
            </>
          ) : item.claimedBy ? null : (
            <Button
              kind="go"
              size="s"
              busy={action.busy}
              onClick={() => void run(() => api.cases.claim(caseRef), 'The case is yours')}
            >
              Claim the case
            </Button>
          )}
        </div>
        {mine ? null : (
          <p className="sm mute">Decisions are made by the operator who has claimed the case.</p>
        )}
        <Refused text={action.refusal} />
        <Select
          label="Priority"
          value={item.priority}
          options={casePriorities.map((value) => ({ value, label: priorityText[value].text }))}
          onChange={(event) => {
            const priority = casePriorities.find((value) => value === event.target.value);
            if (priority) void run(() => api.cases.setPriority({ ...caseRef, priority }), 'Priority changed');
          }}
        />
      </div>
      <h2 className="h-s mt6">Notes</h2>
      <NoteForm file={file} />
      <Entries entries={file.entries} />
    </section>
  );
}

function NoteForm({ file: { item } }: { file: CaseFile }) {
  const action = useAction();
  const draft = useStoredText(`case-note ${item.kind} ${item.subjectId}`);
  const body = draft.value.trim();
  const problem =
    body.length > caseLimits.noteMax ? `Use ${caseLimits.noteMax} characters or fewer.` : undefined;
  const send = async () => {
    if (body === '' || problem) return;
    const { kind, subjectId } = item;
    if (await action.run(() => api.cases.note({ kind, subjectId, body }).then(refetchCases))) draft.drop();
  };
  return (
    <Form className="col g2 mt3" onSubmit={() => void send()}>
      <TextArea
        label="New note"
        help="Only operators read notes."
        rows={2}
        maxLength={caseLimits.noteMax}
        length={draft.value.length}
        value={draft.value}
        error={problem}
        onChange={(event) => draft.set(event.target.value)}
      />
      <Refused text={action.refusal} />
      <Button kind="out" size="s" type="submit" busy={action.busy}>
        Add note
      </Button>
    </Form>
  );
}

function HandOver({ file: { item } }: { file: CaseFile }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" size="s" onClick={() => setOpen(true)}>
        Hand over
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title="Hand over the case">
        <Colleagues item={item} />
      </Sheet>
    </>
  );
}

function Colleagues({ item }: { item: CaseFile['item'] }) {
  return (
    <QueryState
      query={useColleagues()}
      loading={<RowsSkeleton count={2} />}
      errorTitle="We couldn't load the operators"
    >
      {(operators) => <HandOverForm item={item} operators={operators} />}
    </QueryState>
  );
}

type HandOverProps = { item: CaseFile['item']; operators: Colleague[] };

function HandOverForm({ item, operators }: HandOverProps) {
  const navigate = useNavigate();
  const [to, setTo] = useState('');
  const action = useAction();
  const operator = useOperator();
  const draft = useStoredText(`case-hand-over ${item.kind} ${item.subjectId}`);
  const colleaguesInRole = operators.filter(
    ({ id, roles, hasSecondFactor }) =>
      hasSecondFactor && id !== operator.id && operatorMay(roles, caseKindTable[item.kind].may),
  );
  const assignee = colleaguesInRole.find(({ id }) => id === to);
  const { kind, subjectId } = item;
  if (colleaguesInRole.length === 0)
    return <p>No other operator has a role for it and a second step to sign in.</p>;
  return (
    <div className="col g4">
      <Select
        label="To"
        value={to}
        placeholder="Choose a colleague"
        options={colleaguesInRole.map(({ id, name, roles }) => ({
          value: id,
          label: `${name} (${roles.join(', ')})`,
        }))}
        onChange={(event) => setTo(event.target.value)}
      />
      {assignee ? (
        <ReasonForm
          send={`Hand over to ${assignee.name}`}
          action={action}
          note={{
            label: 'What should they know?',
            max: caseLimits.noteMax,
            missing: 'Write what is done and what is open.',
            draft,
          }}
          onSend={async (note) => {
            await api.cases.handOver({ kind, subjectId, toAccountId: assignee.id, note });
            await refetchLists();
          }}
          onDone={() => {
            showToast(`${assignee.name} has the case`);
            // Without the claim, the case can't be read any more.
            navigate('/cases');
          }}
        />
      ) : null}
    </div>
  );
}

function entryText({ what, by, to }: CaseEntry): string {
  switch (what) {
    case 'note':
      return by.name;
    case 'claim':
      return `${by.name} claimed it`;
    case 'release':
      return `${by.name} released it`;
    case 'hand-over':
      return `${by.name} handed it to ${to?.name ?? 'someone'}`;
    case 'priority':
      return `${by.name} changed the priority`;
  }
}

export function Entries({ entries }: { entries: readonly CaseEntry[] }) {
  const when = useWhen();
  if (entries.length === 0) return <p className="sm mute mt3">No notes yet.</p>;
  return (
    <ol className="c-notes">
      {entries.map((entry) => (
        <li key={entry.id}>
          <p className="sm">
            <span className="mid">{entryText(entry)}</span> <span className="mute">{when(entry.at)}</span>
          </p>
          {entry.body ? <p className="pre-line">{entry.body}</p> : null}
        </li>
      ))}
    </ol>
  );
}
