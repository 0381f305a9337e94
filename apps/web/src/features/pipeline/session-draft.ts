import { useState } from 'react';
import { session } from '../../lib/session.ts';

const drafts = new Map<string, string>();

/**
 * Words about somebody else that were typed and not sent. They outlive the panel or sheet they were typed in, but not the page: what a merchant
 * writes of other people stays off the device (ADR 0024).
 */
export function useSessionDraft(name: string): [string, (text: string) => void] {
  const key = `${session.user()?.id ?? 'guest'} ${name}`;
  const [, render] = useState(0);
  const set = (text: string) => {
    if (text === '') drafts.delete(key);
    else drafts.set(key, text);
    render((count) => count + 1);
  };
  return [drafts.get(key) ?? '', set];
}
