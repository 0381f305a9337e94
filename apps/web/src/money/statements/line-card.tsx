import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { useWide } from '../../ui/pages/wide.ts';

/** The open entry: next to the lines on a desktop, a sheet on a phone. */
export function LineCard({
  open,
  onClose,
  children,
}: {
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useLingui();
  const wide = useWide();
  if (!wide)
    return (
      <Sheet open={open} onClose={onClose} title={t`Entry`}>
        {open ? children : null}
      </Sheet>
    );
  return open ? (
    <aside
      className="card p5 statement-line"
      aria-label={t`Selected entry`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <span className="statement-close">
        <IconButton icon="x" label={t`Close`} onClick={onClose} />
      </span>
      {children}
    </aside>
  ) : null;
}
