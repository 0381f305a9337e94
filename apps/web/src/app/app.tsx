import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type ComponentType, Suspense } from 'react';
import { PersistedQueries } from '../lib/api/persisted-queries.tsx';
import { lazyPart } from '../lib/pages/load-part.ts';
import { AlertHost } from '../ui/overlays/alert.tsx';
import { ToastHost } from '../ui/overlays/toast.tsx';
import { AppRouter } from './app-router.tsx';
import { Boundary } from './boundary.tsx';
import { BrowserBack } from './native/browser-back.tsx';
import { DeepLinks } from './native/deep-links.tsx';
import { HardwareBack } from './native/hardware-back.tsx';
import { ServerSettings } from './shell/server-settings.tsx';
import { Shell } from './shell/shell.tsx';

const ApplicationOutbox = lazyPart(() => import('../hiring/applications/application-outbox.part.tsx'));
const AttendanceOutbox = lazyPart(() => import('../work/attendance/attendance-outbox.tsx'));
const ChatHost = lazyPart(() => import('../talk/conversations/chat-host.tsx'));
const InviteClaim = lazyPart(() => import('../work/referrals/claim-invite.part.tsx'));
const Push = lazyPart(() => import('./native/push.tsx'));

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
        <AppRouter>
          <Shell />
          <DeepLinks />
          <HardwareBack />
          <BrowserBack />
          <ServerSettings />
          <Behind part={ApplicationOutbox} />
          <Behind part={AttendanceOutbox} />
          <Behind part={ChatHost} />
          <Behind part={InviteClaim} />
          <Behind part={Push} />
        </AppRouter>
        <ToastHost />
        <AlertHost />
      </PersistedQueries>
    </I18nProvider>
  );
}
