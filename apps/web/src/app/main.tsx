import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/controls/forms.css';
import '../ui/parts.css';
import '../ui/overlays/overlays.css';
import '../ui/pages/screen.css';
import './shell/shell.css';
import './splash.css';
import { createRoot } from 'react-dom/client';
import { registerAuth, restored } from '../lib/api/auth-port.ts';
import { appearance, applyAppearance } from '../lib/device/device-setting.ts';
import { startRealtime } from '../lib/realtime/realtime.ts';
import { loadLocale } from '../lib/words/locale.ts';
import { createBuiltInAuth } from '../people/sign-in/built-in-auth.ts';
import { App } from './app.tsx';
import { applyMotionStyle } from './stack/page-motion.ts';

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
startRealtime(() => import('../lib/realtime/realtime-start.ts'));

const root = document.getElementById('root');
if (root) void loadLocale().then(() => createRoot(root).render(<App />));
