import type { Ref } from 'react';

type FileInputProps = {
  /** What opens it: `input.current?.click()` of a button with words. */
  ref: Ref<HTMLInputElement>;
  /** The types to offer, as `pickableTypes` lists them. */
  accept: readonly string[];
  multiple?: boolean;
  /** Opens this camera of a phone at once. */
  capture?: 'user' | 'environment';
  testId?: string;
  onFiles: (files: File[]) => void;
};

/** The browser's choice of files, itself invisible. The same file can be chosen again, after its problem was solved. */
export const FileInput = ({ accept, testId, onFiles, ...input }: FileInputProps) => (
  <input
    {...input}
    type="file"
    hidden
    accept={accept.join(',')}
    data-testid={testId}
    onChange={(event) => {
      onFiles([...(event.target.files ?? [])]);
      event.target.value = '';
    }}
  />
);
