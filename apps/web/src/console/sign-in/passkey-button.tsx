import { isCancelled } from '../../lib/api/auth-provider.ts';
import { signWithPasskey } from '../../lib/device/passkey.ts';
import { passkeysWork } from '../../lib/device/platform.ts';
import { Button } from '../../ui/controls/button.tsx';
import { api } from '../console-api.ts';
import { consoleAuth } from '../console-auth.ts';

type PasskeyProps = {
  action: string;
  main?: boolean;
  busy: boolean;
  onUse: () => void;
};

export function PasskeyButton({ action, main = false, busy, onUse }: PasskeyProps) {
  if (!passkeysWork()) return null;
  return (
    <Button kind={main ? 'go' : 'out'} full icon="key" busy={busy} onClick={onUse}>
      {action}
    </Button>
  );
}

/**
 * Runs a passkey request; cancelling it is not a failure.
 * @returns whether a passkey was used
 */
export async function unlessCancelled(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (failure) {
    if (isCancelled(failure)) return false;
    throw failure;
  }
}

/**
 * Confirms this session's second factor with a passkey.
 * @throws AuthError, ApiError
 */
export async function confirmOperatorByPasskey(): Promise<void> {
  await api.passkeys.confirm({ answer: await signWithPasskey(await api.passkeys.startConfirming()) });
  // The server caches the old token's session for seconds.
  await consoleAuth.renew();
}
