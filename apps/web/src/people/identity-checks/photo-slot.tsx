import { useLingui } from '@lingui/react/macro';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import type { IdentitySide } from '@nearhand/contract/people/identity-checks.rules';
import { useEffect, useId, useRef, useState } from 'react';
import { pickerHasCamera } from '../../lib/device/platform.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FieldNote } from '../../ui/controls/field.tsx';
import './identity-checks.css';
import { FileInput, TakePhoto } from '../../ui/controls/file-input.tsx';

type PhotoSlotProps = {
  side: IdentitySide;
  label: string;
  help: string;
  chosen: File | null;
  error?: string | undefined;
  onChoose: (file: File) => void;
};

/** One photo to take or choose, with a preview. Type and size are checked at once; the server checks again. */
export function PhotoSlot({ side, label, help, chosen, error, onChoose }: PhotoSlotProps) {
  const { t } = useLingui();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string>();
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    const address = chosen ? URL.createObjectURL(chosen) : null;
    setPreview(address);
    return () => {
      if (address) URL.revokeObjectURL(address);
    };
  }, [chosen]);
  const most = formatBytes(bytesAllowed('identity'));
  const take = (file: File | undefined) => {
    if (!file) return;
    if (!looksAccepted('identity', file))
      return setProblem(t`Choose a JPEG, PNG, WebP, AVIF or GIF picture.`);
    if (file.size > bytesAllowed('identity')) return setProblem(t`Choose a picture of ${most} or less.`);
    setProblem(undefined);
    onChoose(file);
  };
  return (
    <div className="field">
      <p className="flabel" id={`${id}-label`}>
        {label}
      </p>
      <div className="photo-slot">
        <div className="photo-frame">
          {preview ? (
            <img src={preview} alt={t`Chosen photo: ${label}`} />
          ) : (
            <Icon name={side === 'selfie' ? 'user' : 'identification-card'} className="mute" />
          )}
        </div>
        <FileInput
          ref={input}
          {...(side === 'selfie'
            ? { accept: ['image/*'], capture: 'user' as const }
            : { accept: pickableTypes('identity') })}
          testId={`identity-${side}`}
          onFiles={([file]) => take(file)}
        />
        <div className="col g2">
          <Button
            kind="out"
            size="s"
            icon={side === 'selfie' || pickerHasCamera() ? 'camera' : 'image'}
            aria-describedby={`${id}-label ${id}-note`}
            onClick={() => input.current?.click()}
          >
            {chosen ? t`Change photo` : t`Add photo`}
          </Button>
          {side === 'selfie' ? null : (
            <TakePhoto
              size="s"
              aria-describedby={`${id}-label ${id}-note`}
              onFiles={([file]) => take(file)}
            />
          )}
        </div>
      </div>
      <FieldNote id={`${id}-note`} help={help} error={problem ?? error} />
    </div>
  );
}
