import type { CaseFile, CaseQuestion } from '@nearhand/contract/trust/cases';
import { type AskableKind, answerHours, askableKinds } from '@nearhand/contract/trust/cases.rules';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { useState } from 'react';
import { useStoredText } from '../../lib/device/device-draft.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { api } from '../console-api.ts';
import { readersText } from '../queue/case.labels.ts';
import { type CaseRef, refetchCases } from '../queue/cases-api.ts';
import { CaseTicketMessages } from './case-messages.tsx';
import { useWhen } from './case-zone.ts';
import { FactsCard } from './facts-card.tsx';

/** The questions to both sides, and the form to ask one. */
export function Questions({ file, mine }: { file: CaseFile; mine: boolean }) {
  const kind = askableKinds.find((askable) => askable === file.item.kind);
  if (!kind) return null;
  return (
    <>
      {file.questions.map((question) => (
        <Question key={question.ticketId} question={question} caseRef={file.item} />
      ))}
      {mine && file.people.length > 0 ? <Ask file={file} kind={kind} /> : null}
    </>
  );
}

export function Question({ question, caseRef }: { question: CaseQuestion; caseRef: CaseRef }) {
  const when = useWhen();
  const now = useNow();
  const { to, status, dueAt } = question;
  const overdue = Date.parse(dueAt) <= now.getTime();
  return (
    <FactsCard title={`Asked: ${to.name}`}>
      <p className="row g2 wrap">
        {status === 'waiting' ? (
          <Badge tone={overdue ? 'bad' : 'wait'}>
            {overdue ? `No answer by ${when(dueAt)}` : `Answer due ${when(dueAt)}`}
          </Badge>
        ) : (
          <Badge tone="good">Answered</Badge>
        )}
      </p>
      <div className="mt3">
        <CaseTicketMessages messages={question.messages} name={to.name} caseRef={caseRef} />
      </div>
    </FactsCard>
  );
}

const sideText = { worker: 'worker', business: 'business', reporter: 'reported it' } as const;

function Ask({ file: { item, people, facts }, kind }: { file: CaseFile; kind: AskableKind }) {
  const action = useAction();
  const draft = useStoredText(`case-question ${item.kind} ${item.subjectId}`);
  const [accountId, setAccountId] = useState(
    facts.kind === 'appeal' ? facts.appeal.by.accountId : (people[0]?.accountId ?? ''),
  );
  const [hours, setHours] = useState<(typeof answerHours)[number]>(answerHours[0]);
  const [tried, setTried] = useState(false);
  const to = people.find((person) => person.accountId === accountId) ?? people[0];
  if (!to) return null;
  const body = draft.value.trim();
  const send = async () => {
    setTried(true);
    if (body === '' || body.length > ticketLimits.bodyMax) return;
    const question = { kind, subjectId: item.subjectId, accountId: to.accountId, body, hours };
    if (!(await action.run(() => api.cases.ask(question).then(refetchCases)))) return;
    draft.drop();
    setTried(false);
    showToast(`Asked ${to.name}. The case waits for the answer.`);
  };
  return (
    <FactsCard title="Ask a side">
      <Form className="col g3" onSubmit={() => void send()}>
        <Select
          label="Who?"
          value={to.accountId}
          options={people.map((person) => ({
            value: person.accountId,
            label: `${person.name} (${sideText[person.side]})`,
          }))}
          onChange={(event) => setAccountId(event.target.value)}
        />
        <Select
          label="Time to answer"
          value={String(hours)}
          options={answerHours.map((value) => ({ value: String(value), label: `${value} hours` }))}
          onChange={(event) =>
            setHours(answerHours.find((value) => String(value) === event.target.value) ?? answerHours[0])
          }
        />
        <TextArea
          label="Your question"
          help={`${readersText([to]) ?? 'They read it in the app and by mail.'} They can add files.${to.side !== 'reporter' && people.some(({ side }) => side === 'reporter') ? ' Never say who reported.' : ''}`}
          rows={3}
          maxLength={ticketLimits.bodyMax}
          length={draft.value.length}
          value={draft.value}
          error={tried && body === '' ? 'Write the question.' : undefined}
          onChange={(event) => draft.set(event.target.value)}
        />
        <Refused text={action.refusal} />
        <Button kind="out" type="submit" busy={action.busy}>
          Ask {to.name}
        </Button>
        <p className="sm mute">The case waits and comes back with the answer, or when the time is over.</p>
      </Form>
    </FactsCard>
  );
}
