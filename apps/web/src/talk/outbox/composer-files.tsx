import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { bytesAllowed, looksAccepted } from '@nearhand/contract/people/files.rules';
import { talkLimits } from '@nearhand/contract/talk/limits';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { deviceStore } from '../../lib/device/indexed-db-store.ts';
import { pictureProblem, withoutHeic } from '../../lib/forms/picture.ts';
import { session } from '../../lib/session.ts';
import { formatBytes, joined } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { fileIcon, isPicture } from './message-files.tsx';

type ComposerFile = { id: string; file: File; isChecked: boolean };
export type ComposerFiles = {
  list: readonly ComposerFile[];
  problem: string | null;
  add: (files: readonly File[]) => Promise<void>;
  remove: (id: string) => void;
  clear: () => void;
};

/** The reason why these files can't be sent, checked beforehand; null if they can. */
export function fileProblem(count: number, file: Pick<File, 'name' | 'size' | 'type'>): string | null {
  const { name } = file;
  if (count >= talkLimits.chatFilesMax)
    return t`A message can have ${talkLimits.chatFilesMax} files. Send the rest in another message.`;
  if (!looksAccepted('chat', file))
    return t`${name} can't be sent. Send a JPEG, PNG, WebP, AVIF or GIF image, a PDF or a Word file.`;
  const maxSize = formatBytes(bytesAllowed('chat'));
  if (file.size > bytesAllowed('chat'))
    return t`${name} is larger than ${maxSize}. Make it smaller or send a link.`;
  if (file.size === 0) return t`${name} is empty.`;
  return null;
}

const filesKey = (conversationId: string) => `chat-chosen ${session.user()?.id ?? 'guest'} ${conversationId}`;

/** The stored files of the message being written; none without storage. */
const storedFiles = (conversationId: string) => ({
  queryKey: ['chat-files', filesKey(conversationId)],
  queryFn: () =>
    deviceStore.get<readonly File[]>(filesKey(conversationId)).then(
      (files) => files ?? [],
      () => [],
    ),
  ...neverPersist,
  networkMode: 'always' as const,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The names of the files of an unsent message, for its conversation in the list; '' without files. */
export const useDraftFileNames = (conversationId: string): string =>
  joined(...(useQuery(storedFiles(conversationId)).data ?? []).map(({ name }) => name));

function storeFiles(conversationId: string, files: readonly File[]): void {
  const { queryKey } = storedFiles(conversationId);
  const before = queryClient.getQueryData<readonly File[]>(queryKey) ?? [];
  if (files.length === before.length && files.every((file, index) => file === before[index])) return;
  queryClient.setQueryData(queryKey, files);
  const key = filesKey(conversationId);
  // Without storage they last as long as the page.
  void (files.length > 0 ? deviceStore.set(key, files) : deviceStore.del(key)).catch(() => {});
}

/**
 * The files of the message being written. The device stores them like its text, until it is sent or the person
 * signs out; each only once it was checked.
 */
export function useComposerFiles(conversationId: string): ComposerFiles {
  const [list, setList] = useState<readonly ComposerFile[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isRestored, setRestored] = useState(false);
  useEffect(() => {
    let unmounted = false;
    void queryClient.ensureQueryData(storedFiles(conversationId)).then((files) => {
      if (unmounted) return;
      const restored = files.map((file) => ({ id: crypto.randomUUID(), file, isChecked: true }));
      // Files added before the device answered come after them.
      setList((before) => [...restored, ...before].slice(0, talkLimits.chatFilesMax));
      setRestored(true);
    });
    return () => {
      unmounted = true;
    };
  }, [conversationId]);
  useEffect(() => {
    if (!isRestored) return;
    const checkedFiles = list.filter(({ isChecked }) => isChecked).map(({ file }) => file);
    storeFiles(conversationId, checkedFiles);
  }, [conversationId, list, isRestored]);
  return {
    list,
    problem,
    add: async (files) => {
      let wrong: string | null = null;
      const accepted: ComposerFile[] = [];
      for (const file of files) {
        const reason = fileProblem(list.length + accepted.length, file);
        if (reason === null) accepted.push({ id: crypto.randomUUID(), file, isChecked: false });
        else wrong ??= reason;
      }
      setProblem(wrong);
      setList((before) => [...before, ...accepted].slice(0, talkLimits.chatFilesMax));
      for (const { id, file } of accepted) {
        const fileProblem = await pictureProblem(file);
        if (fileProblem) setProblem(`${file.name}: ${fileProblem}`);
        setList((before) =>
          fileProblem
            ? before.filter((entry) => entry.id !== id)
            : before.map((entry) => (entry.id === id ? { ...entry, isChecked: true } : entry)),
        );
      }
    },
    remove: (id) => {
      setProblem(null);
      setList((before) => before.filter((entry) => entry.id !== id));
    },
    clear: () => {
      setProblem(null);
      setList([]);
    },
  };
}

/** Accepts files dropped anywhere on the conversation: a near miss would make the browser leave the app. */
export function useFilesDropped(
  form: RefObject<HTMLElement | null>,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const [isHolding, setHolding] = useState(false);
  const newest = useRef(onFiles);
  newest.current = onFiles;
  useEffect(() => {
    const room = form.current?.closest<HTMLElement>('.chat-room');
    if (!room) return;
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setHolding(true);
    };
    const leave = (event: DragEvent) => {
      if (!room.contains(event.relatedTarget as Node | null)) setHolding(false);
    };
    const drop = (event: DragEvent) => {
      setHolding(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      void Promise.all(files.map(withoutHeic)).then((ready) => newest.current(ready));
    };
    room.addEventListener('dragover', over);
    room.addEventListener('dragleave', leave);
    room.addEventListener('drop', drop);
    return () => {
      room.removeEventListener('dragover', over);
      room.removeEventListener('dragleave', leave);
      room.removeEventListener('drop', drop);
    };
  }, [form]);
  return isHolding;
}

export function FilePreviews({ files }: { files: ComposerFiles }) {
  const { t } = useLingui();
  if (files.list.length === 0) return null;
  return (
    <ul className="chat-previews" aria-label={t`Files of this message`}>
      {files.list.map(({ id, file }) => (
        <li key={id} className="chat-preview">
          <Preview file={file} />
          <button
            type="button"
            className="ib"
            aria-label={t`Remove ${file.name}`}
            onClick={() => files.remove(id)}
          >
            <Icon name="x" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Preview({ file }: { file: File }) {
  const image = useRef<HTMLImageElement>(null);
  const picture = isPicture(file.type);
  useEffect(() => {
    if (!picture || !image.current) return;
    const address = URL.createObjectURL(file);
    image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [file, picture]);
  return picture ? (
    <img ref={image} alt={file.name} />
  ) : (
    <>
      <Icon name={fileIcon(file.type)} />
      <span className="clip xs" dir="auto">
        {file.name}
      </span>
    </>
  );
}
