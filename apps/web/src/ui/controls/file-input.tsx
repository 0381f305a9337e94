import { useLingui } from '@lingui/react/macro';
import { type Ref, useRef } from 'react';
import { pickerHasCamera } from '../../lib/device/platform.ts';
import { withoutHeic } from '../../lib/forms/picture.ts';
import { Button } from './button.tsx';

type FileInputProps = {
  ref: Ref<HTMLInputElement>;
  accept: readonly string[];
  multiple?: boolean;
  /** Opens this camera of a phone at once. Android's app needs `image/*` for it. */
  capture?: 'user' | 'environment';
  testId?: string;
  onFiles: (files: File[]) => void;
};

/**
 * An invisible file input. Photos in HEIC become JPEGs if they can. The same file can be chosen again after a
 * fix.
 */
export const FileInput = ({ accept, testId, onFiles, ...input }: FileInputProps) => (
  <input
    {...input}
    type="file"
    hidden
    accept={accept.join(',')}
    data-testid={testId}
    onChange={(event) => {
      const files = [...(event.target.files ?? [])];
      event.target.value = '';
      void Promise.all(files.map(withoutHeic)).then(onFiles);
    }}
  />
);

type TakePhotoProps = {
  size?: 's' | 'm';
  full?: boolean;
  busy?: boolean;
  needsNetwork?: boolean;
  className?: string;
  'aria-describedby'?: string;
  onFiles: (files: File[]) => void;
};

/** "Take a photo", in Android's app only: its file picker has no camera. */
export function TakePhoto({ onFiles, ...button }: TakePhotoProps) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  if (pickerHasCamera()) return null;
  return (
    <>
      <FileInput
        ref={input}
        accept={['image/*']}
        capture="environment"
        testId="take-photo"
        onFiles={onFiles}
      />
      <Button kind="out" icon="camera" {...button} onClick={() => input.current?.click()}>
        {t`Take a photo`}
      </Button>
    </>
  );
}
