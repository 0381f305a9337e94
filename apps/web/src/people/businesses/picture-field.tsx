import { useLingui } from '@lingui/react/macro';
import type { StoredFile } from '@nearhand/contract/people/files';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { useRef, useState } from 'react';
import { pictureErrorText, pictureProblem } from '../../lib/forms/picture.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { useUploadPicture } from './businesses.api.ts';

type PictureFieldProps = {
  id: string;
  /** A square logo, or a wide photo of the place. */
  purpose: 'logo' | 'photo';
  value: StoredFile | null;
  onChange: (picture: StoredFile | null) => void;
  /** Why the server refused it. */
  error?: string | undefined;
};

/** A picture of the business. It is uploaded right away and attached when the form is sent. */
export function PictureField({ id, purpose, value, onChange, error }: PictureFieldProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const upload = useUploadPicture(purpose);
  const words =
    purpose === 'logo'
      ? {
          label: t`Logo`,
          change: t`Change logo`,
          choose: t`Choose a logo`,
          help: t`A square picture works best. Without one, we show your category's icon.`,
        }
      : {
          label: t`Cover photo`,
          change: t`Change photo`,
          choose: t`Choose a photo`,
          help: t`A wide photo of the place. Workers see it on your jobs.`,
        };
  const most = formatBytes(bytesAllowed(purpose));

  const take = async (file: File | undefined) => {
    if (!file) return;
    setProblem(undefined);
    if (!looksAccepted(purpose, file)) return setProblem(t`Choose a JPEG, PNG, WebP, AVIF or GIF picture.`);
    if (file.size > bytesAllowed(purpose)) return setProblem(t`Choose a picture of ${most} or less.`);
    const broken = await pictureProblem(file);
    if (broken) return setProblem(broken);
    try {
      onChange(await upload.send(file));
    } catch (failure) {
      setProblem(pictureErrorText(failure));
    }
  };

  return (
    <div className="field">
      <p className="flabel" id={`${id}-label`}>
        {words.label}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </p>
      <div className="row">
        {value && purpose === 'photo' ? (
          <img className="cover-photo small" src={fileUrl(value.path)} alt="" />
        ) : value ? (
          <BusinessMark src={fileUrl(value.path)} category="office" size="l" />
        ) : (
          <IconSign icon="image" size="l" />
        )}
        <FileInput ref={input} accept={pickableTypes(purpose)} onFiles={([file]) => void take(file)} />
        <Button
          kind="out"
          size="s"
          icon="upload-simple"
          busy={upload.isPending}
          id={id}
          aria-describedby={`${id}-note`}
          onClick={() => input.current?.click()}
        >
          {value ? words.change : words.choose}
        </Button>
        {value ? (
          <Button kind="text" size="s" onClick={() => onChange(null)}>
            {t`Remove`}
          </Button>
        ) : null}
      </div>
      <FieldNote id={`${id}-note`} help={words.help} error={problem ?? error} />
    </div>
  );
}
