import { useLingui } from '@lingui/react/macro';
import type { Interview, InterviewOutcome } from '@nearhand/contract/hiring/interviews';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { interviewOutcomeText, outcomes } from './interview.labels.ts';
import { useCompleteInterview } from './interviews.api.ts';
import { useInterviewMove } from './use-interview-move.ts';

export function OutcomeForm({ interview, onDone }: { interview: Interview; onDone?: () => void }) {
  const { t } = useLingui();
  const complete = useCompleteInterview();
  const { run, busy, refusal } = useInterviewMove();
  const draft = useTextDraft(`outcome ${interview.id}`);
  const notes = draft.value;
  const [outcome, setOutcome] = useState<InterviewOutcome | null>(null);
  const [tried, setTried] = useState(false);
  const long = tooLong(notes, hiringLimits.noteMax);
  const help: Record<InterviewOutcome, string> = {
    advance: t`You'd like to make an offer.`,
    undecided: t`Decide later.`,
    decline: t`This doesn't notify them. You still need to reject the application.`,
  };
  const save = async () => {
    setTried(true);
    if (outcome === null || long) return;
    const { id: interviewId, version } = interview;
    const isDone = await run(() =>
      complete.mutateAsync({ interviewId, version, outcome, notes: notes.trim() }),
    );
    if (!isDone) return;
    draft.drop();
    onDone?.();
  };
  return (
    <Form className="interview-form" onSubmit={() => void save()}>
      <RadioGroup
        legend={t`Outcome`}
        value={outcome}
        onChange={setOutcome}
        error={tried && outcome === null ? t`Choose an outcome.` : undefined}
        options={outcomes.map((value) => ({ value, label: interviewOutcomeText(value), help: help[value] }))}
      />
      <TextArea
        label={t`Private notes`}
        optional
        help={t`Only your team can see these.`}
        rows={4}
        maxLength={hiringLimits.noteMax}
        length={notes.length}
        value={notes}
        error={tried ? long : undefined}
        onChange={(event) => draft.set(event.target.value)}
      />
      <Refused text={refusal} />
      <Button type="submit" kind="go" full busy={busy}>
        {t`Save outcome`}
      </Button>
    </Form>
  );
}
