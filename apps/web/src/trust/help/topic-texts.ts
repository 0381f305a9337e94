import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { IconName } from '../../ui/art/icon-names.ts';

/** The topics of the help page, named after the folders of the articles. */
export const helpTopics: Record<string, { title: MessageDescriptor; icon: IconName }> = {
  start: { title: msg`Getting started`, icon: 'sparkle' },
  'find-work': { title: msg`Finding work`, icon: 'compass' },
  'on-the-job': { title: msg`On the job`, icon: 'calendar-check' },
  pay: { title: msg`Pay and balance`, icon: 'wallet' },
  hire: { title: msg`Hiring`, icon: 'storefront' },
  safety: { title: msg`Disputes and safety`, icon: 'shield-check' },
  account: { title: msg`Your account and this app`, icon: 'gear' },
};
