import type { ComponentType } from 'react';
import ApplicationOutbox from '../../hiring/applications/application-outbox.tsx';
import PrefetchWeek from '../../hiring/my-work/prefetch-week-offline.ts';
import SavedJobsOutbox from '../../hiring/saved-jobs/saved-jobs-outbox.ts';
import ReturnedCharge from '../../money/charges/returned-charge.tsx';
import ReturnedPage from '../../money/payouts/returned-page.tsx';
import { ConfirmIdentityHost } from '../../people/passkeys/confirm-identity.tsx';
import ChatHost from '../../talk/conversations/chat-host.tsx';
import AttendanceOutbox from '../../work/attendance/attendance-outbox.tsx';
import PrefetchShift from '../../work/business-engagements/prefetch-shift-offline.ts';
import InstallHint from '../native/install-hint.tsx';
import { Parts } from './parts.tsx';

const parts: ComponentType[] = [
  ApplicationOutbox,
  AttendanceOutbox,
  ChatHost,
  InstallHint,
  PrefetchShift,
  PrefetchWeek,
  ConfirmIdentityHost,
  ReturnedCharge,
  ReturnedPage,
  SavedJobsOutbox,
];

export default function SignedIn() {
  return <Parts components={parts} />;
}
