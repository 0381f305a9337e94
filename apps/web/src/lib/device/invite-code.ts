import { createStore } from '../store.ts';
import { readStored, writeStored } from './stored.ts';

/** The code of an opened invite link, until an account claims it. */
const key = 'nearhand-invite';

/** Stores the inviter's code of a shared link until the visitor signs up. */
export function storeInviteCode(search: string): void {
  const code = new URLSearchParams(search).get('ref');
  if (code && /^[\w-]{1,20}$/.test(code)) writeStored(key, code);
}

export const inviteCode = (): string | null => readStored(key);

export function dropInviteCode(): void {
  showInviter('');
  writeStored(key, null);
}

const inviter = createStore('');

export const showInviter = (firstName: string): void => inviter.set(firstName);

export const useInviter = inviter.useValue;
