import { Trans, useLingui } from '@lingui/react/macro';
import type { StoredFile } from '@nearhand/contract/people/files';
import { bytesAllowed, pickableTypes } from '@nearhand/contract/people/files.rules';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { pictureErrorText, pictureProblem } from '../../lib/forms/picture.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { ProgressRing } from '../../ui/art/rings.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { FileInput, TakePhoto } from '../../ui/controls/file-input.tsx';

type Going = { key: string; name: string; bytes: number; done: number; stop: AbortController };

const errorOf = (file: File, error: unknown): string =>
  file.type.startsWith('image/') ? pictureErrorText(error) : errorText(error);

/** Uploads in progress; `count` of `max` files are stored already. Aborted when the form unmounts. */
export function useUploads(
  { count, max: filesMax }: { count: number; max: number },
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
  const maxSize = formatBytes(bytesAllowed('work'));
  const room = filesMax - count - going.length;

  const add = async (file: File) => {
    if (file.size > bytesAllowed('work')) return setProblem(t`${file.name} is larger than ${maxSize}.`);
    const fileProblem = await pictureProblem(file);
    if (fileProblem) return setProblem(`${file.name}: ${fileProblem}`);
    const upload: Going = {
      key: crypto.randomUUID(),
      name: file.name,
      bytes: file.size,
      done: 0,
      stop: new AbortController(),
    };
    setGoing((list) => [...list, upload]);
    try {
      const workFile = await uploadFile({
        purpose: 'work',
        file,
        name: file.name,
        idempotencyKey: upload.key,
        signal: upload.stop.signal,
        onProgress: (sentBytes) =>
          setGoing((list) =>
            list.map((item) => (item.key === upload.key ? { ...item, done: sentBytes } : item)),
          ),
      });
      onStored(workFile);
    } catch (failure) {
      if (!isApiError(failure, 'network/cancelled')) setProblem(`${file.name}: ${errorOf(file, failure)}`);
    } finally {
      setGoing((list) => list.filter(({ key }) => key !== upload.key));
    }
  };
  const take = (files: File[]) => {
    setProblem(null);
    if (files.length > room) setProblem(t`You can add up to ${filesMax} files. We left out the rest.`);
    for (const file of files.slice(0, room)) void add(file);
  };
  return { going, room, take };
}

export function WorkFilesField({
  legend,
  max,
  files,
  uploads: { going, room, take },
  problem,
  onRemove,
}: {
  legend: string;
  max: number;
  files: readonly StoredFile[];
  uploads: ReturnType<typeof useUploads>;
  problem: string | null;
  onRemove: (file: StoredFile) => void;
}) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  return (
    <fieldset className="choices">
      <legend className="flabel">{legend}</legend>
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
        {going.map((upload) => (
          <li key={upload.key} className="card row">
            <ProgressRing done={upload.done}>
              <Icon name="upload-simple" />
            </ProgressRing>
            <span className="grow break" dir="auto" role="status">
              {upload.name}{' '}
              <span className="sm mute">
                {t`${formatBytes(upload.bytes * upload.done)} of ${formatBytes(upload.bytes)}`}
              </span>
            </span>
            <IconButton
              icon="x"
              label={t`Cancel upload of ${upload.name}`}
              onClick={() => upload.stop.abort()}
            />
          </li>
        ))}
      </ul>
      {room > 0 ? (
        <>
          <Button
            kind="out"
            full
            icon="upload-simple"
            className="mt2"
            needsNetwork
            onClick={() => input.current?.click()}
          >
            {t`Add photos or files`}
          </Button>
          <TakePhoto full needsNetwork className="mt2" onFiles={take} />
        </>
      ) : null}
      <p className="help">
        <Trans>
          Up to {max} photos or PDFs, {formatBytes(bytesAllowed('work'))} each.
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
