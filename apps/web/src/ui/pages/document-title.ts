import { useEffect } from 'react';

/** Sets the browser title while the page is shown. The title may change once the page has loaded its record. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Nearhand`;
  }, [title]);
}
