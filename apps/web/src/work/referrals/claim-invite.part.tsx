import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { dropInviteCode, inviteCode, keepInviteCode } from '../../lib/device/invite-code.ts';
import { useUser } from '../../lib/session.ts';
import { showToast } from '../../ui/overlays/toast.tsx';

let running = false;

/** Says who invited this person as soon as there is an account, verified or not (ADR 155). Shows nothing itself. */
export default function ClaimInvite() {
  const { t } = useLingui();
  const { search } = useLocation();
  const userId = useUser()?.id;
  useEffect(() => {
    // Links also arrive while the app is open, on a phone.
    keepInviteCode(search);
    if (!userId) return;
    const claim = async () => {
      const code = inviteCode();
      if (code === null || running) return;
      running = true;
      try {
        const { inviterFirstName: name } = await api.referrals.claim({ code });
        dropInviteCode();
        showToast(
          name ? t`${name} invited you. You're both in line for a reward.` : t`Your invite code is saved.`,
        );
      } catch (error) {
        // A code that doesn't count for this account needs no message; without a connection it is sent later.
        if (!isNetworkError(error)) dropInviteCode();
      } finally {
        running = false;
      }
    };
    const online = () => void claim();
    online();
    globalThis.addEventListener('online', online);
    return () => globalThis.removeEventListener('online', online);
  }, [search, userId, t]);
  return null;
}
