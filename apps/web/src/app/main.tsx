import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/forms.css';
import '../ui/parts.css';
import '../ui/overlays.css';
import '../ui/screen.css';
import './shell.css';
import './splash.css';
import { createRoot } from 'react-dom/client';
import { registerAuth, restored } from '../lib/auth-port.ts';
import { appearance, applyAppearance } from '../lib/device-setting.ts';
import { loadLocale } from '../lib/locale.ts';
import { startRealtime } from '../lib/realtime.ts';
import { createBuiltInAuth } from '../people/sign-in/built-in-auth.ts';
import { App } from './app.tsx';
import { applyMotionStyle } from './page-motion.ts';

applyAppearance();
appearance.subscribe(applyAppearance);
applyMotionStyle();

registerAuth(createBuiltInAuth());
// Started before the first screen; a screen that awaits it shows its errors.
restored().catch(() => {});
// Sign-up input from before the email was verified; loaded separately, since the first screen does not need it.
import('../people/profiles/sign-up-steps.ts').then(
  (steps) => steps.saveStepsWhenVerified(),
  // They stay on the device until the next start.
  () => {},
);
startRealtime(() => import('../lib/realtime-start.ts'));

const root = document.getElementById('root');
if (root) void loadLocale().then(() => createRoot(root).render(<App />));
