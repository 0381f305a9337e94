import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { StoredFile } from '@nearhand/contract/people/files';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { announce } from '../../ui/overlays/toast.tsx';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import { useDeliver } from './timesheets.api.ts';
import { useUploads, WorkFilesField } from './work-files.tsx';

type Delivery = { note: string; files: StoredFile[] };
const isDelivery = (value: unknown): value is Delivery =>
  typeof value === 'object' && value !== null && Array.isArray((value as Delivery).files);

/**
 * Delivers a task with a note, photos and files. Files upload as they are picked, so a failed submit loses
 * nothing.
 */
export function DeliveryForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const deliver = useDeliver();
  const { run, busy, refusal } = useEngagementMove(work.side);
  const draft = useDeviceDraft<Delivery>(
    `delivery-${work.id}-${work.deliveries.length}`,
    () => ({ note: '', files: [] }),
    isDelivery,
  );
  const { note, files } = draft.value;
  const [problem, setProblem] = useState<string | null>(null);
  const noteError = tooLong(note, limits.messageMax);
  const uploads = useUploads({ count: files.length, max: limits.deliveryFilesMax }, setProblem, (file) =>
    draft.set((before) => ({ ...before, files: [...before.files, file] })),
  );
  const send = async () => {
    if (uploads.going.length > 0) return setProblem(t`Wait for uploads to finish, or cancel them.`);
    if (!note.trim() && files.length === 0) return setProblem(t`Say what you did, or add a photo or file.`);
    if (noteError) return;
    const isDone = await run(() =>
      deliver.mutateAsync({
        engagementId: work.id,
        version: work.version,
        note: note.trim(),
        fileIds: files.map(({ id }) => id),
      }),
    );
    if (!isDone) return;
    draft.drop();
    announce(t`Work delivered`);
    onDone();
  };
  return (
    <Form className="form-stack" onSubmit={() => void send()}>
      <Refused text={refusal} />
      <TextArea
        label={t`What you did`}
        maxLength={limits.messageMax}
        length={note.length}
        rows={4}
        value={note}
        error={noteError}
        onChange={(event) => {
          setProblem(null);
          draft.set((before) => ({ ...before, note: event.target.value }));
        }}
      />
      <WorkFilesField
        legend={t`Photos and files`}
        max={limits.deliveryFilesMax}
        files={files}
        uploads={uploads}
        problem={problem}
        onRemove={(removed) =>
          draft.set((before) => ({ ...before, files: before.files.filter(({ id }) => id !== removed.id) }))
        }
      />
      <HelpLink article="deliver-a-task">{t`How delivering works`}</HelpLink>
      <div className="sheet-act">
        <Button type="submit" kind="go" full busy={busy}>
          {t`Deliver work`}
        </Button>
      </div>
    </Form>
  );
}
