import { useLingui } from '@lingui/react/macro';
import { useUnreadConversations } from '../../talk/conversations/conversations.api.ts';
import type { Side } from '../routes.ts';
import { NavCount } from './nav-count.tsx';

export default function UnreadMessages({ side }: { side: Side }) {
  const { t } = useLingui();
  return <NavCount count={useUnreadConversations(side)} words={t`unread`} hot />;
}
