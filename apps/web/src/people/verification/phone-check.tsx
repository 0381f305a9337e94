import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { VerificationOverview } from '@nearhand/contract/people/verification';
import { phoneCodeLimits } from '@nearhand/contract/people/verification.rules';
import { useState } from 'react';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { CheckCard } from '../../ui/check-card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { PhoneSheet } from './phone-sheet.tsx';

type Phone = VerificationOverview['phone'];

const statusText = (phone: Phone) => {
  switch (phone.status) {
    case 'checked':
      return { label: t`Phone number checked`, tone: 'good' as const };
    case 'changed':
      return { label: t`New number not checked`, tone: 'wait' as const };
    case 'unchecked':
    case 'none':
      return { label: t`Not checked` };
  }
};

export function PhoneCheck({ phone }: { phone: Phone }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const checkedOn = phone.checkedAt && formatDay(phone.checkedAt, ownTimeZone());
  return (
    <CheckCard
      icon="phone"
      title={t`Phone`}
      status={statusText(phone)}
      subject={phone.number}
      notes={[
        ...(checkedOn ? [t`Checked on ${checkedOn}.`] : []),
        phone.status === 'checked'
          ? t`Businesses see that your number was checked. They see the number itself once they hire you.`
          : t`Businesses see that your number works, so they know they can reach you on the day. It takes a minute: we text you a ${phoneCodeLimits.digits}-digit code.`,
      ]}
    >
      {phone.available ? (
        <Button
          kind={phone.status === 'checked' ? 'out' : 'ink'}
          full
          needsNetwork
          onClick={() => setOpen(true)}
        >
          {phone.status === 'checked' ? t`Check another number` : t`Check your number`}
        </Button>
      ) : phone.status === 'checked' ? null : (
        <Banner icon="info">{t`We can't send texts at the moment. Try again later.`}</Banner>
      )}
      {open ? <PhoneSheet phone={phone} onClose={() => setOpen(false)} /> : null}
    </CheckCard>
  );
}
