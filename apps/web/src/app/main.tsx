import '@ionic/react/css/core.css';
import '@ionic/react/css/structure.css';
import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/forms.css';
import '../ui/parts.css';
import '../ui/overlays.css';
import '../ui/screen.css';
import './shell.css';
import './splash.css';
import { setupIonicReact } from '@ionic/react';
import { createRoot } from 'react-dom/client';
import { createBuiltInAuth } from '../features/accounts/built-in-auth.ts';
import { registerAuth, restored } from '../lib/auth-port.ts';
import { appearance, applyAppearance } from '../lib/device-setting.ts';
import { loadLocale } from '../lib/locale.ts';
import { startRealtime } from '../lib/realtime.ts';
import { adoptHeadStyles } from './adopted-styles.ts';
import { App } from './app.tsx';
import { pageTransition } from './transitions.ts';

adoptHeadStyles();
applyAppearance();
appearance.subscribe(applyAppearance);

setupIonicReact({
  animated: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  navAnimation: pageTransition,
  rippleEffect: false,
  focusManagerPriority: ['heading', 'content'],
  hardwareBackButton: true,
});

registerAuth(createBuiltInAuth());
// Begun before the first screen; the one that waits for it shows what went wrong.
restored().catch(() => {});
// What was typed in sign-up before the email was verified; loaded apart, since the first screen does not need it.
import('../features/profiles/sign-up-steps.ts').then(
  (steps) => steps.saveStepsWhenVerified(),
  // They lie on the device until the next start.
  () => {},
);
startRealtime(() => import('../lib/realtime-start.ts'));

const root = document.getElementById('root');
if (root) void loadLocale().then(() => createRoot(root).render(<App />));
