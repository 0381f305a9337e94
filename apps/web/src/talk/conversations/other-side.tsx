import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { side as sideSetting } from '../../lib/device/device-setting.ts';
import { unreadOnes } from '../../lib/words/counts.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Count } from '../../ui/badge.tsx';
import { type MenuSide, useConversations } from './conversations.api.ts';

type OtherSideProps = { side: MenuSide; search: string; unread: boolean };

/** Someone who both works and hires has conversations on the other side: how many, and a link. */
export function OtherSide({ side, search, unread }: OtherSideProps) {
  const { t } = useLingui();
  const other = side === 'work' ? 'hire' : 'work';
  const page = useConversations({ side: other, search, unread }).data?.pages[0];
  const count = page?.items.length ?? 0;
  if (!page || count === 0) return null;
  // More than a page of them is shown as "more".
  const shown = page.nextCursor ? `${count}+` : `${count}`;
  const hire = other === 'hire';
  const words = search
    ? hire
      ? t`${shown} found under Hire`
      : t`${shown} found under Work`
    : unread
      ? hire
        ? t`${shown} unread under Hire`
        : t`${shown} unread under Work`
      : hire
        ? plural(count, {
            one: `${shown} conversation under Hire`,
            other: `${shown} conversations under Hire`,
          })
        : plural(count, {
            one: `${shown} conversation under Work`,
            other: `${shown} conversations under Work`,
          });
  return (
    <button type="button" className="chat-other-side sm" onClick={() => sideSetting.set(other)}>
      <Icon name={hire ? 'storefront' : 'briefcase'} />
      <span className="grow">{words}</span>
      <Count value={page.unread} label={unreadOnes(page.unread)} />
      <Icon name="caret-right" flip />
    </button>
  );
}
