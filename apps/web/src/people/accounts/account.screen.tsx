import { useLingui } from '@lingui/react/macro';
import { teamPath } from '@nearhand/contract/app-paths';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { side as sideSetting, useDeviceSetting } from '../../lib/device/device-setting.ts';
import { useInstall } from '../../lib/device/install-offer.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { type SessionUser, useUser } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { unreadOnes } from '../../lib/words/counts.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import type { IconName } from '../../ui/art/icon-names.ts';
import { Badge, Count } from '../../ui/badge.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { SignedOutState } from '../../ui/pages/states.tsx';
import { AppearanceChoice } from '../account-settings/appearance.tsx';
import { LanguageChoice } from '../account-settings/language-choice.tsx';
import { useCurrentBusiness } from '../businesses/businesses.api.ts';
import { mayOpen } from '../businesses/role-screens.ts';
import { showAuthError } from '../sign-in/auth-alert.ts';
import { VerifyNotice } from '../sign-in/verify-notice.tsx';
import './account.css';

export default function AccountScreen() {
  const { t } = useLingui();
  const user = useUser();
  return (
    <Screen title={t`Account`} back="menu" heading={user ? undefined : null}>
      {user ? <OwnAccount user={user} /> : <SignedOutAccount />}
    </Screen>
  );
}

function SignedOutAccount() {
  const { t } = useLingui();
  return (
    <>
      <SignedOutState level="h1" title={t`Your account`} next="/tabs/menu/account">
        <p>{t`Create one to find work or to hire. It's free, and one account does both.`}</p>
      </SignedOutState>
      <div className="account">
        <Group title={t`Nearhand`}>
          <Item icon="question" title={t`Help`} to="/tabs/menu/help" />
          <Item icon="article" title={t`Terms and conditions`} to="/tabs/menu/terms" />
        </Group>
        <LanguageChoice />
        <Appearance />
      </div>
    </>
  );
}

function OwnAccount({ user }: { user: SessionUser }) {
  const { t } = useLingui();
  const side = useDeviceSetting(sideSetting);
  const account = useQuery(apiQuery.accounts.me.queryOptions());
  return (
    <div className="account">
      <Person user={user} photoPath={account.data?.photoPath} />
      {user.emailVerified ? null : <VerifyNotice email={user.email} compact />}

      <div className="phone-only">
        <Segmented
          label={t`What you're here for`}
          value={side}
          options={[
            { value: 'work', label: t`Work` },
            { value: 'hire', label: t`Hire` },
          ]}
          onChange={sideSetting.set}
        />
      </div>

      {side === 'work' ? <WorkGroup /> : <HireGroup business={account.data?.memberships[0]} />}
      <SettingsGroups unread={account.data?.unreadNotifications ?? 0} />
      <Appearance />
      <SignOut />
    </div>
  );
}

function Person({ user, photoPath }: { user: SessionUser; photoPath: string | null | undefined }) {
  const { t } = useLingui();
  return (
    <div className="row g4">
      <Avatar size="l" name={user.name || user.email} src={fileUrl(photoPath)} />
      <div className="grow">
        <p className="h-m break">{user.name || t`No name yet`}</p>
        <p className="sm mute break">{user.email}</p>
        {user.emailVerified ? (
          <p className="mt1">
            <Badge tone="good" icon="seal-check">{t`Email verified`}</Badge>
          </p>
        ) : null}
      </div>
    </div>
  );
}

function WorkGroup() {
  const { t } = useLingui();
  return (
    <Group title={t`Work`}>
      <Item
        icon="identification-card"
        title={t`My profile`}
        note={t`What businesses see when you apply`}
        to="/myprofile"
      />
      <Item icon="heart" title={t`Saved`} to="/favorite" />
      <Item icon="video-camera" title={t`Interviews`} to="/interview" />
      <Item icon="wallet" title={t`Balance`} to="/withdraw" />
      <Item icon="receipt" title={t`Statement`} to="/user-transaction" />
      <Item icon="star" title={t`Reviews`} to="/rating-review" />
    </Group>
  );
}

/** `business` is the first that the person belongs to. */
function HireGroup({ business }: { business: { name: string } | undefined }) {
  const { t } = useLingui();
  const current = useCurrentBusiness().business;
  return (
    <Group title={t`Hire`}>
      {business ? (
        <Item icon="storefront" title={business.name} note={t`Details, team and roles`} to="/edit-business" />
      ) : (
        <Item
          icon="storefront"
          title={t`Register a business`}
          note={t`Then post your first job`}
          to="/register-business"
        />
      )}
      {current && roleMay(current.role, 'team') ? (
        <Item
          icon="users-three"
          title={t`Team`}
          note={t`Invite people to ${current.name}`}
          to={teamPath(current.id)}
        />
      ) : null}
      {business ? <Item icon="plus" title={t`Register another business`} to="/register-business" /> : null}
      {mayOpen(current, '/all-job-applicants') ? (
        <Item icon="users-three" title={t`Applicants`} to="/all-job-applicants" />
      ) : null}
      {mayOpen(current, '/to-interview') ? (
        <Item icon="video-camera" title={t`Interviews`} to="/to-interview" />
      ) : null}
      {mayOpen(current, '/release-payment') ? (
        <Item icon="hand-coins" title={t`Release payment`} to="/release-payment" />
      ) : null}
      {mayOpen(current, '/merchant-transaction') ? (
        <Item icon="receipt" title={t`Statement`} to="/merchant-transaction" />
      ) : null}
      <Item icon="star" title={t`Reviews`} to="/business-review" />
    </Group>
  );
}

function SettingsGroups({ unread }: { unread: number }) {
  const { t } = useLingui();
  const install = useInstall();
  return (
    <>
      <Group title={t`Settings`}>
        <Item
          icon="bell"
          title={t`Notifications`}
          to="/notifications"
          end={<Count value={unread} label={unreadOnes(unread)} />}
        />
        <Item icon="bell-ringing" title={t`Notification settings`} to="/notification-settings" />
        <Item icon="seal-check" title={t`Verification`} to="/verify" />
        <Item icon="lock-key" title={t`Change password`} to="/change-password" />
        <Item icon="gear" title={t`Account settings`} to="/account-settings" />
      </Group>

      <Group title={t`Nearhand`}>
        {install ? (
          <Item
            icon="download-simple"
            title={t`Install Nearhand`}
            note={t`On your home screen, and it opens without a network`}
            onClick={install}
          />
        ) : null}
        <Item icon="user-plus" title={t`Invite people`} to="/share-refer" />
        <Item icon="question" title={t`Help`} to="/help-center" />
        <Item icon="article" title={t`Terms and conditions`} to="/toc" />
      </Group>
    </>
  );
}

function SignOut() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    try {
      await signOut((path) => navigate(path, { replace: true }));
    } catch (failure) {
      await showAuthError('signOut', failure);
    } finally {
      setLeaving(false);
    }
  };
  return (
    <Button kind="out" full icon="sign-out" busy={leaving} needsNetwork={false} onClick={() => void leave()}>
      {t`Sign out`}
    </Button>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section>
      <h2 className="h-s account-head">{title}</h2>
      <Card flush>{children}</Card>
    </section>
  );
}

function Item({
  icon,
  ...row
}: {
  icon: IconName;
  title: string;
  note?: string;
  to?: string;
  onClick?: () => void;
  end?: React.ReactNode;
}) {
  return <ListRow {...row} lead={<Icon name={icon} />} />;
}

function Appearance() {
  const { t } = useLingui();
  return (
    <section>
      <h2 className="h-s account-head">{t`Appearance`}</h2>
      <AppearanceChoice />
    </section>
  );
}
