import { Trans, useLingui } from '@lingui/react/macro';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { useEffect, useId, useRef, useState } from 'react';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { isOnline } from '../../lib/device/online.ts';
import { pictureProblem } from '../../lib/forms/picture.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { ProgressRing } from '../../ui/art/rings.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { type DraftCv, storeCv } from './application-draft.ts';

type CvFieldProps = {
  id: string;
  jobId: string;
  value: DraftCv | null;
  required: boolean;
  error: string | undefined;
  onChange: (cv: DraftCv | null) => void;
};

type Going = { name: string; bytes: number; done: number; stop: AbortController };

/** A CV field that uploads at once, or stores the file on the device until there is a connection. */
export function CvField({ id, jobId, value, required, error, onChange }: CvFieldProps) {
  const { t } = useLingui();
  const labelId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [going, setGoing] = useState<Going | null>(null);
  const [refusal, setRefusal] = useState<string>();
  const stop = going?.stop;
  const newest = useRef(stop);
  newest.current = stop;
  useEffect(() => {
    const field = input.current;
    return () => {
      if (!field?.isConnected || newest.current !== stop) stop?.abort();
    };
  }, [stop]);

  const maxSize = formatBytes(bytesAllowed('cv'));

  const saveCv = async (file: File) => {
    if (await storeCv(jobId, file)) onChange({ kind: 'kept', name: file.name, bytes: file.size });
    else setRefusal(t`This device can't store the file. Choose it again when you're online.`);
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    setRefusal(undefined);
    if (!looksAccepted('cv', file)) return setRefusal(t`Choose a PDF or DOCX file.`);
    if (file.size > bytesAllowed('cv')) return setRefusal(t`Choose a file of ${maxSize} or less.`);
    const fileProblem = await pictureProblem(file);
    if (fileProblem) return setRefusal(fileProblem);
    if (!isOnline()) return saveCv(file);
    const controller = new AbortController();
    const show = (bytesSent: number) =>
      setGoing({ name: file.name, bytes: file.size, done: bytesSent, stop: controller });
    show(0);
    try {
      const cvFile = await uploadFile({
        purpose: 'cv',
        file,
        name: file.name,
        idempotencyKey: crypto.randomUUID(),
        onProgress: show,
        signal: controller.signal,
      });
      onChange({ kind: 'stored', file: cvFile });
    } catch (failure) {
      if (isNetworkError(failure)) await saveCv(file);
      else if (!isApiError(failure, 'network/cancelled')) setRefusal(errorText(failure));
    } finally {
      setGoing(null);
    }
  };

  return (
    <fieldset className="choices" aria-describedby={`${id}-note`}>
      <legend className="flabel" id={labelId}>
        {t`CV`}
        <span className="mute opt-mark">
          {' '}
          · {required ? t`PDF or DOCX, up to ${maxSize}` : t`optional, PDF or DOCX, up to ${maxSize}`}
        </span>
      </legend>
      <FileInput
        ref={input}
        accept={pickableTypes('cv')}
        testId="cv-input"
        onFiles={([file]) => void take(file)}
      />
      {going ? (
        <CvRow
          name={going.name}
          done={going.done}
          note={t`Uploading, ${formatBytes(going.bytes * going.done)} of ${formatBytes(going.bytes)}`}
          onRemove={() => going.stop.abort()}
          removeLabel={t`Cancel upload`}
        />
      ) : value ? (
        <CvRow
          name={value.kind === 'stored' ? value.file.name : value.name}
          note={
            value.kind === 'stored'
              ? t`${formatBytes(value.file.bytes)}, ready to send`
              : t`${formatBytes(value.bytes)}, saved on this device and sent with your application`
          }
          onRemove={() => onChange(null)}
          removeLabel={t`Remove the CV`}
        />
      ) : (
        <Button id={id} kind="out" full icon="upload-simple" onClick={() => input.current?.click()}>
          {t`Choose a CV`}
        </Button>
      )}
      {value && !going ? (
        <Button kind="text" size="s" onClick={() => input.current?.click()}>
          <Trans>Choose another file</Trans>
        </Button>
      ) : null}
      <FieldNote id={`${id}-note`} error={going ? undefined : (refusal ?? error)} />
    </fieldset>
  );
}

type CvRowProps = {
  name: string;
  note: string;
  done?: number;
  onRemove: () => void;
  removeLabel: string;
};

function CvRow({ name, note, done, onRemove, removeLabel }: CvRowProps) {
  const icon = <Icon name={/\.docx$/i.test(name) ? 'file-doc' : 'file-pdf'} />;
  return (
    <div className="card row cv-row">
      {done === undefined ? (
        <span className="sign round">{icon}</span>
      ) : (
        <ProgressRing done={done}>{icon}</ProgressRing>
      )}
      <span className="grow">
        <span className="mid block wrap-any" dir="auto">
          {name}
        </span>
        <span className="sm mute block" role="status">
          {note}
        </span>
      </span>
      <IconButton icon="x" label={removeLabel} onClick={onRemove} />
    </div>
  );
}
