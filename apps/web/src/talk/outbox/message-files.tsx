import { useLingui } from '@lingui/react/macro';
import type { StoredFile } from '@nearhand/contract/people/files';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useOnline } from '../../lib/device/online.ts';
import { readStoredFile, saveStoredFile } from '../../lib/forms/stored-file.ts';
import { formatBytes } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import type { IconName } from '../../ui/art/icon-names.ts';
import { MissingPhoto } from '../../ui/art/photo.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { outgoingFile } from './outbox.api.ts';
import type { Outgoing } from './outbox.rules.ts';

export const isPicture = (mediaType: string): boolean => /^image\/(jpeg|png|webp)$/.test(mediaType);

export const fileIcon = (mediaType: string): IconName => {
  if (mediaType === 'application/pdf') return 'file-pdf';
  return isPicture(mediaType) ? 'image' : 'file-doc';
};

/** Object URLs of private pictures by path: fetched once with the access token, however often a list re-renders. */
const addresses = new Map<string, string>();
const thumbnailsMax = 60;

function cacheAddress(path: string, address: string): void {
  addresses.set(path, address);
  const oldest = addresses.size > thumbnailsMax ? addresses.entries().next().value : undefined;
  if (!oldest) return;
  addresses.delete(oldest[0]);
  URL.revokeObjectURL(oldest[1]);
}

type PictureState = { address: string | null; failed: boolean; attempt: number };

/** A private picture; a failed one is retried when the network is back. */
function usePicture(path: string): PictureState {
  const online = useOnline();
  /** Counts returns of the network: an attempt that began before the last one may fail after it. */
  const returns = useRef(0);
  const [state, set] = useState<PictureState>(() => ({
    address: addresses.get(path) ?? null,
    failed: false,
    attempt: 1,
  }));
  useEffect(() => {
    if (!online) return;
    returns.current += 1;
    set((before) => (before.failed ? { ...before, failed: false, attempt: before.attempt + 1 } : before));
  }, [online]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetches again with each attempt.
  useEffect(() => {
    const cached = addresses.get(path);
    const show = (address: string | null) =>
      set((before) => ({ ...before, address, failed: address === null }));
    if (cached) {
      show(cached);
      return;
    }
    let unmounted = false;
    const returnsAtStart = returns.current;
    readStoredFile(path).then(
      (blob) => {
        const address = URL.createObjectURL(blob);
        cacheAddress(path, address);
        if (!unmounted) show(address);
      },
      () => {
        if (unmounted) return;
        if (returns.current === returnsAtStart) show(null);
        else set((before) => ({ ...before, attempt: before.attempt + 1 }));
      },
    );
    return () => {
      unmounted = true;
    };
  }, [path, state.attempt]);
  return state;
}

const save = (file: StoredFile) =>
  saveStoredFile(file).catch((error: unknown) => showToast(errorText(error)));

export function MessageFiles({
  files,
  from,
  onPhoto,
}: {
  files: readonly StoredFile[];
  from: string;
  onPhoto: (file: StoredFile, from: string) => void;
}) {
  const pictures = files.filter(({ mediaType }) => isPicture(mediaType));
  const documents = files.filter(({ mediaType }) => !isPicture(mediaType));
  return (
    <>
      {pictures.length > 0 ? (
        <div className={pictures.length > 1 ? 'chat-pics many' : 'chat-pics'}>
          {pictures.map((file) => (
            <Picture key={file.id} file={file} from={from} onOpen={() => onPhoto(file, from)} />
          ))}
        </div>
      ) : null}
      {documents.map((file) => (
        <FileRow key={file.id} file={file} />
      ))}
    </>
  );
}

function Picture({ file, from, onOpen }: { file: StoredFile; from: string; onOpen: () => void }) {
  const { t } = useLingui();
  const { address, failed } = usePicture(file.path);
  return (
    <button
      type="button"
      className="chat-pic"
      aria-label={
        failed ? t`Photo ${file.name} couldn't be loaded` : t`Open the photo from ${from}: ${file.name}`
      }
      onClick={onOpen}
    >
      {address ? (
        <img src={address} alt="" />
      ) : failed ? (
        <MissingPhoto className="chat-pic-missing" />
      ) : (
        <Icon name="image" />
      )}
    </button>
  );
}

function FileRow({ file }: { file: StoredFile }) {
  const { t } = useLingui();
  return (
    <PlainButton
      className="chat-file"
      aria-label={t`Save ${file.name}`}
      needsNetwork
      onClick={() => void save(file)}
    >
      <Icon name={fileIcon(file.mediaType)} />
      <span className="grow">
        <span className="block strong break" dir="auto">
          {file.name}
        </span>
        <span className="block xs">{formatBytes(file.bytes)}</span>
      </span>
      <Icon name="download-simple" />
    </PlainButton>
  );
}

/**
 * A photo over the whole window. Rendered outside its message, which unmounts when the list scrolls to a new
 * one.
 */
export function PhotoViewer({
  file,
  from,
  onClose,
}: {
  file: StoredFile;
  from: string;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { address, failed } = usePicture(file.path);
  return (
    <Dialog open onClose={onClose} className="chat-viewer" label={t`Photo from ${from}`}>
      <div className="row chat-viewer-bar">
        <span className="grow clip" dir="auto">
          {file.name}
        </span>
        <IconButton
          icon="download-simple"
          label={t`Save ${file.name}`}
          needsNetwork
          onClick={() => void save(file)}
        />
        <IconButton icon="x" label={t`Close`} onClick={onClose} />
      </div>
      {address ? (
        <img src={address} alt={t`${file.name}, from ${from}`} />
      ) : failed ? (
        <MissingPhoto className="chat-pic-missing" alt={t`${file.name}, from ${from}`} />
      ) : (
        <span className="spin" />
      )}
    </Dialog>
  );
}

export function OutgoingFiles({ entry }: { entry: Outgoing }) {
  return (
    <>
      {entry.files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message's files never change their order.
        <OutgoingFile key={index} entry={entry} index={index} file={file} />
      ))}
    </>
  );
}

function OutgoingFile({
  entry,
  index,
  file,
}: {
  entry: Outgoing;
  index: number;
  file: Outgoing['files'][number];
}) {
  const [address, setAddress] = useState<string | null>(null);
  const picture = isPicture(file.mediaType);
  useEffect(() => {
    if (!picture) return;
    let url: string | null = null;
    let unmounted = false;
    void outgoingFile(entry.clientId, index).then((blob) => {
      if (blob === null || unmounted) return;
      url = URL.createObjectURL(blob);
      setAddress(url);
    });
    return () => {
      unmounted = true;
      if (url) URL.revokeObjectURL(url);
    };
  }, [entry.clientId, index, picture]);
  if (address)
    return (
      <div className="chat-pics">
        <span className="chat-pic">
          <img src={address} alt={file.name} />
        </span>
      </div>
    );
  return (
    <span className="chat-file">
      <Icon name={fileIcon(file.mediaType)} />
      <span className="grow">
        <span className="block strong break" dir="auto">
          {file.name}
        </span>
        <span className="block xs">{formatBytes(file.bytes)}</span>
      </span>
    </span>
  );
}
