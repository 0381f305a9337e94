import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { IconName } from '../ui/icon-names.ts';

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
const jobs = { to: '/tabs/menu/jobs', label: msg`See your jobs` };
const account = { to: '/tabs/menu/account', label: msg`Go to your account` };

/** What the screens will hold that later issues fill; `docs/screens.md` says which issue. */
export const planned: Record<string, Planned> = {
  favorite: {
    icon: 'heart',
    title: msg`Saved`,
    text: msg`Jobs you save and searches you want to hear about will wait for you here.`,
    lead: explore,
  },
  verify: {
    icon: 'seal-check',
    title: msg`Verification`,
    text: msg`Your email, phone, identity and payout checks, each with where it stands, will be here.`,
    lead: account,
  },
  'rating-review': {
    icon: 'star',
    title: msg`Reviews`,
    text: msg`Reviews you can write, and those you received, will be here once work is done.`,
    lead: myWork,
  },
  'share-refer': {
    icon: 'user-plus',
    title: msg`Invite people`,
    text: msg`Your own link to invite people, and what it earned you, will be here.`,
    lead: explore,
  },
  'account-settings': {
    icon: 'gear',
    title: msg`Account settings`,
    text: msg`Your name, language, sessions and your data, to take with you or delete, will be here.`,
    lead: account,
  },
  'help-center': {
    icon: 'question',
    title: msg`Help`,
    text: msg`Answers you can search, and a way to write to us, will be here.`,
    lead: account,
  },
  'business-review': {
    icon: 'star',
    title: msg`Reviews of businesses`,
    text: msg`What workers say about a business, and its answers, will be here.`,
    lead: explore,
  },
  'share-job': {
    icon: 'qr-code',
    title: msg`Share a job`,
    text: msg`A public link, a QR code and a poster for one of your jobs will be here.`,
    lead: jobs,
  },
};
