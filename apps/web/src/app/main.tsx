import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/controls/forms.css';
import '../ui/parts.css';
import '../ui/lists.css';
import '../ui/overlays/overlays.css';
import '../ui/pages/screen.css';
import './shell/shell.css';
import './splash.css';
import { i18n } from '@lingui/core';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { registerAuth, restoreSession } from '../lib/api/auth-provider.ts';
import { createSessionManager } from '../lib/api/session-refresh.ts';
import { appearance, applyAppearance, clock, language, units } from '../lib/device/device-setting.ts';
import { storeInviteCode } from '../lib/device/invite-code.ts';
import { whenIdle } from '../lib/pages/load-part.ts';
import { startRealtime } from '../lib/realtime/realtime.ts';
import { whenSignedIn } from '../lib/session.ts';
import { applyLinkLanguage, loadLocale } from '../lib/words/locale.ts';
import { createChosenAuth } from '../people/firebase-sign-in/chosen-auth.ts';
import { createBuiltInAuth } from '../people/sign-in/built-in-auth.ts';
import { App } from './app.tsx';
import { loadWhatLinksPointAt } from './prefetch.ts';
import { applyMotionStyle } from './stack/page-motion.ts';

storeInviteCode(globalThis.location.search);
applyLinkLanguage(globalThis.location.search);
applyAppearance();
appearance.subscribe(applyAppearance);
applyMotionStyle();
for (const setting of [clock, units]) setting.subscribe(() => i18n.activate(i18n.locale));

language.subscribe(() => void loadLocale());

const session = createSessionManager();
session.atExpiry(() => void import('./start-sync.ts').then(({ alertSignedOut }) => alertSignedOut()));
registerAuth(createChosenAuth(session, createBuiltInAuth(session)));
restoreSession().catch(() => {});
whenSignedIn()
  .then(whenIdle)
  .then(() => import('./start-sync.ts'))
  .then(
    ({ startSync }) => startSync(),
    // Offline: sign-up data and settings stay on the device until the next start.
    () => {},
  );
loadWhatLinksPointAt();
startRealtime(() => import('../lib/realtime/realtime-start.ts'));

const root = document.getElementById('root');
// A transition renders in short steps, so the prerendered page stays scrollable in between.
if (root) void loadLocale().then(() => startTransition(() => createRoot(root).render(<App />)));
