import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { closeLayersOnBrowserBack } from '../../lib/pages/back-button.ts';
import { historyIndex } from '../../lib/pages/go-back.ts';

/** The browser's Back: closes the top layer, otherwise goes back. */
export function BrowserBack() {
  const { key } = useLocation();
  const shown = useRef({ key, index: historyIndex() });
  useLayoutEffect(() => {
    shown.current = { key, index: historyIndex() };
  }, [key]);
  // A layout effect, which runs before that of the router around it: window listeners run in the order they were added.
  useLayoutEffect(() => closeLayersOnBrowserBack(() => shown.current.index), []);
  return null;
}
