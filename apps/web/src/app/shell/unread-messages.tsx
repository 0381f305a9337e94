import { useLingui } from '@lingui/react/macro';
import { useUnreadConversations } from '../../talk/conversations/conversations.api.ts';
import type { MenuSide } from '../routes.ts';
import { NavCount } from './nav-count.tsx';

export default function UnreadMessages({ side }: { side: MenuSide }) {
  const { t } = useLingui();
  return <NavCount count={useUnreadConversations(side)} words={t`unread`} hot />;
}
