import type { ComponentType } from 'react';
import { isNative } from '../../lib/device/platform.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import AppBadge from '../../talk/notifications/app-badge.ts';
import InviteClaim from '../../work/referrals/claim-invite.tsx';
import Push from '../native/push.tsx';
import { Parts } from './parts.tsx';

const NativeShell = lazyPart(() => import('../native/native-shell.tsx'));

const parts: ComponentType[] = [AppBadge, InviteClaim, Push, ...(isNative() ? [NativeShell] : [])];

/** Background parts without UI, loaded after the first screen (ADR 221). */
export default function BackgroundParts() {
  return <Parts components={parts} />;
}
