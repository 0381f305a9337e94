/** The code of the invite link that was opened on this device, until an account claims it. */
const key = 'nearhand-invite';

/** Stores the code of an address with `?ref=`; anything else changes nothing. */
export function keepInviteCode(search: string): void {
  const code = new URLSearchParams(search).get('ref');
  try {
    if (code && /^[\w-]{1,20}$/.test(code)) localStorage.setItem(key, code);
  } catch {
    // Without storage the person can still sign up.
  }
}

export function inviteCode(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function dropInviteCode(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then nothing was stored.
  }
}
