import { useNavigate } from 'react-router';

export const replaceBack = { replace: true, state: { motion: 'back' } } as const;
export const replaceForward = { replace: true, state: { motion: 'forward' } } as const;

/** The index of the current history entry, counted from where the app was opened. React Router stores it there. */
export function historyIndex(): number | undefined {
  const index: unknown = (globalThis.history?.state as { idx?: unknown } | null)?.idx;
  return typeof index === 'number' ? index : undefined;
}

export const canGoBack = (): boolean => (historyIndex() ?? 0) > 0;

/** Goes back, or to `fallback` if the app was opened on this page. */
export function useGoBack(fallback: string): () => void {
  const navigate = useNavigate();
  return () => (canGoBack() ? navigate(-1) : navigate(fallback, replaceBack));
}
