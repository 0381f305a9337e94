import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import {
  bytesAllowed,
  fileContentPath,
  looksAccepted,
  pickableTypes,
} from '@nearhand/contract/people/files.rules';
import { useRef, useState } from 'react';
import { pictureErrorText, pictureProblem } from '../../lib/forms/picture.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Photo } from '../../ui/art/photo.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { useUploadPicture } from './businesses.api.ts';
import '../../ui/photo-grid.css';

type PhotosFieldProps = {
  id: string;
  help: string;
  max: number;
  value: readonly string[];
  onChange: (ids: string[]) => void;
};

/** Several photos, each uploaded right away and attached when the form is sent. */
export function PhotosField({ id, help, max, value, onChange }: PhotosFieldProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  // The latest ids, for uploads that began before the last render.
  const currentIds = useRef(value);
  currentIds.current = value;
  const [problem, setProblem] = useState<string>();
  const [uploadCount, setUploadCount] = useState(0);
  const upload = useUploadPicture('photo');
  const room = max - value.length - uploadCount;
  const bytes = formatBytes(bytesAllowed('photo'));

  const problemOf = async (file: File): Promise<string | undefined> => {
    if (!looksAccepted('photo', file)) return t`Choose JPEG, PNG, WebP, AVIF or GIF pictures.`;
    if (file.size > bytesAllowed('photo')) return t`Choose pictures of ${bytes} or less.`;
    return pictureProblem(file);
  };
  const uploadOne = async (file: File) => {
    const fileProblem = await problemOf(file);
    if (fileProblem) return setProblem(`${file.name}: ${fileProblem}`);
    setUploadCount((count) => count + 1);
    try {
      const photo = await upload.send(file);
      currentIds.current = [...currentIds.current, photo.id];
      onChange([...currentIds.current]);
    } catch (failure) {
      setProblem(`${file.name}: ${pictureErrorText(failure)}`);
    } finally {
      setUploadCount((count) => count - 1);
    }
  };
  const uploadAll = async (files: File[]) => {
    setProblem(
      files.length > room
        ? plural(max, {
            one: 'You can add # photo. We left out the rest.',
            other: 'You can add up to # photos. We left out the rest.',
          })
        : undefined,
    );
    for (const file of files.slice(0, room)) await uploadOne(file);
  };
  return (
    <div className="field">
      <p className="flabel">
        {t`Photos`}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </p>
      {value.length > 0 ? (
        <ul className="photo-grid small">
          {value.map((fileId, index) => (
            <li key={fileId}>
              <Photo className="photo-small" src={fileUrl(fileContentPath(fileId))} alt="" />
              <IconButton
                icon="x"
                solid
                label={t`Remove photo ${index + 1}`}
                onClick={() => onChange(currentIds.current.filter((id) => id !== fileId))}
              />
            </li>
          ))}
        </ul>
      ) : null}
      <FileInput
        ref={input}
        multiple
        accept={pickableTypes('photo')}
        testId="job-photos"
        onFiles={(files) => void uploadAll(files)}
      />
      {room > 0 || uploadCount > 0 ? (
        <div>
          <Button
            kind="out"
            size="s"
            icon="upload-simple"
            busy={uploadCount > 0}
            id={id}
            aria-describedby={`${id}-note`}
            onClick={() => input.current?.click()}
          >
            {t`Add photos`}
          </Button>
        </div>
      ) : null}
      <FieldNote id={`${id}-note`} help={help} error={problem} />
    </div>
  );
}
