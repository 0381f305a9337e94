import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { dropInviteCode, inviteCode, showInviter, storeInviteCode } from '../../lib/device/invite-code.ts';
import { onBackOnline } from '../../lib/device/online.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { claimedText } from './referral.labels.ts';

let running = false;
const firstRetryMs = 1_000;

/** Returns true if the code is permanently invalid; any other failure keeps it for a retry. */
const isRefusal = (error: unknown): boolean =>
  isApiError(
    error,
    'referral/unknown-code',
    'referral/own-code',
    'referral/too-late',
    'referral/claimed',
    'request/invalid',
  );

async function introduce(code: string): Promise<void> {
  try {
    showInviter((await api.referrals.invitation({ code })).firstName);
  } catch (error) {
    if (isRefusal(error)) dropInviteCode();
  }
}

/** Shows guests who invited them, and claims the code once there is an account, verified or not (ADR 155). */
export default function ClaimInvite() {
  const { search } = useLocation();
  const userId = useUser()?.id;
  useEffect(() => {
    // On a phone, links also arrive while the app is open.
    storeInviteCode(search);
    if (!userId) {
      const code = inviteCode();
      if (code !== null) void introduce(code);
      return;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retryMs = firstRetryMs;
    const claim = async () => {
      const code = inviteCode();
      if (code === null || running) return;
      running = true;
      try {
        const { inviterFirstName: name } = await api.referrals.claim({ code });
        dropInviteCode();
        showToast(claimedText(name));
      } catch (error) {
        if (isRefusal(error)) dropInviteCode();
        else {
          timer = setTimeout(online, retryMs);
          retryMs *= 2;
        }
      } finally {
        running = false;
      }
    };
    const online = () => void claim();
    online();
    const stop = onBackOnline(online);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [search, userId]);
  return null;
}
