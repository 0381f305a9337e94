import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { verificationPath } from '@nearhand/contract/app-paths';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { VerificationOverview } from '@nearhand/contract/people/verification';
import { phoneCodeLimits } from '@nearhand/contract/people/verification.rules';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { usePhoneText } from '../../lib/forms/phone.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { CheckCard } from '../../ui/check-card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { BusinessProof } from '../business-verification/business-proof.tsx';
import { BusinessStatusBadge } from '../businesses/business-status-card.tsx';
import { useMyBusinesses } from '../businesses/businesses.api.ts';
import { Certificates } from '../certificates/certificates.tsx';
import { IdentityCheck } from '../identity-checks/identity-check.tsx';
import { VerifyNotice } from '../sign-in/verify-notice.tsx';
import { PhoneSheet } from './phone-sheet.tsx';
import { useVerification } from './verification.api.ts';
import './verification.css';

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

function PhoneCheck({ phone }: { phone: Phone }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const phoneText = usePhoneText();
  const checkedOn = phone.checkedAt && formatDay(phone.checkedAt, ownTimeZone());
  return (
    <CheckCard
      icon="phone"
      title={t`Phone`}
      status={statusText(phone)}
      subject={phone.number && phoneText(phone.number)}
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

export default function VerifyScreen() {
  const businessId = new URLSearchParams(useLocation().search).get('business');
  return businessId === null ? <OwnChecks /> : <OfBusiness key={businessId} businessId={businessId} />;
}

function OfBusiness({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const query = useMyBusinesses();
  return (
    <Screen
      title={t`Verification`}
      heading={query.data?.find(({ id }) => id === businessId)?.name}
      lead={t`Verified businesses have a badge on their jobs and no limit on open jobs.`}
      back="/verify"
      width="wide"
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load your business`}
        isEmpty={(businesses) => businesses.every(({ id }) => id !== businessId)}
        empty={
          <EmptyState title={t`You aren't a member of this business`}>
            {t`Someone may have removed you from its team.`}
          </EmptyState>
        }
      >
        {(businesses) =>
          businesses
            .filter(({ id }) => id === businessId)
            .map((business) =>
              roleMay(business.role, 'details') ? (
                <BusinessProof key={business.id} business={business} />
              ) : (
                <EmptyState key={business.id} title={t`Your role doesn't include this`} art="door">
                  {t`Only an owner or manager of ${business.name} can see its verification.`}
                </EmptyState>
              ),
            )
        }
      </QueryState>
    </Screen>
  );
}

function OwnChecks() {
  const { t } = useLingui();
  const query = useVerification();
  return (
    <Screen
      title={t`Verification`}
      lead={t`Others see only what was checked, never a document.`}
      back="/tabs/menu/account"
      width="wide"
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load your checks`}
        offlineNote={t`You can check something when you're back online.`}
      >
        {(overview) => <Checks overview={overview} />}
      </QueryState>
    </Screen>
  );
}

function Checks({ overview }: { overview: VerificationOverview }) {
  const isHiring = useDeviceSetting(sideSetting) === 'hire';
  return (
    <div className="checks">
      {isHiring ? <BusinessChecks /> : null}
      <EmailCheck email={overview.email} />
      {overview.email.checked ? <PhoneCheck phone={overview.phone} /> : null}
      {overview.email.checked ? <IdentityCheck /> : null}
      {overview.email.checked ? <Certificates /> : null}
      {overview.email.checked ? <PayoutCheck payout={overview.payout} /> : null}
      {isHiring ? null : <BusinessChecks />}
    </div>
  );
}

function EmailCheck({ email }: { email: VerificationOverview['email'] }) {
  const { t } = useLingui();
  return (
    <CheckCard
      icon="envelope-simple"
      title={t`Email`}
      status={
        email.checked ? { label: t`Email verified`, tone: 'good' } : { label: t`Not checked`, tone: 'wait' }
      }
      subject={email.address}
      notes={[
        email.checked
          ? t`You can apply, hire and be paid.`
          : t`You need it to apply, to hire and to be paid. It takes a minute.`,
      ]}
    >
      {email.checked ? null : <VerifyNotice email={email.address} compact />}
    </CheckCard>
  );
}

function PayoutCheck({ payout }: { payout: VerificationOverview['payout'] }) {
  const { t } = useLingui();
  const words = {
    none: { label: t`Not checked` },
    pending: { label: t`Being checked`, tone: 'wait' as const },
    verified: { label: t`Payout identity checked`, tone: 'good' as const },
    refused: { label: t`Not confirmed`, tone: 'bad' as const },
  };
  const checkedOn = payout.decidedAt && formatDay(payout.decidedAt, ownTimeZone());
  return (
    <CheckCard
      icon="bank"
      title={t`Identity for payouts`}
      status={words[payout.status]}
      notes={[
        ...(payout.status === 'verified' && checkedOn
          ? [t`Checked on ${checkedOn} by our payment provider.`]
          : []),
        ...(payout.status === 'refused'
          ? [t`The name, birthday or address didn't match. Check them and send them again.`]
          : []),
        payout.status === 'verified'
          ? t`Your pay is available as soon as it's released.`
          : t`With it your pay is available as soon as it's released. It usually takes a few minutes, and only our payment provider sees your details.`,
      ]}
    >
      {payout.status === 'none' || payout.status === 'refused' ? (
        <ButtonLink kind="out" full to="/withdraw">
          {payout.status === 'none' ? t`Verify your identity for payouts` : t`Check your details`}
        </ButtonLink>
      ) : null}
    </CheckCard>
  );
}

function BusinessChecks() {
  const { t } = useLingui();
  const businesses = (useMyBusinesses().data ?? []).filter(({ role }) => roleMay(role, 'details'));
  if (businesses.length === 0) return null;
  return (
    <section aria-label={t`Your businesses`}>
      <h2 className="h-s">{t`Your businesses`}</h2>
      <Card flush>
        {businesses.map((business) => (
          <ListRow
            key={business.id}
            title={business.name}
            note={business.legalName}
            to={verificationPath(business.id)}
            end={<BusinessStatusBadge status={business.status} />}
          />
        ))}
      </Card>
    </section>
  );
}
