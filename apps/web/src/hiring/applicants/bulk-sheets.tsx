import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { messageProblem } from '@nearhand/contract/talk/messages.rules';
import { Suspense } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { joined } from '../../lib/words/format.ts';
import { useOpenConversation } from '../../talk/conversations/conversations.api.ts';
import { postMessage } from '../../talk/outbox/outbox.api.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { applicantName, jobAndTime } from './applicant.labels.ts';
import { reloadApplicants } from './applicants.api.ts';
import { peopleCount } from './reject-sheet.tsx';

const ProposeInterview = lazyPart(() =>
  import('../interviews/propose-interview.tsx').then((part) => ({ default: part.ProposeInterview })),
);

type BulkSheetProps = { applicants: readonly Applicant[]; onClose: () => void; onDone: () => void };

/** The first selected application of each person: a person gets one message. */
const firstOfEach = (applicants: readonly Applicant[]): Applicant[] =>
  [
    ...new Map(applicants.toReversed().map((applicant) => [applicant.worker.workerId, applicant])).values(),
  ].reverse();

/** Sends one message to several applicants, each in their own conversation. */
export function MessageSheet(props: BulkSheetProps) {
  const { t } = useLingui();
  const count = peopleCount(props.applicants);
  return (
    <Sheet
      open={count > 0}
      onClose={props.onClose}
      title={t`${plural(count, { one: 'Message # person', other: 'Message # people' })}`}
    >
      {count > 0 ? <MessageForm {...props} applicants={firstOfEach(props.applicants)} /> : null}
    </Sheet>
  );
}

function MessageForm({ applicants, onClose, onDone }: BulkSheetProps) {
  const { t } = useLingui();
  const openConversation = useOpenConversation();
  const draft = useSessionDraft(`message ${applicants.map(({ id }) => id).join(' ')}`, () => ({ body: '' }));
  const form = useFormModel<{ body: string }>({
    focusProblems: true,
    draft,
    check: ({ body }) => {
      const long = tooLong(body, talkLimits.chatMessageMax);
      if (long) return { body: long };
      return messageProblem({ body, files: 0 }) ? { body: t`Write a message.` } : {};
    },
  });
  const { body } = form.values;
  const send = async () => {
    const refusedNames: string[] = [];
    let failure: unknown = null;
    for (const applicant of applicants)
      try {
        const { jobId, worker } = applicant;
        const { id } = await openConversation.mutateAsync({ jobId, workerId: worker.workerId });
        // The outbox keeps and sends it, at the pace that the server allows.
        void postMessage({ conversationId: id, body: body.trim(), replyTo: null, files: [] });
      } catch (error) {
        failure = error;
        refusedNames.push(applicantName(applicant));
      }
    if (refusedNames.length === applicants.length) return form.refuse({ text: errorText(failure) });
    draft.drop();
    const sent = applicants.length - refusedNames.length;
    const sentText = t`${plural(sent, { one: '# message is being sent', other: '# messages are being sent' })}`;
    showToast(refusedNames.length > 0 ? t`${sentText}. Not to ${joined(...refusedNames)}.` : sentText);
    onDone();
  };
  return (
    <Form onSubmit={() => void form.submit(send)}>
      <p className="sm mute">{joined(...applicants.map(applicantName))}</p>
      <TextArea
        label={t`Message`}
        help={t`Each person gets it in their own conversation and doesn't see the others.`}
        rows={5}
        maxLength={talkLimits.chatMessageMax}
        length={body.length}
        value={body}
        id={form.idOf('body')}
        error={form.problems.body}
        onChange={(event) => form.change({ body: event.target.value })}
      />
      <Refused text={form.refusal} />
      <div className="row g2 sheet-act">
        <Button kind="quiet" onClick={onClose}>
          {t`Not now`}
        </Button>
        <Button kind="go" type="submit" className="grow" needsNetwork busy={form.busy}>
          {t`${plural(applicants.length, { one: 'Send to # person', other: 'Send to # people' })}`}
        </Button>
      </div>
    </Form>
  );
}

/** Proposes the same interview times to several applicants for one job. */
export function InterviewSheet({ applicants, onClose, onDone }: BulkSheetProps) {
  const { t } = useLingui();
  const [first] = applicants;
  const count = applicants.length;
  const close = () => {
    // Some may have got their times before a failure.
    reloadApplicants();
    onClose();
  };
  return (
    <Sheet
      open={first !== undefined}
      onClose={close}
      title={t`${plural(count, { one: 'Propose an interview to # person', other: 'Propose interviews to # people' })}`}
    >
      {first ? (
        <Suspense fallback={<PageSkeleton />}>
          <div className="col g4">
            <p className="sm mute">
              {joined(jobAndTime(first), ...applicants.map((applicant) => applicantName(applicant)))}
            </p>
            <ProposeInterview
              applicationId={first.id}
              recipients={applicants.map((applicant) => ({
                applicationId: applicant.id,
                name: applicantName(applicant),
              }))}
              onClose={close}
              onDone={(refusedNames) => {
                reloadApplicants();
                const sent = count - refusedNames.length;
                const sentText = t`${plural(sent, { one: 'Times sent to # person', other: 'Times sent to # people' })}`;
                showToast(
                  refusedNames.length > 0 ? t`${sentText}. Not to ${joined(...refusedNames)}.` : sentText,
                );
                onDone();
              }}
            />
          </div>
        </Suspense>
      ) : null}
    </Sheet>
  );
}
