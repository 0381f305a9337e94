import type { ReactNode } from 'react';
import { useDocumentTitle } from './document-title.ts';

export function BareScreen({
  title,
  still = false,
  children,
}: {
  /** The browser title. Pages that redirect soon leave it unchanged. */
  title?: string;
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
