import type { ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';

/** A full-window page without a bar: splash, welcome and error pages. */
export function BareScreen({
  title,
  still = false,
  children,
}: {
  /** The browser title. Pages that redirect soon leave it unchanged. */
  title?: string;
  /** Disables scrolling. */
  still?: boolean;
  children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <div className="screen">
      <main className={still ? 'screen-main still' : 'screen-main'} tabIndex={still ? undefined : 0}>
        {children}
      </main>
    </div>
  );
}
