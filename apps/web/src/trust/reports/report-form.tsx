import { useLingui } from '@lingui/react/macro';
import {
  type ReportKind,
  type ReportReason,
  reasonsOf,
  reportLimits,
} from '@nearhand/contract/trust/reports.rules';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { FilesField, useChosenFiles } from '../../ui/controls/files-field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { reasonText } from './report.labels.ts';
import { useCreateReport } from './reports.api.ts';
import '../../ui/desk.css';

export function ReportForm({
  kind,
  subjectId,
  onSent,
}: {
  kind: ReportKind;
  subjectId: string;
  onSent: () => void;
}) {
  const { t, i18n } = useLingui();
  const create = useCreateReport();
  const action = useAction();
  const files = useChosenFiles('report', uploadFile);
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [asking, setAsking] = useState(false);
  const draft = useTextDraft(`report ${kind} ${subjectId}`);
  const noteError = tooLong(draft.value, reportLimits.noteMax);
  const submit = async () => {
    setAsking(true);
    if (reason === null || noteError) return;
    const isDone = await action.run(async () => {
      const fileIds = await files.upload();
      await create.mutateAsync({ kind, subjectId, reason, note: draft.value.trim(), fileIds });
    });
    if (!isDone) return;
    draft.drop();
    onSent();
  };
  return (
    <Form
      className="form-fields"
      onSubmit={() => {
        void submit();
      }}
    >
      <p className="mute">{t`Only our team sees your report. We never say who sent it.`}</p>
      <RadioGroup
        legend={t`What's wrong?`}
        options={reasonsOf[kind].map((value) => ({ value, label: i18n._(reasonText[value]) }))}
        value={reason ?? ''}
        error={asking && reason === null ? t`Choose the best match.` : undefined}
        onChange={(value) => setReason(value as ReportReason)}
      />
      <TextArea
        label={t`What happened`}
        optional
        help={t`Say what you saw and when. Phone numbers and links are fine here.`}
        rows={4}
        maxLength={reportLimits.noteMax}
        length={draft.value.length}
        value={draft.value}
        error={noteError}
        onChange={(event) => draft.set(event.target.value)}
      />
      <FilesField files={files} />
      <Refused text={action.refusal} />
      <Button kind="go" full type="submit" busy={action.busy}>
        {t`Send report`}
      </Button>
    </Form>
  );
}
