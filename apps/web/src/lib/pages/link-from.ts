import { useLocation } from 'react-router';

export function useLinkFrom(): { from: string; query: string } {
  const { search } = useLocation();
  const from = new URLSearchParams(search).get('from') ?? '';
  if (!/^\/(?!\/)/.test(from)) return { from: '', query: '' };
  return { from, query: `?from=${encodeURIComponent(from)}` };
}
