import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type ComponentType, Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { lazyPart } from '../lib/load-part.ts';
import { PersistedQueries } from '../lib/persisted-queries.tsx';
import { AlertHost } from '../ui/alert.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { Boundary } from './boundary.tsx';
import { BrowserBack } from './browser-back.tsx';
import { DeepLinks } from './deep-links.tsx';
import { HardwareBack } from './hardware-back.tsx';
import { ServerSettings } from './server-settings.tsx';
import { Shell } from './shell.tsx';

const ApplicationOutbox = lazyPart(() => import('../hiring/applications/application-outbox.part.tsx'));
const AttendanceOutbox = lazyPart(() => import('../work/attendance/attendance-outbox.tsx'));
const ChatHost = lazyPart(() => import('../talk/conversations/chat-host.tsx'));
const Push = lazyPart(() => import('./push.tsx'));

/** Background parts; failing to load one does not affect the screens. */
const Behind = ({ part: Part }: { part: ComponentType }) => (
  <Boundary silent>
    <Suspense fallback={null}>
      <Part />
    </Suspense>
  </Boundary>
);

export function App() {
  return (
    <I18nProvider i18n={i18n}>
      <PersistedQueries>
        {/* `pages.tsx` starts the transitions itself. */}
        <BrowserRouter useTransitions={false}>
          <Shell />
          <DeepLinks />
          <HardwareBack />
          <BrowserBack />
          <ServerSettings />
          <Behind part={ApplicationOutbox} />
          <Behind part={AttendanceOutbox} />
          <Behind part={ChatHost} />
          <Behind part={Push} />
        </BrowserRouter>
        <ToastHost />
        <AlertHost />
      </PersistedQueries>
    </I18nProvider>
  );
}
