import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/controls/forms.css';
import '../ui/parts.css';
import '../ui/overlays/overlays.css';
import '../ui/pages/screen.css';
import './shell/shell.css';
import './splash.css';
import { i18n } from '@lingui/core';
import { createRoot } from 'react-dom/client';
import { registerAuth, restored } from '../lib/api/auth-port.ts';
import { appearance, applyAppearance, clock, units } from '../lib/device/device-setting.ts';
import { keepInviteCode } from '../lib/device/invite-code.ts';
import { startRealtime } from '../lib/realtime/realtime.ts';
import { loadLocale } from '../lib/words/locale.ts';
import { createBuiltInAuth } from '../people/sign-in/built-in-auth.ts';
import { App } from './app.tsx';
import { applyMotionStyle } from './stack/page-motion.ts';

keepInviteCode(globalThis.location.search);
applyAppearance();
appearance.subscribe(applyAppearance);
applyMotionStyle();
// Everything on screen is written again in the new format.
for (const setting of [clock, units]) setting.subscribe(() => i18n.activate(i18n.locale));

registerAuth(createBuiltInAuth());
// Started before the first screen; a screen that awaits it shows its errors.
restored().catch(() => {});
// Sign-up input from before the email was verified; loaded separately, since the first screen does not need it.
import('../people/profiles/sign-up-steps.ts').then(
  (steps) => steps.saveStepsWhenVerified(),
  // They stay on the device until the next start.
  () => {},
);
// The account's settings, for what this device was not told itself.
import('../people/account-settings/account-settings.api.ts').then(
  (settings) => settings.followAccountSettings(),
  // The device keeps what it has until the next start.
  () => {},
);
startRealtime(() => import('../lib/realtime/realtime-start.ts'));

const root = document.getElementById('root');
if (root) void loadLocale().then(() => createRoot(root).render(<App />));
