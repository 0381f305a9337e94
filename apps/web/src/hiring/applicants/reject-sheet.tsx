import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { limits } from '@nearhand/contract/limits';
import { type RejectReason, rejectReasons } from '@nearhand/contract/reject-reasons';
import { type ApiError, isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useSessionDraft } from '../../lib/device/session-draft.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { joined } from '../../lib/words/format.ts';
import { rejectReasonText } from '../../lib/words/reject-reason.labels.ts';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { applicantName, jobAndTime } from './applicant.labels.ts';
import { useRejectApplication } from './applicants.api.ts';

type Rejection = { reason: RejectReason; note: string };

type RejectSheetProps = {
  applicants: readonly Applicant[];
  onClose: () => void;
  onDone: () => void;
  /** Called if someone else moved the applicants in the meantime, so there is nothing to resend. */
  onRefused: (error: ApiError) => void;
  send?: (rejection: Rejection) => Promise<unknown>;
};

/** The number of people behind applications: one person may have applied to several jobs. */
export const peopleCount = (applicants: readonly Applicant[]): number =>
  new Set(applicants.map(({ worker }) => worker.workerId)).size;

export function RejectSheet(props: RejectSheetProps) {
  const { t } = useLingui();
  const { applicants, onClose } = props;
  const first = applicants[0];
  const title =
    applicants.length > 1
      ? t`${plural(peopleCount(applicants), { one: 'Reject # person?', other: 'Reject # people?' })}`
      : t`Reject ${first ? applicantName(first) : ''}`;
  return (
    <Sheet open={applicants.length > 0} onClose={onClose} title={title}>
      {applicants.length > 0 ? <RejectForm {...props} /> : null}
    </Sheet>
  );
}

function RejectForm({ applicants, onClose, onDone, onRefused, send }: RejectSheetProps) {
  const { t } = useLingui();
  const draft = useSessionDraft<{ reason: RejectReason | null; note: string }>(
    `reject ${applicants.map(({ id }) => id).join(' ')}`,
    () => ({ reason: null, note: '' }),
  );
  const form = useFormModel<{ reason: RejectReason | null; note: string }>({
    draft,
    check: (values) => {
      const long = tooLong(values.note, limits.reasonMax);
      return {
        reason: values.reason === null ? t`Choose a reason.` : undefined,
        note: long,
      };
    },
  });
  const { reason, note } = form.values;
  const reject = useRejectApplication();
  const applicant = applicants.length === 1 ? applicants[0] : undefined;
  const business = useCurrentBusiness().business?.name ?? t`Business`;
  const submit = async () => {
    if (reason === null) return;
    try {
      if (send) await send({ reason, note });
      else if (applicant)
        await reject.mutateAsync({ applicationId: applicant.id, version: applicant.version, reason, note });
      draft.drop();
      onDone();
    } catch (failure) {
      if (isApiError(failure, 'application/stale', 'application/wrong-state')) onRefused(failure);
      else form.refuse({ text: errorText(failure) });
    }
  };
  return (
    <Form onSubmit={() => void form.submit(submit)}>
      {applicant ? null : (
        <div>
          <p>
            <Plural value={applicants.length} one="It ends # application:" other="It ends # applications:" />
          </p>
          <ul className="sm mt1">
            {applicants.map((ended) => (
              <li key={ended.id}>{joined(applicantName(ended), jobAndTime(ended))}</li>
            ))}
          </ul>
        </div>
      )}
      <RadioGroup
        legend={t`Reason`}
        columns
        options={rejectReasons.map((value) => ({ value, label: rejectReasonText(value).label }))}
        value={reason}
        onChange={(value) => form.change({ reason: value })}
        error={form.problems.reason}
      />
      <TextArea
        label={t`Add a note`}
        help={t`The worker sees this.`}
        optional
        rows={3}
        maxLength={limits.reasonMax}
        length={note.length}
        value={note}
        error={form.problems.note}
        onChange={(event) => form.change({ note: event.target.value })}
      />
      <section className="reads" aria-label={t`What they'll see`}>
        <p className="xs mute strong">{t`What they'll see`}</p>
        <p className="mid mt1">
          <Trans>{business} won't be moving forward with your application.</Trans>
        </p>
        <p className="mt1">
          {applicant ? <Trans>Job: {applicant.jobTitle}.</Trans> : null}{' '}
          {reason ? rejectReasonText(reason).reads : null}
        </p>
        {note.trim() ? (
          <p className="pre-line mt1 break">
            <Trans>Note: {note.trim()}</Trans>
          </p>
        ) : null}
      </section>
      <Refused text={form.refusal} />
      <div className="row g2 sheet-act">
        <Button kind="quiet" className="grow" onClick={onClose}>
          {t`Keep`}
        </Button>
        <Button kind="bad" type="submit" busy={form.busy} className="grow">
          {t`Reject`}
        </Button>
      </div>
    </Form>
  );
}
