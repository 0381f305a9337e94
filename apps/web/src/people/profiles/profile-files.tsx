import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { FilePurpose } from '@nearhand/contract/people/files';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { pictureProblem } from '../../lib/forms/picture.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { FileInput } from '../../ui/controls/file-input.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';

/** Says why a file that was chosen before the email was verified isn't in the profile. */
export const alertRefusedFile = (purpose: 'photo' | 'cv', failure: unknown): Promise<string | null> =>
  showAlert({
    tone: 'bad',
    title: purpose === 'cv' ? t`We couldn't save your CV` : t`We couldn't save your photo`,
    message: t`${errorText(failure)} You can add it in your profile.`,
  });

type FilePickerProps = {
  /** The id of the button, for a summary of errors to link to. */
  id?: string;
  label: string;
  help: string;
  purpose: FilePurpose;
  tooLarge: string;
  wrongType: string;
  error?: string;
  busy?: boolean;
  chooseText: string;
  onRemove?: () => void;
  onChoose: (file: File) => void;
  children: ReactNode;
};

/** A file field. Type and size are checked right away; the server checks again. */
function FilePicker(props: FilePickerProps) {
  const { t } = useLingui();
  const ownId = useId();
  const id = props.id ?? ownId;
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const take = async (file: File | undefined) => {
    if (!file) return;
    if (!looksAccepted(props.purpose, file)) return setProblem(props.wrongType);
    if (file.size > bytesAllowed(props.purpose)) return setProblem(props.tooLarge);
    const fileProblem = await pictureProblem(file);
    setProblem(fileProblem);
    if (!fileProblem) props.onChoose(file);
  };
  return (
    <div className="field">
      <p className="flabel" id={`${id}-label`}>
        {props.label}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </p>
      <div className="row wrap g3">
        {props.children}
        <FileInput ref={input} accept={pickableTypes(props.purpose)} onFiles={([file]) => void take(file)} />
        <Button
          id={id}
          kind="out"
          size="s"
          icon="upload-simple"
          busy={props.busy}
          needsNetwork
          aria-describedby={`${id}-label ${id}-note`}
          onClick={() => input.current?.click()}
        >
          {props.chooseText}
        </Button>
        {props.onRemove ? (
          <Button kind="text" size="s" aria-describedby={`${id}-label`} onClick={props.onRemove}>
            {t`Remove`}
          </Button>
        ) : null}
      </div>
      <FieldNote id={`${id}-note`} help={props.help} error={problem ?? props.error} />
    </div>
  );
}

type FileFieldProps = {
  id?: string;
  chosen: File | null;
  stored?: { path: string; name: string; bytes: number } | null;
  error?: string;
  busy?: boolean;
  storedStays?: boolean;
  onChoose: (file: File | null) => void;
};

export function PhotoField({
  name,
  chosen,
  stored,
  storedStays,
  ...rest
}: FileFieldProps & { name: string }) {
  const { t } = useLingui();
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    const address = chosen ? URL.createObjectURL(chosen) : null;
    setPreview(address);
    return () => {
      if (address) URL.revokeObjectURL(address);
    };
  }, [chosen]);
  const url = preview ?? fileUrl(stored?.path);
  const maxSize = formatBytes(bytesAllowed('photo'));
  return (
    <FilePicker
      {...rest}
      label={t`Photo`}
      help={t`A clear photo of just you. Businesses see it when you apply.`}
      purpose="photo"
      tooLarge={t`Choose a picture of ${maxSize} or less.`}
      wrongType={t`Choose a JPEG, PNG, WebP, AVIF or GIF picture.`}
      chooseText={url ? t`Change photo` : t`Choose a photo`}
      onRemove={chosen || (url && !storedStays) ? () => rest.onChoose(null) : undefined}
    >
      <Avatar size="l" name={name || '?'} src={url} />
    </FilePicker>
  );
}

export function ProfileCvField({ chosen, stored, storedStays, ...rest }: FileFieldProps) {
  const { t } = useLingui();
  const file = chosen ? { name: chosen.name, bytes: chosen.size } : stored;
  const maxSize = formatBytes(bytesAllowed('cv'));
  return (
    <FilePicker
      {...rest}
      label={t`CV`}
      help={t`PDF or DOCX, up to ${maxSize}. Only businesses you send it to can open it.`}
      purpose="cv"
      tooLarge={t`Choose a file of ${maxSize} or less.`}
      wrongType={t`Choose a PDF or DOCX file.`}
      chooseText={file ? t`Change CV` : t`Choose a CV`}
      onRemove={chosen || (file && !storedStays) ? () => rest.onChoose(null) : undefined}
    >
      {file ? (
        <span className="row g2 cv-file">
          <Icon name="file" />
          <span>
            <span className="mid cv-name">{file.name}</span>
            <span className="sm mute block num">{formatBytes(file.bytes)}</span>
          </span>
        </span>
      ) : null}
    </FilePicker>
  );
}
