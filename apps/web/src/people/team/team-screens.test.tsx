import type { OpenedInvitation, Team, TeamInvitation, TeamMember } from '@nearhand/contract/people/team';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { press } from '../../../test/device.ts';
import { type Handlers, refuse } from '../../../test/fake-api.ts';
import { leila, sampleAccount, sampleBusiness, sampleProfile } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { field, problemAt, type } from '../../../test/typing.ts';
import EditBusinessScreen from '../businesses/edit-business.screen.tsx';
import { ConfirmIdentityHost } from '../passkeys/confirm-identity.tsx';
import JoinTeamScreen from './join-team.screen.tsx';
import OwnerChangeScreen from './owner-change.screen.tsx';

const id = (end: string) => `0193aaaa-0000-7000-8000-0000000000${end}`;
const token = 'x'.repeat(43);

const member = (change: Partial<TeamMember>): TeamMember => ({
  accountId: id('a2'),
  name: 'Nadia Rahmani',
  email: 'nadia@example.org',
  photoPath: null,
  role: 'owner',
  branches: null,
  roleChoices: [],
  actions: [],
  isYou: true,
  joinedAt: '2026-10-01T08:00:00Z',
  lastActiveOn: '2026-11-20',
  ...change,
});
const omar = member({
  accountId: id('a5'),
  name: 'Omar Idrissi',
  email: 'omar@example.org',
  role: 'recruiter',
  isYou: false,
  roleChoices: ['manager', 'finance'],
  actions: ['change-role', 'remove', 'offer-ownership'],
});
const team = (change: Partial<Team> = {}): Team => ({
  members: [member({}), omar],
  invitableRoles: ['owner', 'manager', 'recruiter', 'finance'],
  seesLog: true,
  ownershipOffer: null,
  ownersFrozen: false,
  ...change,
});
const invitation = (change: Partial<TeamInvitation> = {}): TeamInvitation => ({
  id: id('c1'),
  email: 'sam@example.org',
  role: 'finance',
  branches: null,
  status: 'open',
  maxUses: 1,
  uses: 0,
  invitedBy: 'Nadia Rahmani',
  sentAt: '2026-11-20T08:00:00Z',
  expiresAt: '2026-11-27T08:00:00Z',
  undelivered: false,
  askedBy: null,
  canManage: true,
  ...change,
});
const page = <Item,>(...items: Item[]) => ({ items, nextCursor: null });

const openTeam = (api: Handlers = {}, role: 'owner' | 'recruiter' = 'owner') =>
  renderPart(<EditBusinessScreen />, {
    path: '/edit-business?part=team',
    session: 'business',
    api: {
      'businesses.mine': [sampleBusiness({ role })],
      'team.members': team(),
      'team.invitations': page(),
      'team.log': page(),
      ...api,
    },
  });

describe('the team of a business', () => {
  it('shows members with their role and last activity, and where invitations will appear', async () => {
    openTeam();
    expect(await screen.findByText('Nadia Rahmani (you)')).toBeTruthy();
    expect(screen.getAllByText('Last active Fri 20 Nov').length).toBeGreaterThan(0);
    expect(screen.getByText('omar@example.org').innerHTML).toBe('omar@<wbr>example<wbr>.org');
    expect(await screen.findByText(/Invitations you send appear here/)).toBeTruthy();
    expect(await screen.findByText(/Changes to the team appear here/)).toBeTruthy();
  });

  it('confirms before declining to take over the business', async () => {
    const offer = {
      id: id('f1'),
      you: 'to',
      fromName: 'Omar Idrissi',
      toName: 'Nadia Rahmani',
      expiresAt: '2026-11-27T08:00:00Z',
    } as const;
    const { api } = openTeam({
      'team.members': team({ ownershipOffer: offer }),
      'team.declineOwnership': team(),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Decline' }));
    const question = await screen.findByRole('alertdialog', { name: /^Decline to take over / });
    expect(api.calls('team.declineOwnership')).toEqual([]);
    fireEvent.click(within(question).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(api.calls('team.declineOwnership')).toHaveLength(1));
  });

  it('is read-only without permission, with no forbidden requests', async () => {
    const { api } = openTeam(
      { 'team.members': team({ invitableRoles: [], seesLog: false, members: [{ ...omar, actions: [] }] }) },
      'recruiter',
    );
    expect(await screen.findByText('Only an owner or manager can change the team.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Invite someone' })).toBeNull();
    expect(api.calls('team.invitations')).toEqual([]);
    expect(api.calls('team.log')).toEqual([]);
  });

  it('shows what failed and reloads', async () => {
    let fails = true;
    openTeam({
      'team.members': () => {
        if (fails) throw refuse('request/internal');
        return team();
      },
    });
    expect(await screen.findByText("We couldn't load the team")).toBeTruthy();
    fails = false;
    press('Try again');
    expect(await screen.findByText('Omar Idrissi')).toBeTruthy();
  });

  it('keeps a rejected invitation in its form, with the reason at the address', async () => {
    const { api } = openTeam({
      'team.invite': () => {
        throw refuse('team/already-invited');
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Invite someone' }));
    press('Send invitation');
    await waitFor(() => expect(problemAt('Email')).toMatch(/Enter an address/));
    type('Email', 'sam@example.org');
    press('Send invitation');
    await waitFor(() => expect(problemAt('Email')).toMatch(/They already have an open invitation/));
    expect((field('Email') as HTMLInputElement).value).toBe('sam@example.org');
    expect(api.calls('team.invite').map(({ input }) => input.role)).toEqual(['recruiter']);
  });

  it('asks for the password before an invitation, then sends it; closing the question sends nothing', async () => {
    let proved = false;
    const { api } = renderPart(
      <>
        <EditBusinessScreen />
        <ConfirmIdentityHost />
      </>,
      {
        path: '/edit-business?part=team',
        session: 'business',
        api: {
          'businesses.mine': [sampleBusiness({ role: 'owner' })],
          'team.members': team(),
          'team.invitations': page(),
          'team.log': page(),
          'team.invite': () => {
            if (!proved) throw refuse('session/password-required');
            return invitation();
          },
          'POST /api/auth/verify-password': () => {
            proved = true;
            return new Response('{}', { headers: { 'content-type': 'application/json' } });
          },
          'signIn.secondStep': { on: false, hasPassword: true },
          'passkeys.list': [],
        },
      },
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Invite someone' }));
    type('Email', 'sam@example.org');
    press('Send invitation');
    const question = await screen.findByRole('dialog', { name: "Confirm that it's you" });
    fireEvent.click(within(question).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText("You didn't confirm that it's you, so nothing changed.")).toBeTruthy();
    expect(api.calls('team.invite')).toHaveLength(1);
    press('Send invitation');
    await screen.findByRole('dialog', { name: "Confirm that it's you" });
    type('Password', 'secret-1');
    press('Continue');
    expect(await screen.findByText('Invitation sent to sam@example.org')).toBeTruthy();
    expect(api.calls('team.invite')).toHaveLength(3);
  });

  it('shows a new link once, to copy', async () => {
    openTeam({
      'team.createLink': {
        invitation: invitation({ email: null, maxUses: 5 }),
        url: `https://nearhand.example/join-team/${token}`,
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Invite someone' }));
    fireEvent.click(screen.getByRole('radio', { name: 'By link' }));
    press('Create link');
    expect(await screen.findByText(`https://nearhand.example/join-team/${token}`)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy();
  });

  it('sends a requested invitation', async () => {
    const invitationByOther = invitation({ askedBy: { name: 'Sam Okafor', email: 'sam@home.example' } });
    const { api } = openTeam({ 'team.invitations': page(invitationByOther), 'team.resend': invitation() });
    fireEvent.click(await screen.findByText(/Sam Okafor asks to join instead/));
    press('Send to sam@home.example');
    await waitFor(() => expect(api.calls('team.resend')).toHaveLength(1));
    expect(api.calls('team.resend')[0]?.input).toEqual({
      teamInvitationId: invitationByOther.id,
      toAsker: true,
    });
  });

  it('shows that someone else changed a role', async () => {
    const { api } = openTeam({
      'team.changeRole': () => {
        throw refuse('team/role-changed', { role: 'finance' });
      },
    });
    fireEvent.click(await screen.findByText('Omar Idrissi'));
    const sheet = within(await screen.findByRole('dialog'));
    fireEvent.click(sheet.getByRole('radio', { name: /Manager/ }));
    fireEvent.click(sheet.getByRole('button', { name: 'Change role' }));
    expect(await sheet.findByText(/Someone else just changed their role/)).toBeTruthy();
    expect(api.calls('team.changeRole')[0]?.input).toMatchObject({ role: 'manager', fromRole: 'recruiter' });
  });

  it('shows that the owners of a restored team are frozen, and what continues', async () => {
    openTeam({ 'team.members': team({ ownersFrozen: true, invitableRoles: ['manager', 'recruiter'] }) });
    expect(await screen.findByText(/The owners of .* were restored, so they can't change/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Add documents for the check' })).toBeTruthy();
  });

  it('hides roles for an owner, and explains another role and a removal', async () => {
    const owner = member({
      accountId: id('a6'),
      name: 'Ida Owner',
      isYou: false,
      roleChoices: ['manager', 'recruiter', 'finance'],
      actions: ['change-role', 'remove'],
    });
    openTeam({ 'team.members': team({ members: [member({}), owner] }) });
    fireEvent.click(await screen.findByText('Ida Owner'));
    const sheet = within(await screen.findByRole('dialog'));
    expect(sheet.getByText(/Ida Owner is an owner.*They can undo this for 72 hours/)).toBeTruthy();
    const change = sheet.getByRole<HTMLButtonElement>('button', { name: 'Change role' });
    expect(sheet.getAllByRole<HTMLInputElement>('radio').filter(({ checked }) => checked)).toEqual([]);
    expect(change.disabled).toBe(true);
    fireEvent.click(sheet.getByRole('radio', { name: /Finance/ }));
    expect(change.disabled).toBe(false);
    press('Remove from the team');
    expect(await screen.findByText(/As they're an owner, they can undo this for 72 hours/)).toBeTruthy();
  });

  it('explains inviting an owner', async () => {
    openTeam();
    fireEvent.click(await screen.findByRole('button', { name: 'Invite someone' }));
    expect(screen.queryByText(/Owners can remove you too/)).toBeNull();
    fireEvent.click(screen.getByRole('radio', { name: /Owner/ }));
    expect(screen.getByText(/Owners can remove you too/)).toBeTruthy();
  });

  it('has a table of what each role can do', async () => {
    openTeam();
    fireEvent.click(await screen.findByRole('radio', { name: 'Roles' }));
    const table = await screen.findByRole('table', { name: 'What each role can do' });
    const row = within(table).getByRole('row', { name: /See applicants, interview and hire/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .slice(1)
        .map((cell) => cell.textContent),
    ).toEqual(['', '', '', '', '–No']);
  });
});

const opened = (change: Partial<OpenedInvitation> = {}): OpenedInvitation => ({
  businessId: id('b1'),
  businessName: 'Kopi & Crumb',
  area: 'Jordaan',
  logoPath: null,
  verified: true,
  role: 'recruiter',
  branches: null,
  status: 'open',
  invitedBy: 'Nadia Rahmani',
  email: 'leila@example.org',
  reader: 'addressee',
  asked: false,
  expiresAt: '2026-11-27T08:00:00Z',
  ...change,
});
const Elsewhere = () => <p>elsewhere: {useLocation().pathname}</p>;
const openLink = (api: Handlers, session: 'worker' | 'unverified' | 'signedOut' = 'worker', path = token) =>
  renderPart(
    <Routes>
      <Route path="/join-team/:token" element={<JoinTeamScreen />} />
      <Route path="*" element={<Elsewhere />} />
    </Routes>,
    {
      path: `/join-team/${path}`,
      session,
      api: {
        'businesses.mine': [],
        'profiles.mine': sampleProfile({ name: 'Leila Haddad' }),
        'accounts.me': sampleAccount(leila),
        ...api,
      },
    },
  );

describe('an invitation to a team', () => {
  it('leads a guest to an account and back', async () => {
    openLink({ 'team.opened': opened({ reader: 'guest', email: 'l•••@example.org' }) }, 'signedOut');
    const link = await screen.findByRole('link', { name: 'Create account' });
    expect(link.getAttribute('href')).toBe(`/register?next=%2Fjoin-team%2F${token}`);
    expect(screen.getByText(/with l•••@example.org to accept/)).toBeTruthy();
  });

  it("is accepted by its addressee, or shows why it can't be", async () => {
    let over = true;
    const { api } = openLink({
      'team.opened': opened({ branches: ['Noord', 'West'] }),
      'team.accept': () => {
        if (over) throw refuse('team/invitation-over', { status: 'revoked' });
        return { businessId: id('b1'), role: 'recruiter' as const };
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Join Kopi & Crumb' }));
    expect(screen.getByText('Only for: Noord and West')).toBeTruthy();
    expect(await screen.findByText(/can't be used any more/)).toBeTruthy();
    over = false;
    press('Join Kopi & Crumb');
    expect(await screen.findByText('elsewhere: /all-job-applicants')).toBeTruthy();
    expect(api.calls('team.accept')).toHaveLength(2);
  });

  it.each([
    ['finance', '/merchant-transaction'],
    ['manager', '/tabs/menu/business'],
  ] as const)('asks a new user only for the name, and opens the screen of a %s', async (role, path) => {
    const { api } = openLink({
      'profiles.mine': sampleProfile({ name: '' }),
      'accounts.me': { ...sampleAccount(leila), intent: null },
      'accounts.update': sampleAccount(leila),
      'profiles.save': sampleProfile({ name: 'Fay Nance' }),
      // The session is read again with its new name.
      'POST /api/auth/access-token': () => new Response('{}', { status: 503 }),
      'team.opened': opened({ role }),
      'team.accept': { businessId: id('b1'), role },
    });
    await screen.findByLabelText('Your name');
    press('Join Kopi & Crumb');
    await waitFor(() => expect(problemAt('Your name')).toBe('Enter your name.'));
    type('Your name', ' Fay Nance ');
    press('Join Kopi & Crumb');
    expect(await screen.findByText(`elsewhere: ${path}`)).toBeTruthy();
    expect(api.inputs('profiles.save')).toMatchObject([{ name: 'Fay Nance' }]);
    expect(api.inputs('accounts.update')).toEqual([{ intent: 'hire' }]);
  });

  it('confirms before declining', async () => {
    const { api } = openLink({
      'team.opened': opened(),
      'team.decline': opened({ status: 'declined' }),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Decline' }));
    const question = await screen.findByRole('alertdialog', { name: 'Decline this invitation?' });
    expect(api.calls('team.decline')).toEqual([]);
    fireEvent.click(within(question).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(api.calls('team.decline')).toHaveLength(1));
  });

  describe('whose addressee is not verified', () => {
    const join = async (api: Handlers) => {
      const rendered = openLink({ 'team.opened': opened(), ...api }, 'unverified');
      fireEvent.click(await screen.findByRole('button', { name: 'Join Kopi & Crumb' }));
      return rendered.api;
    };
    const refused = (code: string) => () => new Response(JSON.stringify({ code }), { status: 400 });
    const prove = 'POST /api/auth/verify-email-by-invitation';
    const mail = 'POST /api/auth/send-verification-email';

    it('sends our own mail only if the invitation is no proof', async () => {
      const sendMail = vi.fn(() => new Response('{}'));
      await join({ [prove]: refused('auth/invalid-action-code'), [mail]: sendMail });
      expect(await screen.findByText('Open the link we sent you, then you can join the team.')).toBeTruthy();
      expect(sendMail).toHaveBeenCalledOnce();
    });

    it('says that the mail could not be sent, and can try again', async () => {
      await join({
        [prove]: refused('auth/invalid-action-code'),
        [mail]: refused('auth/too-many-requests'),
      });
      expect(await screen.findByText(/Requests are blocked due to unusual activity/)).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Decline' })).toBeTruthy();
    });

    it('says that the server did not answer, and sends no mail', async () => {
      await join({ [prove]: () => new Response('', { status: 503 }) });
      expect(await screen.findByText('A network error occurred.')).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Join Kopi & Crumb' })).toBeTruthy();
    });

    it('shows that it was cancelled, and sends no mail', async () => {
      let status: OpenedInvitation['status'] = 'open';
      await join({
        'team.opened': () => opened({ status }),
        [prove]: () => {
          status = 'revoked';
          return refused('auth/invalid-action-code')();
        },
      });
      expect(await screen.findByText(/This invitation was cancelled/)).toBeTruthy();
    });
  });

  it('shows someone with another address whose it is, and requests one for them', async () => {
    let wasAsked = false;
    openLink({
      'team.opened': () => opened({ reader: 'other-address', email: 's•••@example.org', asked: wasAsked }),
      'team.ask': () => {
        wasAsked = true;
        return opened({ reader: 'other-address', asked: wasAsked });
      },
    });
    expect(
      await screen.findByText(
        `This invitation was sent to s•••@example.org. You're signed in as ${leila.email}.`,
      ),
    ).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sign out and use the other account' })).toBeTruthy();
    press(`Ask for an invitation to ${leila.email}`);
    expect(await screen.findByText(/We asked Kopi & Crumb to send the invitation/)).toBeTruthy();
  });

  it.each([
    ['expired', 'This invitation has expired.'],
    ['revoked', 'This invitation was cancelled.'],
    ['accepted', 'This invitation was already used.'],
    ['declined', 'You declined this invitation.'],
  ] as const)('shows that it is %s and whom to ask', async (status, text) => {
    openLink({ 'team.opened': opened({ status }) });
    expect(await screen.findByText(`${text} Ask Nadia Rahmani for a new one.`)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Join Kopi & Crumb' })).toBeNull();
  });

  it('reports an unknown or incomplete link', async () => {
    const { api } = openLink({}, 'signedOut', 'short');
    expect(await screen.findByText("This link doesn't work")).toBeTruthy();
    expect(api.calls('team.opened')).toEqual([]);
  });

  it('reports a replaced link', async () => {
    openLink({
      'team.opened': () => {
        throw refuse('team/invitation-not-found');
      },
    });
    expect(await screen.findByText("This link doesn't work")).toBeTruthy();
  });
});

describe('a change of owners', () => {
  const change = {
    id: id('d1'),
    businessName: 'Kopi and Crumb',
    personName: 'Zoe Thief',
    change: 'became-owner',
    actorName: 'Nadia Rahmani',
    at: '2026-11-21T08:00:00Z',
    undoBy: '2026-11-24T08:00:00Z',
    status: 'open',
  } as const;
  const open = (api: Handlers) =>
    renderPart(
      <Routes>
        <Route path="/owner-change/:moveid" element={<OwnerChangeScreen />} />
      </Routes>,
      { path: `/owner-change/${change.id}`, session: 'business', api },
    );

  it('is undone by a previous owner', async () => {
    let status: 'open' | 'undone' = 'open';
    const { api } = open({
      'team.ownerChange': () => ({ ...change, status }),
      'team.undoOwnerChange': () => {
        status = 'undone';
        return { ...change, status };
      },
    });
    expect(await screen.findByText('Zoe Thief became an owner of Kopi and Crumb.')).toBeTruthy();
    expect(screen.getByText(/^Changed by Nadia Rahmani on/)).toBeTruthy();
    expect(screen.getByText(/its owners can't change until we have/)).toBeTruthy();
    press('Undo this change');
    expect(await screen.findByText(/This was undone.*They can't change until we've verified/)).toBeTruthy();
    expect(api.inputs('team.undoOwnerChange')).toEqual([{ teamMoveId: change.id }]);
    expect(screen.queryByRole('button', { name: 'Undo this change' })).toBeNull();
  });

  it("shows why it isn't theirs to undo", async () => {
    open({
      'team.ownerChange': () => {
        throw refuse('team/change-not-found');
      },
    });
    expect(await screen.findByText("You can't undo this")).toBeTruthy();
    expect(screen.getByText(/You're signed in as .*@/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sign out and use the other account' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo this change' })).toBeNull();
  });

  it("shows that it can't be undone any more", async () => {
    open({ 'team.ownerChange': { ...change, actorName: change.personName, status: 'over' } });
    expect((await screen.findAllByText(/You can't undo this any more/)).length).toBeGreaterThan(0);
    expect(screen.getByText(/^They accepted on/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Write to us' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo this change' })).toBeNull();
  });
});
