import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { ChatReportReason } from '@nearhand/contract/talk/chat-reports';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

export function ChatReportForm({
  conversationId,
  seq,
  onDone,
}: {
  conversationId: string;
  seq?: number;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const report = useReportConversation();
  const action = useAction();
  const [reason, setReason] = useState<ChatReportReason | null>(null);
  const [asking, setAsking] = useState(false);
  const draft = useTextDraft(`report ${conversationId} ${seq ?? ''}`);
  const noteError = tooLong(draft.value, limits.reasonMax);
  const submit = async () => {
    setAsking(true);
    if (reason === null || noteError) return;
    const isDone = await action.run(() =>
      report.mutateAsync({
        conversationId,
        reason,
        note: draft.value.trim(),
        seq,
      }),
    );
    if (!isDone) return;
    draft.drop();
    showToast(t`Thank you. Our team will review it.`);
    onDone();
  };
  return (
    <Form onSubmit={() => void submit()}>
      <p className="sm mute">
        {t`Our team will read this conversation to decide. The other side won't know who reported it.`}
      </p>
      <RadioGroup
        legend={t`What's wrong?`}
        options={reportReasons.map((value) => ({ value, label: reportReasonText(value) }))}
        value={reason ?? ''}
        error={asking && reason === null ? t`Choose the best match.` : undefined}
        onChange={(value) => setReason(value as ChatReportReason)}
      />
      <TextArea
        label={t`What happened`}
        optional
        rows={3}
        maxLength={limits.reasonMax}
        length={draft.value.length}
        value={draft.value}
        error={noteError}
        onChange={(event) => draft.set(event.target.value)}
      />
      <HelpLink article="block-and-report">{t`How reports work`}</HelpLink>
      <Refused text={action.refusal} />
      <div className="sheet-act">
        <Button kind="ink" full type="submit" busy={action.busy}>
          {t`Send report`}
        </Button>
      </div>
    </Form>
  );
}

const useReportConversation = () =>
  useMutation(apiQuery.chatReports.create.mutationOptions({ onSuccess: () => refetchChanged(['report']) }));

const reportReasonTexts: Record<ChatReportReason, () => string> = {
  harassment: () => t`Insults, threats or harassment`,
  scam: () => t`Scam or asking for money`,
  'off-platform': () => t`Wants to pay or agree outside Nearhand`,
  spam: () => t`Advertising or spam`,
  illegal: () => t`Something illegal`,
  other: () => t`Something else`,
};
const reportReasons = Object.keys(reportReasonTexts) as ChatReportReason[];
const reportReasonText = (reason: ChatReportReason): string => reportReasonTexts[reason]();
