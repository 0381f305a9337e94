import { useLingui } from '@lingui/react/macro';
import type { StoredFile } from '@nearhand/contract/people/files';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { useRef, useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import { useUploadLogo } from './businesses.api.ts';

type LogoFieldProps = {
  id: string;
  value: StoredFile | null;
  onChange: (logo: StoredFile | null) => void;
  category: CategoryId | '';
  /** Why the server refused it. */
  error?: string | undefined;
};

/** The business's logo. It is uploaded right away and attached when the form is sent. */
export function LogoField({ id, value, onChange, category, error }: LogoFieldProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const upload = useUploadLogo();
  const most = formatBytes(bytesAllowed('logo'));

  const take = async (file: File | undefined) => {
    if (!file) return;
    setProblem(undefined);
    if (!looksAccepted('logo', file)) return setProblem(t`Choose a JPEG, PNG, WebP, AVIF or GIF picture.`);
    if (file.size > bytesAllowed('logo')) return setProblem(t`Choose a picture of ${most} or less.`);
    try {
      onChange(await upload.send(file));
    } catch (failure) {
      setProblem(errorText(failure));
    }
  };

  return (
    <div className="field">
      <p className="flabel" id={`${id}-label`}>
        {t`Logo`}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </p>
      <div className="row">
        {value ? (
          <BusinessMark src={fileUrl(value.path)} category={category || 'office'} size="l" />
        ) : (
          <IconSign icon="image" size="l" />
        )}
        <input
          ref={input}
          type="file"
          accept={pickableTypes('logo').join(',')}
          className="vh"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <Button
          kind="out"
          size="s"
          icon="upload-simple"
          busy={upload.isPending}
          id={id}
          aria-describedby={`${id}-note`}
          onClick={() => input.current?.click()}
        >
          {value ? t`Change logo` : t`Choose a logo`}
        </Button>
        {value ? (
          <Button kind="text" size="s" onClick={() => onChange(null)}>
            {t`Remove`}
          </Button>
        ) : null}
      </div>
      <FieldNote
        id={`${id}-note`}
        help={t`A square picture works best. Without one, we show your category's icon.`}
        error={problem ?? error}
      />
    </div>
  );
}
