import { Trans, useLingui } from '@lingui/react/macro';
import { verificationPath } from '@nearhand/contract/app-paths';
import { dayIn } from '@nearhand/contract/durations';
import type { Business } from '@nearhand/contract/people/businesses';
import type { OwnershipOffer, Team, TeamInvitation, TeamMember } from '@nearhand/contract/people/team';
import { Fragment, useState } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { dotted, formatCalendarDay, formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { roleText } from '../businesses/role.labels.ts';
import { InvitationSheet } from './invitation-sheet.tsx';
import { InviteMemberSheet } from './invite-sheet.tsx';
import { MemberSheet } from './member-sheet.tsx';
import { useMemberMoves, useTeam, useTeamInvitations, useTeamLog } from './team.api.ts';
import { branchText, invitationStatusText, teamMoveText } from './team.labels.ts';
import './team.css';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useAction } from '../../lib/pages/use-action.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

export function TeamPart({ business }: { business: Business }) {
  const { t } = useLingui();
  const query = useTeam(business.id);
  return (
    <QueryState query={query} loading={<RowsSkeleton count={4} />} errorTitle={t`We couldn't load the team`}>
      {(team) => <TeamLists business={business} team={team} />}
    </QueryState>
  );
}

function TeamLists({ business, team }: { business: Business; team: Team }) {
  const { t } = useLingui();
  const [inviting, setInviting] = useState(false);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const opened = team.members.find(({ accountId }) => accountId === openedId);
  const manages = team.invitableRoles.length > 0;
  return (
    <div className="team-part">
      {team.ownersFrozen ? (
        <Banner tone="wait" icon="lock-key">
          <p>
            <Trans>
              The owners of {business.name} were restored, so they can't change until we've verified the
              business again. Jobs, hiring, pay and the rest of the team go on as before.
            </Trans>
          </p>
          {roleMay(business.role, 'details') ? (
            <Link className="link" to={verificationPath(business.id)}>{t`Add documents for the check`}</Link>
          ) : null}
        </Banner>
      ) : null}
      {team.ownershipOffer ? <OwnershipBanner business={business} offer={team.ownershipOffer} /> : null}
      <section>
        <div className="row wrap g3">
          <h2 className="h-m grow">{t`People`}</h2>
          {manages ? (
            <Button
              kind={team.ownershipOffer?.you === 'to' ? 'out' : 'go'}
              size="s"
              icon="user-plus"
              needsNetwork
              onClick={() => setInviting(true)}
            >
              {t`Invite someone`}
            </Button>
          ) : null}
        </div>
        {manages ? null : (
          <p className="sm mute mt2">
            <Trans>Only an owner or manager can change the team.</Trans>
          </p>
        )}
        <div className="mt3">
          <Card flush>
            {team.members.map((member) => (
              <MemberRow
                key={member.accountId}
                member={member}
                onOpen={member.actions.length > 0 ? () => setOpenedId(member.accountId) : undefined}
              />
            ))}
          </Card>
        </div>
      </section>
      {manages ? <Invitations businessId={business.id} /> : null}
      {team.seesLog ? <History business={business} /> : null}
      {opened ? <MemberSheet business={business} member={opened} onClose={() => setOpenedId(null)} /> : null}
      {inviting ? (
        <InviteMemberSheet
          businessId={business.id}
          roles={team.invitableRoles}
          onClose={() => setInviting(false)}
        />
      ) : null}
    </div>
  );
}

function MemberRow({ member, onOpen }: { member: TeamMember; onOpen: (() => void) | undefined }) {
  const { t } = useLingui();
  const day = member.lastActiveOn;
  const active =
    day === null
      ? null
      : day === dayIn('UTC', new Date())
        ? t`Active today`
        : t`Last active ${formatCalendarDay(day)}`;
  const name = member.name || member.email || t`No name yet`;
  return (
    <ListRow
      lead={<Avatar name={name} src={fileUrl(member.photoPath)} />}
      title={member.isYou ? t`${name} (you)` : name}
      note={
        <>
          {member.name && member.email ? (
            <span className="block">
              <EmailText email={member.email} />
            </span>
          ) : null}
          {dotted(branchText(member.branches), active)}
        </>
      }
      end={<Badge tone={member.role === 'owner' ? 'here' : undefined}>{roleText(member.role)}</Badge>}
      onClick={onOpen}
    />
  );
}

function Invitations({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const query = useTeamInvitations(businessId, true);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const opened = items.find(({ id }) => id === openedId);
  return (
    <section>
      <h2 className="h-m">{t`Invitations`}</h2>
      <div className="mt3">
        <QueryState
          query={query}
          loading={<RowsSkeleton count={2} />}
          errorTitle={t`We couldn't load the invitations`}
          isEmpty={() => items.length === 0}
          empty={
            <p className="mute">{t`Invitations you send appear here until they're answered or expire.`}</p>
          }
        >
          {() => (
            <>
              <Card flush>
                {items.map((invitation) => (
                  <InvitationRow
                    key={invitation.id}
                    invitation={invitation}
                    onOpen={
                      invitation.canManage && ['open', 'expired'].includes(invitation.status)
                        ? () => setOpenedId(invitation.id)
                        : undefined
                    }
                  />
                ))}
              </Card>
              <LoadMore query={query} />
            </>
          )}
        </QueryState>
      </div>
      {opened ? <InvitationSheet invitation={opened} onClose={() => setOpenedId(null)} /> : null}
    </section>
  );
}

function InvitationRow({
  invitation,
  onOpen,
}: {
  invitation: TeamInvitation;
  onOpen: (() => void) | undefined;
}) {
  const { t } = useLingui();
  const { email, status, uses, maxUses, undelivered, askedBy } = invitation;
  const { label, tone } = invitationStatusText(status);
  const what =
    email === null ? t`${uses} of ${maxUses} joined` : undelivered ? t`Couldn't be delivered` : null;
  return (
    <ListRow
      lead={<Icon name={email === null ? 'link' : 'envelope-simple'} />}
      title={email === null ? t`Link to join` : <EmailText email={email} />}
      note={dotted(
        roleText(invitation.role),
        branchText(invitation.branches),
        what,
        askedBy && t`${askedBy.name} asks to join instead`,
      )}
      end={<Badge tone={undelivered || askedBy ? 'bad' : tone}>{label}</Badge>}
      onClick={onOpen}
    />
  );
}

function History({ business }: { business: Business }) {
  const { t } = useLingui();
  const query = useTeamLog(business.id);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section className="team-history">
      <h2 className="h-m">{t`History`}</h2>
      <p className="sm mute mt1">{t`Only owners see this.`}</p>
      <div className="mt3">
        <QueryState
          query={query}
          loading={<RowsSkeleton count={3} />}
          errorTitle={t`We couldn't load the history`}
          isEmpty={() => items.length === 0}
          empty={<p className="mute">{t`Changes to the team appear here, with who made them.`}</p>}
        >
          {() => (
            <>
              <Card flush>
                {items.map((move) => (
                  <ListRow
                    key={move.id}
                    title={<span className="break">{teamMoveText(move)}</span>}
                    note={formatDate(move.at, ownTimeZone())}
                  />
                ))}
              </Card>
              <LoadMore query={query} />
            </>
          )}
        </QueryState>
      </div>
    </section>
  );
}

/** An email address that breaks after its @ and before its dots, rather than inside a word. */
function EmailText({ email }: { email: string }) {
  const at = email.lastIndexOf('@') + 1;
  return (
    <span>
      {email.slice(0, at)}
      {email
        .slice(at)
        .split(/(?=\.)/)
        .map((label) => (
          <Fragment key={label}>
            <wbr />
            {label}
          </Fragment>
        ))}
    </span>
  );
}

function OwnershipBanner({ business, offer }: { business: Business; offer: OwnershipOffer }) {
  const { t } = useLingui();
  const { withdrawOwnership, acceptOwnership, declineOwnership } = useMemberMoves();
  const [accepting, setAccepting] = useState(false);
  const action = useAction();
  const { id: businessId, name } = business;
  const { you } = offer;
  const fromName = offer.fromName || t`The owner`;
  const toName = offer.toName || t`another member`;
  const until = formatDate(offer.expiresAt, ownTimeZone());

  const withdraw = () =>
    action.run(async () => {
      await withdrawOwnership.mutateAsync({ businessId });
      showToast(t`Offer withdrawn`);
    });
  const accept = () =>
    action.run(async () => {
      await acceptOwnership.mutateAsync({ businessId });
      setAccepting(false);
      showToast(t`You now own ${name}`);
    });
  const decline = async () => {
    const choice = await showAlert({
      title: t`Decline to take over ${name}?`,
      message: t`${fromName} is notified and stays its owner.`,
      tone: 'ask',
      buttons: [
        { value: 'decline', label: t`Decline`, kind: 'bad' },
        { value: 'keep', label: t`Not now` },
      ],
    });
    if (choice !== 'decline') return;
    await action.run(async () => {
      await declineOwnership.mutateAsync({ businessId });
      showToast(t`Offer declined`);
    });
  };

  return (
    <div className="col g2">
      <Banner tone="here" icon="storefront">
        {you === 'to' ? (
          <Trans>
            {fromName} wants to hand over {name} to you. Reply by {until}.
          </Trans>
        ) : you === 'from' ? (
          <Trans>
            You offered {name} to {toName}. They can accept until {until}.
          </Trans>
        ) : (
          <Trans>
            {fromName} offered {name} to {toName}. They can accept until {until}.
          </Trans>
        )}
      </Banner>
      {accepting ? null : <Refused text={action.refusal} />}
      {you === 'to' ? (
        <div className="row wrap g2">
          <Button kind="go" needsNetwork onClick={() => setAccepting(true)}>
            {t`Take over the business`}
          </Button>
          <Button kind="out" busy={action.busy} onClick={() => void decline()}>
            {t`Decline`}
          </Button>
        </div>
      ) : roleMay(business.role, 'ownership') ? (
        <div>
          <Button kind="out" size="s" busy={action.busy} onClick={() => void withdraw()}>
            {t`Withdraw offer`}
          </Button>
        </div>
      ) : null}
      {accepting ? (
        <Sheet open onClose={() => setAccepting(false)} title={t`Take over ${name}`}>
          <div className="col g4">
            <p>
              <Trans>
                You become the owner of {name}, with its jobs, money and duties, and {fromName} becomes a
                manager. We then verify the business again.
              </Trans>
            </p>
            <Refused text={action.refusal} />
            <Button kind="go" full busy={action.busy} onClick={() => void accept()}>
              {t`Take over the business`}
            </Button>
          </div>
        </Sheet>
      ) : null}
    </div>
  );
}
