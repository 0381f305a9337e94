import '@ionic/react/css/core.css';
import '@ionic/react/css/structure.css';
import '../ui/tokens.css';
import '../ui/components.css';
import '../ui/base.css';
import '../ui/forms.css';
import '../ui/parts.css';
import '../ui/screen.css';
import { setupIonicReact } from '@ionic/react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

setupIonicReact();
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
