import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Photo } from './art/photo.tsx';
import { IconButton } from './controls/button.tsx';
import { Sheet } from './overlays/sheet.tsx';
import './photo-grid.css';

export function PhotoGrid({ urls }: { urls: readonly string[] }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const count = urls.length;
  const numbered = (index: number) => t`Photo ${index + 1} of ${count}`;
  return (
    <>
      <ul className="photo-grid">
        {urls.map((url, index) => (
          <li key={url}>
            <button
              type="button"
              onClick={() => {
                setAt(index);
                setOpen(true);
              }}
            >
              <Photo className="photo-small" src={url} alt={numbered(index)} />
            </button>
          </li>
        ))}
      </ul>
      <Sheet open={open} onClose={() => setOpen(false)} title={numbered(at)}>
        <Photo className="photo-large" src={urls[at] ?? ''} alt="" />
        {count > 1 ? (
          <div className="row mt3">
            <IconButton
              icon="caret-left"
              flip
              label={t`Previous photo`}
              disabled={at === 0}
              onClick={() => setAt(at - 1)}
            />
            <span className="grow" />
            <IconButton
              icon="caret-right"
              flip
              label={t`Next photo`}
              disabled={at === count - 1}
              onClick={() => setAt(at + 1)}
            />
          </div>
        ) : null}
      </Sheet>
    </>
  );
}
