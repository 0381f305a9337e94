import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/controls/forms.css';
import '../ui/parts.css';
import '../ui/overlays/overlays.css';
import '../ui/desk.css';
import './console.css';
import { createRoot } from 'react-dom/client';
import { appearance, applyAppearance } from '../lib/device/device-setting.ts';
import { loadLocale } from '../lib/words/locale.ts';
import { Console } from './console.tsx';
import { watchPresence } from './presence.ts';

applyAppearance();
appearance.subscribe(applyAppearance);
watchPresence();

const root = document.getElementById('root');
// English only (ADR 182): the texts are in the code.
if (root) void loadLocale(['en']).then(() => createRoot(root).render(<Console />));
