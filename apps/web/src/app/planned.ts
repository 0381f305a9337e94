import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { IconName } from '../ui/art/icon-names.ts';

export type Planned = {
  icon: IconName;
  title: MessageDescriptor;
  /** One sentence: what will be here. */
  text: MessageDescriptor;
  /** Somewhere useful until then. */
  lead: { to: string; label: MessageDescriptor };
};

const explore = { to: '/tabs/menu/explore', label: msg`Find work nearby` };
const myWork = { to: '/tabs/menu/my-work', label: msg`See your applications` };
const account = { to: '/tabs/menu/account', label: msg`Go to your account` };

/** What the screens will hold that later issues fill; `docs/screens.md` says which issue. */
export const planned: Record<string, Planned> = {
  verify: {
    icon: 'seal-check',
    title: msg`Verification`,
    text: msg`You'll see the status of your email, phone, identity and payout checks here.`,
    lead: account,
  },
  'rating-review': {
    icon: 'star',
    title: msg`Reviews`,
    text: msg`After a job is done, you'll write and read reviews here.`,
    lead: myWork,
  },
  'business-review': {
    icon: 'star',
    title: msg`Reviews of businesses`,
    text: msg`You'll find workers' reviews of a business and its replies here.`,
    lead: explore,
  },
};
