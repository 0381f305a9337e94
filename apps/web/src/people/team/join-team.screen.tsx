import { Trans, useLingui } from '@lingui/react/macro';
import { joinTeamPath } from '@nearhand/contract/app-paths';
import { limits } from '@nearhand/contract/limits';
import type { OpenedInvitation } from '@nearhand/contract/people/team';
import { invitationTokenShape } from '@nearhand/contract/people/team.rules';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { authText } from '../../lib/api/auth.labels.ts';
import { AuthError, auth } from '../../lib/api/auth-provider.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { side } from '../../lib/device/device-setting.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { type SessionUser, useUser } from '../../lib/session.ts';
import { signOut } from '../../lib/sign-out.ts';
import { allOf, formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { chooseBusiness } from '../businesses/businesses.api.ts';
import { roleText } from '../businesses/role.labels.ts';
import { startScreen } from '../businesses/role-screens.ts';
import { profileErrors } from '../profiles/profile.labels.ts';
import { emptyProfile } from '../profiles/profile-form.rules.ts';
import { useMyIntent, useMyProfile, useSaveProfile } from '../profiles/profiles.api.ts';
import { confirmByInvitation, useOpenedInvitation } from '../sign-in/sign-in.api.ts';
import { VerifyNotice } from '../sign-in/verify-notice.tsx';
import { useJoining } from './team.api.ts';
import { roleMeaning } from './team.labels.ts';

/** An invitation to a team, opened by a guest, its addressee, or someone with another address. */
export default function JoinTeamScreen() {
  const { t } = useLingui();
  const { token = '' } = useParams();
  const isToken = invitationTokenShape.test(token);
  const query = useOpenedInvitation(token, isToken);
  const unknown = !isToken || isApiError(query.error, 'team/invitation-not-found');
  return (
    <Screen title={t`Join a team`} heading={null} back="/tabs/menu/explore" width="narrow">
      {unknown ? (
        <Unknown />
      ) : (
        <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load the invitation`}>
          {(opened) => <OpenInvitation token={token} opened={opened} />}
        </QueryState>
      )}
    </Screen>
  );
}

function Unknown() {
  const { t } = useLingui();
  return (
    <EmptyState
      level="h1"
      art="door"
      title={t`This link doesn't work`}
      actions={
        <ButtonLink kind="out" full to="/tabs/menu/explore">
          {t`Go to Nearhand`}
        </ButtonLink>
      }
    >
      <p>{t`It may be incomplete, or a newer invitation replaced it. Use the link in the latest email, or ask for a new one.`}</p>
    </EmptyState>
  );
}

function OpenInvitation({ token, opened }: { token: string; opened: OpenedInvitation }) {
  const { t } = useLingui();
  const { businessName: name, invitedBy, role, branches } = opened;
  return (
    <div className="col g5">
      <div className="row g4">
        <Avatar size="l" name={name} src={fileUrl(opened.logoPath)} />
        <div className="grow">
          <h1 className="h-l break">
            <Trans>Join {name}</Trans>
          </h1>
          <p className="sm mute">{opened.area}</p>
          {opened.verified ? (
            <p className="mt1">
              <Badge tone="good" icon="seal-check">{t`Verified`}</Badge>
            </p>
          ) : null}
        </div>
      </div>
      {opened.status === 'open' ? (
        <>
          <Card>
            <p className="strong">
              <Trans>
                {invitedBy} invites you as: {roleText(role)}
              </Trans>
            </p>
            <p className="mute mt1">{roleMeaning(role)}</p>
            {branches === null ? null : (
              <p className="mt1 break">
                <Trans>Only for: {allOf(branches)}</Trans>
              </p>
            )}
            <p className="sm mute mt2">
              <Trans>Open until {formatDate(opened.expiresAt, ownTimeZone())}.</Trans>
            </p>
          </Card>
          <InvitationActions token={token} opened={opened} />
        </>
      ) : opened.reader === 'member' ? (
        <GoToBusiness opened={opened} />
      ) : (
        <Over token={token} opened={opened} />
      )}
    </div>
  );
}

/** The reader's actions on an open invitation. It is for one address, and they may be signed in with another. */
function InvitationActions({ token, opened }: { token: string; opened: OpenedInvitation }) {
  const user = useUser();
  if (opened.reader === 'member') return <GoToBusiness opened={opened} />;
  if (!user || opened.reader === 'guest') return <ForGuest token={token} email={opened.email} />;
  if (opened.reader === 'other-address')
    return <OtherAddress token={token} opened={opened} own={user.email} />;
  return <ForAddressee token={token} opened={opened} user={user} />;
}

function Over({ token, opened }: { token: string; opened: OpenedInvitation }) {
  const { t } = useLingui();
  const user = useUser();
  const text = {
    open: '',
    accepted: t`This invitation was already used.`,
    declined: t`You declined this invitation.`,
    expired: t`This invitation has expired.`,
    revoked: t`This invitation was cancelled.`,
  }[opened.status];
  const canAsk = opened.status === 'expired' && opened.reader === 'other-address' && user?.emailVerified;
  return (
    <>
      <Banner icon="info">
        {text} <Trans>Ask {opened.invitedBy} for a new one.</Trans>
      </Banner>
      {canAsk ? <OtherAddress token={token} opened={opened} own={user.email} /> : null}
      <ButtonLink kind="out" full to="/tabs/menu/explore">
        {t`Go to Nearhand`}
      </ButtonLink>
    </>
  );
}

function ForGuest({ token, email }: { token: string; email: string | null }) {
  const { t } = useLingui();
  const query = `?next=${encodeURIComponent(joinTeamPath(token))}`;
  return (
    <div className="col g2">
      <p>
        {email === null ? (
          <Trans>Log in or create an account to accept.</Trans>
        ) : (
          <Trans>Log in or create an account with {email} to accept.</Trans>
        )}
      </p>
      <ButtonLink kind="go" full to={`/register${query}`}>
        {t`Create account`}
      </ButtonLink>
      <ButtonLink kind="out" full to={`/login${query}`}>
        {t`Log in`}
      </ButtonLink>
    </div>
  );
}

type AddresseeProps = { token: string; opened: OpenedInvitation; user: SessionUser };

/** Asks for the link of our own mail only if the invitation doesn't prove the address, such as a shared link. */
function ForAddressee({ user, ...props }: AddresseeProps) {
  const { t } = useLingui();
  const [isUnproven, setUnproven] = useState(
    props.opened.email === null || auth().confirmByInvitation === undefined,
  );
  const { refetch } = useOpenedInvitation(props.token, true);
  const confirm = async (): Promise<boolean> => {
    if (user.emailVerified || (await confirmByInvitation(props.token))) return true;
    // One that was revoked or has expired proves nothing, and the page then shows that.
    const { data, error } = await refetch();
    if (error) throw error;
    if (data?.status !== 'open') return false;
    await auth().sendEmailVerification();
    setUnproven(true);
    return false;
  };
  return user.emailVerified || !isUnproven ? (
    <Answer {...props} confirm={confirm} />
  ) : (
    <VerifyNotice email={user.email} note={t`Open the link we sent you, then you can join the team.`} />
  );
}

type AnswerProps = {
  token: string;
  opened: OpenedInvitation;
  /** Proves the person's address first. Resolves to false if that takes another mail. */
  confirm: () => Promise<boolean>;
};

function Answer({ token, opened, confirm }: AnswerProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { accept, decline } = useJoining();
  const profile = useMyProfile();
  const saveProfile = useSaveProfile();
  const intent = useMyIntent();
  const action = useAction((failure) =>
    failure instanceof AuthError ? authText(failure) : errorText(failure),
  );
  const hasName = profile.data?.name !== '';
  const form = useFormModel({
    focusProblems: true,
    start: () => ({ name: '' }),
    check: ({ name }): { name?: string } => {
      const problem = hasName ? undefined : profileErrors({ ...emptyProfile(), name }).name;
      return problem ? { name: problem } : {};
    },
  });
  const refuse = async () => {
    const choice = await showAlert({
      title: t`Decline this invitation?`,
      message: t`${opened.businessName} is notified. To join later, you'd need a new invitation.`,
      tone: 'ask',
      buttons: [
        { value: 'decline', label: t`Decline`, kind: 'bad' },
        { value: 'keep', label: t`Not now` },
      ],
    });
    if (choice === 'decline')
      await action.run(async () => {
        if (await confirm()) await decline.mutateAsync({ token });
      });
  };
  const join = ({ name }: { name: string }) =>
    action.run(async () => {
      if (!(await confirm())) return;
      if (!hasName) await saveProfile.mutateAsync({ name: name.trim() });
      const { businessId, role } = await accept.mutateAsync({ token });
      // The sign-up steps would ask for it at a later social sign-in.
      if (intent === null) void api.accounts.update({ intent: 'hire' }).catch(() => {});
      chooseBusiness(businessId);
      side.set('hire');
      showToast(t`You joined ${opened.businessName}`);
      navigate(startScreen(role), { replace: true });
    });
  return (
    <Form className="col g2" onSubmit={() => void form.submit(join)}>
      {hasName ? null : (
        <TextInput
          {...form.textField('name')}
          label={t`Your name`}
          help={t`Your team sees it, and so do people who apply.`}
          autoComplete="name"
          maxLength={limits.nameMax}
        />
      )}
      <Refused text={action.refusal} />
      <Button kind="go" full type="submit" busy={action.busy || profile.isLoading}>
        {t`Join ${opened.businessName}`}
      </Button>
      {opened.email === null ? (
        <ButtonLink kind="text" full to="/tabs/menu/explore">
          {t`Not now`}
        </ButtonLink>
      ) : (
        <Button kind="out" full busy={action.busy} onClick={() => void refuse()}>
          {t`Decline`}
        </Button>
      )}
    </Form>
  );
}

function OtherAddress({ token, opened, own }: { token: string; opened: OpenedInvitation; own: string }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { ask } = useJoining();
  const action = useAction();
  const leave = () =>
    action.run(() =>
      signOut(() => navigate(`/login?next=${encodeURIComponent(joinTeamPath(token))}`, { replace: true })),
    );
  return (
    <div className="col g3">
      <Banner tone="wait" icon="info">
        <Trans>
          This invitation was sent to {opened.email}. You're signed in as {own}.
        </Trans>
      </Banner>
      <Refused text={action.refusal} />
      {opened.asked ? (
        <Banner tone="good" icon="check-circle" live>
          <Trans>
            We asked {opened.businessName} to send the invitation to {own}. You'll get an email if they agree.
          </Trans>
        </Banner>
      ) : (
        <>
          <Button
            kind="go"
            full
            busy={action.busy}
            onClick={() => void action.run(() => ask.mutateAsync({ token }))}
          >
            {t`Ask for an invitation to ${own}`}
          </Button>
          <p className="sm mute">
            <Trans>{opened.businessName} will see your name and email address.</Trans>
          </p>
        </>
      )}
      {opened.status === 'open' ? (
        <Button kind="out" full busy={action.busy} needsNetwork={false} onClick={() => void leave()}>
          {t`Sign out and use the other account`}
        </Button>
      ) : null}
    </div>
  );
}

function GoToBusiness({ opened }: { opened: OpenedInvitation }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const go = () => {
    chooseBusiness(opened.businessId);
    side.set('hire');
    navigate('/tabs/menu/business', { replace: true });
  };
  return (
    <>
      <Banner tone="good" icon="check-circle">
        <Trans>You're on the team of {opened.businessName}.</Trans>
      </Banner>
      <Button kind="go" full onClick={go}>
        {t`Open ${opened.businessName}`}
      </Button>
    </>
  );
}
