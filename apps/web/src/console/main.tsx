import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/controls/forms.css';
import '../ui/parts.css';
import '../ui/lists.css';
import '../ui/overlays/overlays.css';
import '../ui/desk.css';
import './console.css';
import { createRoot } from 'react-dom/client';
import { appearance, applyAppearance } from '../lib/device/device-setting.ts';
import { showLanguage } from '../lib/words/show-language.ts';
import { Console } from './console.tsx';
import { watchPresence } from './presence.ts';

applyAppearance();
appearance.subscribe(applyAppearance);
watchPresence();

// English only (ADR 182): the texts are in the code.
showLanguage('en');
const root = document.getElementById('root');
if (root) createRoot(root).render(<Console />);
