import type { StoredFile } from '@nearhand/contract/people/files';
import { pdf } from '@nearhand/contract/people/files.rules';
import { type SyntheticEvent, useEffect, useId, useState } from 'react';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** Factors of the size at which the whole picture is visible. */
const zooms = [1, 1.5, 2, 3, 4] as const;

const isPdf = ({ mediaType }: Pick<StoredFile, 'mediaType'>): boolean => mediaType === pdf;

/** True for files that the dialog can show: pictures and PDFs. Others are downloaded. */
export const isViewable = (file: Pick<StoredFile, 'mediaType'>): boolean =>
  isPdf(file) || file.mediaType.startsWith('image/');

export type ViewedFile = Pick<StoredFile, 'name' | 'mediaType'> & { blob: Blob };

/**
 * Shows a private file over its case, pictures with zoom; a PDF has the browser's own. The content is dropped when the
 * dialog closes. `mayDownload`: false for photos of identity documents, which stay on the page (ADR 183).
 */
export function FileViewer({
  file,
  mayDownload = true,
  onClose,
}: {
  file: ViewedFile | null;
  mayDownload?: boolean;
  onClose: () => void;
}) {
  const titleId = useId();
  return (
    <Dialog open={file !== null} onClose={onClose} className="c-viewer" labelledBy={titleId}>
      {file ? (
        <OpenFile key={file.name} file={file} titleId={titleId} mayDownload={mayDownload} onClose={onClose} />
      ) : null}
    </Dialog>
  );
}

type Size = { width: number; height: number };

/** The size of a picture that fits its pane, times a factor. Turning it moves only its pixels, so margins make room. */
export function pictureStyle(
  { picture, pane }: { picture: Size; pane: Size },
  { factor, quarterTurns }: { factor: number; quarterTurns: number },
) {
  const liesAcross = quarterTurns % 2 === 1;
  const [across, down] = liesAcross ? [picture.height, picture.width] : [picture.width, picture.height];
  const scale = Math.min(pane.width / across, pane.height / down) * factor;
  const width = Math.floor(picture.width * scale);
  const height = Math.floor(picture.height * scale);
  const shift = liesAcross ? (height - width) / 2 : 0;
  const toCenter = Math.max(0, (pane.width - (liesAcross ? height : width)) / 2);
  return {
    inlineSize: `${width}px`,
    rotate: `${-90 * quarterTurns}deg`,
    margin: `${-shift}px ${shift + toCenter}px`,
  };
}

type OpenFileProps = { file: ViewedFile; titleId: string; mayDownload: boolean; onClose: () => void };

function OpenFile({ file, titleId, mayDownload, onClose }: OpenFileProps) {
  const [address, setAddress] = useState<string | null>(null);
  const [zoom, setZoom] = useState(0);
  const [quarterTurns, setQuarterTurns] = useState(0);
  const [fitted, setFitted] = useState<{ picture: Size; pane: Size } | null>(null);
  useEffect(() => {
    const url = URL.createObjectURL(file.blob);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [file.blob]);
  const fit = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => {
    const pane = currentTarget.parentElement;
    const { naturalWidth, naturalHeight } = currentTarget;
    if (!pane || naturalHeight === 0) return;
    setFitted({
      picture: { width: naturalWidth, height: naturalHeight },
      pane: { width: pane.clientWidth, height: pane.clientHeight },
    });
  };
  const factor = zooms[zoom] ?? 1;
  return (
    <>
      <div className="row g2 c-viewer-head">
        <h2 className="h-s grow break" id={titleId} dir="auto">
          {file.name}
        </h2>
        {isPdf(file) ? null : (
          <>
            <IconButton
              icon="arrow-counter-clockwise"
              label="Turn left"
              onClick={() => setQuarterTurns((quarterTurns + 1) % 4)}
            />
            <IconButton
              icon="minus"
              label="Zoom out"
              disabled={zoom === 0}
              onClick={() => setZoom(zoom - 1)}
            />
            <span className="sm num" role="status">
              {factor * 100}%
            </span>
            <IconButton
              icon="plus"
              label="Zoom in"
              disabled={zoom === zooms.length - 1}
              onClick={() => setZoom(zoom + 1)}
            />
          </>
        )}
        {mayDownload ? (
          <Button kind="out" size="s" icon="download-simple" onClick={() => saveBlob(file.blob, file.name)}>
            Download
          </Button>
        ) : null}
        <IconButton icon="x" label="Close" onClick={onClose} />
      </div>
      {address === null ? null : isPdf(file) ? (
        <iframe className="c-viewer-pane" src={address} title={file.name} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a zoomed picture scrolls with the keyboard.
        <section className="c-viewer-pane" aria-label="Picture" tabIndex={0}>
          <img
            src={address}
            alt={file.name}
            onLoad={fit}
            style={fitted === null ? undefined : pictureStyle(fitted, { factor, quarterTurns })}
          />
        </section>
      )}
    </>
  );
}
