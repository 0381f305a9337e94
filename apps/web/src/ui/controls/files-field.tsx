import { useLingui } from '@lingui/react/macro';
import { bytesAllowed, looksAccepted, pickableTypes } from '@nearhand/contract/people/files.rules';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { useRef, useState } from 'react';
import { pictureProblem } from '../../lib/forms/picture.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../art/icon.tsx';
import { Button, IconButton } from './button.tsx';
import { FileInput } from './file-input.tsx';

type ChosenPurpose = 'ticket' | 'report';

/**
 * Uploads a file; the key lets a repeat store it once.
 * @throws ApiError
 */
type Upload = (upload: {
  purpose: ChosenPurpose;
  file: File;
  name: string;
  idempotencyKey: string;
}) => Promise<{ id: string }>;

/** A chosen file; once uploaded it has its id, so that a retry does not send it again. */
type Chosen = { key: string; file: File; stored: { id: string } | null };

type Choice = { list: readonly Chosen[]; problem: string | null };

/** The files chosen for a request or a report, and their upload when it is sent. */
export function useChosenFiles(purpose: ChosenPurpose, upload: Upload) {
  const { t } = useLingui();
  const [{ list, problem }, setChoice] = useState<Choice>({ list: [], problem: null });
  const maxSize = formatBytes(bytesAllowed(purpose));
  const problemOf = (file: File): string | null => {
    if (!looksAccepted(purpose, file))
      return t`${file.name} can't be sent. Send a JPEG, PNG, WebP, AVIF or GIF image, a PDF or a Word file.`;
    if (file.size > bytesAllowed(purpose)) return t`${file.name} is larger than ${maxSize}.`;
    return file.size === 0 ? t`${file.name} is empty.` : null;
  };
  return {
    purpose,
    list,
    problem,
    add: async (files: readonly File[]) => {
      const problems = await Promise.all(
        files.map(async (file) => {
          const fileProblem = problemOf(file) === null ? await pictureProblem(file) : undefined;
          return fileProblem ? `${file.name}: ${fileProblem}` : problemOf(file);
        }),
      );
      const fileProblem = problems.find((text) => text !== null) ?? null;
      const added = files
        .filter((_file, at) => problems[at] === null)
        .map((file) => ({ key: crypto.randomUUID(), file, stored: null }));
      const tooMany = t`You can add up to ${ticketLimits.filesMax} files. We left out the rest.`;
      setChoice((before) => {
        const room = ticketLimits.filesMax - before.list.length;
        return {
          list: [...before.list, ...added.slice(0, room)],
          problem: added.length > room ? tooMany : fileProblem,
        };
      });
    },
    remove: (key: string) =>
      setChoice((before) => ({ list: before.list.filter((entry) => entry.key !== key), problem: null })),
    clear: () => setChoice({ list: [], problem: null }),
    /**
     * Uploads the remaining files and returns the ids.
     * @throws ApiError
     */
    upload: async (): Promise<string[]> => {
      const uploadedFiles: Chosen[] = [];
      for (const entry of list) {
        const file =
          entry.stored ??
          (await upload({
            purpose,
            file: entry.file,
            name: entry.file.name,
            idempotencyKey: entry.key,
          }));
        uploadedFiles.push({ ...entry, stored: file });
        setChoice((before) => ({
          ...before,
          list: before.list.map((item) => (item.key === entry.key ? { ...item, stored: file } : item)),
        }));
      }
      return uploadedFiles.flatMap(({ stored }) => stored?.id ?? []);
    },
  };
}

export type ChosenFiles = ReturnType<typeof useChosenFiles>;

export function FilesField({ files }: { files: ChosenFiles }) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const { list, problem, purpose } = files;
  return (
    <fieldset className="choices">
      <legend className="flabel">
        {t`Photos and files`}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </legend>
      <FileInput ref={input} multiple accept={pickableTypes(purpose)} onFiles={files.add} />
      {list.length > 0 ? (
        <ul className="col g2">
          {list.map(({ key, file }) => (
            <li key={key} className="card row">
              <Icon name="paperclip" />
              <span className="grow break" dir="auto">
                {file.name} <span className="sm mute">{formatBytes(file.size)}</span>
              </span>
              <IconButton icon="x" label={t`Remove ${file.name}`} onClick={() => files.remove(key)} />
            </li>
          ))}
        </ul>
      ) : null}
      {list.length < ticketLimits.filesMax ? (
        <Button kind="out" icon="paperclip" className="mt2" onClick={() => input.current?.click()}>
          {t`Add photos or files`}
        </Button>
      ) : null}
      <p className="help">
        {t`Up to ${ticketLimits.filesMax}: images, PDF or Word, ${formatBytes(bytesAllowed(purpose))} each`}
      </p>
      {problem ? (
        <p className="help err" role="alert">
          <Icon name="warning-circle" />
          {problem}
        </p>
      ) : null}
    </fieldset>
  );
}
