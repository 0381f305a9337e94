import type { ComponentType } from 'react';
import { Suspense } from 'react';
import ApplicationOutbox from '../hiring/applications/application-outbox.part.tsx';
import KeepWeek from '../hiring/my-work/keep-week.part.ts';
import { isNative } from '../lib/device/platform.ts';
import { lazyPart } from '../lib/pages/load-part.ts';
import ReturnedCharge from '../money/charges/returned-charge.part.tsx';
import ChatHost from '../talk/conversations/chat-host.tsx';
import AppBadge from '../talk/notifications/app-badge.part.ts';
import AttendanceOutbox from '../work/attendance/attendance-outbox.tsx';
import InviteClaim from '../work/referrals/claim-invite.part.tsx';
import { Boundary } from './boundary.tsx';
import InstallHint from './native/install-hint.part.tsx';
import Push from './native/push.tsx';

const NativeShell = lazyPart(() => import('./native/native-shell.tsx'));

const parts: ComponentType[] = [
  AppBadge,
  ApplicationOutbox,
  AttendanceOutbox,
  ChatHost,
  InstallHint,
  InviteClaim,
  KeepWeek,
  Push,
  ReturnedCharge,
  ...(isNative() ? [NativeShell] : []),
];

/**
 * What runs behind every screen and shows nothing itself: queues, signals, push, returns. One file, loaded after the first screen (ADR 0221).
 * A part that fails affects no screen and no other part.
 */
export default function Behind() {
  return parts.map((Part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
    <Boundary silent key={index}>
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </Boundary>
  ));
}
