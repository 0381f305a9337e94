import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { StoredFile } from '@nearhand/contract/people/files';
import { bytesAllowed, pickableTypes } from '@nearhand/contract/people/files.rules';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useDeviceDraft } from '../../lib/device/device-draft.ts';
import { pictureErrorText, pictureProblem } from '../../lib/forms/picture.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { ProgressRing } from '../../ui/art/rings.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import { useDeliver } from './timesheets.api.ts';

type Delivery = { note: string; files: StoredFile[] };
const isDelivery = (value: unknown): value is Delivery =>
  typeof value === 'object' && value !== null && Array.isArray((value as Delivery).files);
type Going = { key: string; name: string; bytes: number; done: number; stop: AbortController };

/** Delivers a task with a note, photos and files. Files upload as they are picked, so a failed submit loses nothing. */
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
  const uploads = useUploads(files.length, setProblem, (stored) =>
    draft.set((before) => ({ ...before, files: [...before.files, stored] })),
  );
  const send = async () => {
    if (uploads.going.length > 0) return setProblem(t`Wait for uploads to finish, or cancel them.`);
    if (!note.trim() && files.length === 0) return setProblem(t`Say what you did, or add a photo or file.`);
    if (noteError) return;
    const sent = await run(() =>
      deliver.mutateAsync({
        engagementId: work.id,
        version: work.version,
        note: note.trim(),
        fileIds: files.map(({ id }) => id),
      }),
    );
    if (!sent) return;
    draft.drop();
    showToast(t`Work delivered`);
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
      <DeliveryFiles
        files={files}
        uploads={uploads}
        problem={problem}
        onRemove={(gone) =>
          draft.set((before) => ({ ...before, files: before.files.filter(({ id }) => id !== gone.id) }))
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

const errorOf = (file: File, error: unknown): string =>
  file.type.startsWith('image/') ? pictureErrorText(error) : errorText(error);

/** Uploads in progress; `count` files are stored already. Aborted when the form unmounts. */
function useUploads(
  count: number,
  setProblem: (text: string | null) => void,
  onStored: (file: StoredFile) => void,
) {
  const { t } = useLingui();
  const [going, setGoing] = useState<Going[]>([]);
  const running = useRef(going);
  running.current = going;
  useEffect(
    () => () => {
      for (const { stop } of running.current) stop.abort();
    },
    [],
  );
  const most = formatBytes(bytesAllowed('work'));
  const room = limits.deliveryFilesMax - count - going.length;

  const add = async (file: File) => {
    if (file.size > bytesAllowed('work')) return setProblem(t`${file.name} is larger than ${most}.`);
    const broken = await pictureProblem(file);
    if (broken) return setProblem(`${file.name}: ${broken}`);
    const one: Going = {
      key: crypto.randomUUID(),
      name: file.name,
      bytes: file.size,
      done: 0,
      stop: new AbortController(),
    };
    setGoing((list) => [...list, one]);
    try {
      const stored = await uploadFile({
        purpose: 'work',
        file,
        name: file.name,
        idempotencyKey: one.key,
        signal: one.stop.signal,
        onProgress: (done) =>
          setGoing((list) => list.map((other) => (other.key === one.key ? { ...other, done } : other))),
      });
      onStored(stored);
    } catch (failure) {
      if (!isApiError(failure, 'network/cancelled')) setProblem(`${file.name}: ${errorOf(file, failure)}`);
    } finally {
      setGoing((list) => list.filter(({ key }) => key !== one.key));
    }
  };
  const take = (chosen: File[]) => {
    setProblem(null);
    if (chosen.length > room)
      setProblem(t`You can add up to ${limits.deliveryFilesMax} files. We left out the rest.`);
    for (const file of chosen.slice(0, room)) void add(file);
  };
  return { going, room, take };
}

function DeliveryFiles({
  files,
  uploads: { going, room, take },
  problem,
  onRemove,
}: {
  files: readonly StoredFile[];
  uploads: ReturnType<typeof useUploads>;
  problem: string | null;
  onRemove: (file: StoredFile) => void;
}) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  return (
    <fieldset className="choices">
      <legend className="flabel">{t`Photos and files`}</legend>
      <FileInput ref={input} multiple accept={pickableTypes('work')} testId="work-files" onFiles={take} />
      <ul className="file-list">
        {files.map((file) => (
          <li key={file.id} className="card row">
            <Icon name={file.mediaType === 'application/pdf' ? 'file-pdf' : 'image'} />
            <span className="grow break" dir="auto">
              {file.name} <span className="sm mute">{formatBytes(file.bytes)}</span>
            </span>
            <IconButton icon="x" label={t`Remove ${file.name}`} onClick={() => onRemove(file)} />
          </li>
        ))}
        {going.map((one) => (
          <li key={one.key} className="card row">
            <ProgressRing done={one.done}>
              <Icon name="upload-simple" />
            </ProgressRing>
            <span className="grow break" dir="auto" role="status">
              {one.name}{' '}
              <span className="sm mute">
                {t`${formatBytes(one.bytes * one.done)} of ${formatBytes(one.bytes)}`}
              </span>
            </span>
            <IconButton icon="x" label={t`Cancel upload of ${one.name}`} onClick={() => one.stop.abort()} />
          </li>
        ))}
      </ul>
      {room > 0 ? (
        <Button kind="out" full icon="upload-simple" className="mt2" onClick={() => input.current?.click()}>
          {t`Add photos or files`}
        </Button>
      ) : null}
      <p className="help">
        <Trans>
          Up to {limits.deliveryFilesMax} photos or PDFs, {formatBytes(bytesAllowed('work'))} each.
        </Trans>
      </p>
      {problem ? (
        <p className="help err" role="alert">
          {problem}
        </p>
      ) : null}
    </fieldset>
  );
}
