import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate } from 'react-router';
import {
  askPhone,
  lockAfterMs,
  lockApp,
  openApp,
  releaseSession,
  useLocked,
} from '../../lib/native/app-lock.ts';
import { useUser } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { Mark } from '../../ui/art/mark.tsx';
import { Button } from '../../ui/controls/button.tsx';
import './app-lock.css';

/**
 * Covers the app while it is locked (ADR 218), and locks it after five minutes in the background. Mounted in
 * the native shell only.
 */
export default function AppLock() {
  const locked = useLocked();
  useLockedAfterAbsence();
  useHiddenApp(locked);
  const isSignedIn = useUser() !== null;
  useEffect(() => {
    if (!isSignedIn) openApp();
  }, [isSignedIn]);
  return locked ? createPortal(<LockScreen />, document.body) : null;
}

function useLockedAfterAbsence(): void {
  useEffect(() => {
    let since: number | null = null;
    const follow = () => {
      if (document.hidden) since = Date.now();
      else if (since !== null && Date.now() - since >= lockAfterMs) lockApp();
    };
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, []);
}

function useHiddenApp(locked: boolean): void {
  useEffect(() => {
    const root = document.getElementById('root');
    if (!root) return;
    root.inert = locked;
    document.documentElement.toggleAttribute('data-locked', locked);
  }, [locked]);
}

function LockScreen() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState(false);

  const unlock = async () => {
    setBusy(true);
    setRefused(false);
    const isLetIn = await askPhone({
      reason: t`Unlock Nearhand`,
      title: t`Unlock Nearhand`,
      cancel: t`Cancel`,
    });
    setBusy(false);
    if (isLetIn) openApp();
    else setRefused(true);
  };
  const logInInstead = async () => {
    setBusy(true);
    releaseSession();
    // Offline, the session still ends on this phone.
    await signOut(() => navigate('/login')).catch(() => {});
    openApp();
  };

  const first = useRef(unlock);
  useEffect(() => void first.current(), []);
  return (
    <main className="app-lock">
      <Mark />
      <h1 className="h-m">{t`Nearhand is locked`}</h1>
      <p className="mute" role="status">
        {refused ? t`That didn't work. Try again, or log in with your password.` : null}
      </p>
      <div className="col app-lock-acts">
        <Button kind="ink" full busy={busy} needsNetwork={false} onClick={() => void unlock()}>
          {t`Unlock`}
        </Button>
        <Button kind="text" full disabled={busy} onClick={() => void logInInstead()}>
          {t`Log in with your password`}
        </Button>
      </div>
    </main>
  );
}
