import type { MemberRole } from '@nearhand/contract/member-roles';
import { teamLimits } from '@nearhand/contract/people/team.rules';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { MailRefusedError } from '../../platform/mail/mail.ts';
import { makeBusiness, makeMember } from '../businesses/businesses.fixtures.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';

const app = useTestApp();
let owner: Person;
let manager: Person;
let businessId: string;

beforeEach(async () => {
  app.clock.forward({ days: 1 });
  owner = await app.person({ name: 'Ingrid Solheim' });
  const business = await makeBusiness(app.db, app.scopeOf(owner), { name: 'Café Solheim' });
  businessId = business.id;
  manager = await member('manager', 'Maria Manager');
});

async function member(role: MemberRole, name: string) {
  const person = await app.person({ name });
  await makeMember(app.db, app.clock, businessId, person.accountId, role);
  return person;
}

/** The token in the last mail to an address. */
async function mailedTo(email: string): Promise<string> {
  await app.runDue();
  const mail = app.mails.findLast(({ to, subject }) => to === email && subject.startsWith('Join'));
  const token = /\/join-team\/([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`no invitation was mailed to ${email}`);
  return token;
}
const tokenIn = (url: string) => url.split('/join-team/')[1] ?? '';
const invite = (by: Person, email: string, role: MemberRole = 'recruiter') =>
  by.api.team.invite({ businessId, email, role });
const listed = async () => (await owner.api.team.invitations({ businessId })).items;
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items
    .map(({ topic }) => topic)
    .filter((key) => key.startsWith('team-'));
const nobody = { token: 'x'.repeat(43) };

describe('team.invite', () => {
  it('mails a link stored only as a hash, and lists the invitation', async () => {
    const guest = await app.person({ name: 'Omar Idrissi' });
    const invitation = await invite(owner, guest.email.toUpperCase());
    expect(invitation).toMatchObject({
      email: guest.email,
      role: 'recruiter',
      status: 'open',
      uses: 0,
      maxUses: 1,
    });
    const token = await mailedTo(guest.email);
    expect(app.mails.at(-1)?.subject).toBe('Join Café Solheim on Nearhand');
    const rows = await app.db
      .selectFrom('team_invitations')
      .selectAll()
      .where('id', '=', invitation.id)
      .execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await listed()).toEqual([invitation]);
  });

  it('lets managers invite only below themselves, and rejects recruiters, finance and strangers', async () => {
    for (const role of ['owner', 'manager'] as const)
      expect(await failure(invite(manager, 'a@example.test', role))).toMatchObject({
        code: 'business/not-allowed',
      });
    expect(await invite(manager, 'a@example.test', 'finance')).toMatchObject({ role: 'finance' });
    for (const role of ['recruiter', 'finance'] as const)
      expect(await failure(invite(await member(role, role), 'b@example.test'))).toMatchObject({
        code: 'business/not-allowed',
      });
    expect(await failure(invite(await app.person(), 'b@example.test'))).toMatchObject({
      code: 'business/not-found',
    });
  });

  it('rejects a member, an address with an open invitation, and an invalid address', async () => {
    expect(await failure(invite(owner, manager.email))).toMatchObject({ code: 'team/already-member' });
    await invite(owner, 'twice@example.test');
    expect(await failure(invite(owner, 'Twice@example.test'))).toMatchObject({
      code: 'team/already-invited',
    });
    expect(await failure(invite(owner, 'nobody'))).toMatchObject({ code: 'request/invalid' });
    app.clock.forward({ days: teamLimits.invitationDays });
    // The timer has not run, so the old invitation ends here.
    expect(await invite(owner, 'twice@example.test')).toMatchObject({ status: 'open' });
    expect((await listed()).map(({ status }) => status)).toEqual(['open', 'expired']);
  });

  it('stops at the limits of open invitations and of a day', async () => {
    for (let sent = 0; sent < teamLimits.openInvitations; sent += 1)
      await invite(owner, `p${sent}@example.test`);
    expect(await failure(invite(owner, 'more@example.test'))).toMatchObject({
      code: 'team/full',
      data: { limit: teamLimits.openInvitations },
    });
    const [last] = await listed();
    await owner.api.team.revoke({ teamInvitationId: last?.id ?? '' });
    expect(await failure(invite(owner, 'more@example.test'))).toMatchObject({
      code: 'team/invitation-limit',
      data: { limit: teamLimits.invitationsPerDay },
    });
    app.clock.forward({ days: 1 });
    expect(await invite(owner, 'more@example.test')).toMatchObject({ status: 'open' });
  });

  it('mails one address a few times a day, and less often for an unverified business', async () => {
    const invitation = await invite(owner, 'again@example.test');
    for (let sent = 1; sent < teamLimits.mailsPerAddress; sent += 1)
      await owner.api.team.resend({ teamInvitationId: invitation.id });
    const limit = teamLimits.mailsPerAddress;
    const again = owner.api.team.resend({ teamInvitationId: invitation.id });
    expect(await failure(again)).toMatchObject({ code: 'team/invitation-limit', data: { limit } });
    await owner.api.team.revoke({ teamInvitationId: invitation.id });
    expect(await failure(invite(owner, 'again@example.test'))).toMatchObject({ data: { limit } });
    expect(await invite(owner, 'other@example.test')).toMatchObject({ status: 'open' });

    const young = await makeBusiness(app.db, app.scopeOf(owner), { verified: false });
    const inviteNumber = (number: number) =>
      owner.api.team.invite({ businessId: young.id, email: `n${number}@example.test`, role: 'recruiter' });
    for (let sent = 0; sent < teamLimits.invitationsPerDayUnverified; sent += 1) await inviteNumber(sent);
    expect(await failure(inviteNumber(99))).toMatchObject({
      data: { limit: teamLimits.invitationsPerDayUnverified },
    });
  });

  it('shows that an address bounced', async () => {
    const send = app.mails.push.bind(app.mails);
    const invitation = await invite(owner, 'gone@example.test');
    app.mails.push = () => {
      throw new MailRefusedError('550 5.1.1 no such user');
    };
    await app.runDue();
    app.mails.push = send;
    expect(await listed()).toMatchObject([{ id: invitation.id, undelivered: true }]);
    await owner.api.team.resend({ teamInvitationId: invitation.id });
    expect(await listed()).toMatchObject([{ id: invitation.id, undelivered: false }]);
  });
});

describe('team.invitations', () => {
  it('pages newest first, for owners and managers', async () => {
    for (const email of ['one@example.test', 'two@example.test', 'three@example.test']) {
      await invite(owner, email);
      app.clock.forward({ seconds: 1 });
    }
    const first = await manager.api.team.invitations({ businessId, limit: 2 });
    expect(first.items.map(({ email }) => email)).toEqual(['three@example.test', 'two@example.test']);
    const rest = await manager.api.team.invitations({ businessId, limit: 2, cursor: first.nextCursor ?? '' });
    expect([rest.items.map(({ email }) => email), rest.nextCursor]).toEqual([['one@example.test'], null]);
    const recruiter = await member('recruiter', 'Omar');
    expect(await failure(recruiter.api.team.invitations({ businessId }))).toMatchObject({
      code: 'business/not-allowed',
    });
    expect(await failure(owner.api.team.invitations({ businessId, cursor: 'x' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });
});

describe('team.createLink', () => {
  it('accepts its number of members, each once, and never as an owner', async () => {
    const { invitation, url } = await owner.api.team.createLink({ businessId, role: 'finance', maxUses: 2 });
    const token = tokenIn(url);
    const firstInvitee = await app.person();
    const secondInvitee = await app.person();
    const thirdInvitee = await app.person();
    for (const person of [firstInvitee, firstInvitee, secondInvitee])
      expect(await person.api.team.accept({ token })).toEqual({ businessId, role: 'finance' });
    expect((await listed()).map(({ id }) => id)).not.toContain(invitation.id);
    expect(await failure(thirdInvitee.api.team.accept({ token }))).toMatchObject({
      code: 'team/invitation-over',
      data: { status: 'accepted' },
    });
    // @ts-expect-error the contract rejects the role too
    const asOwner = owner.api.team.createLink({ businessId, role: 'owner', maxUses: 1 });
    expect(await failure(asOwner)).toMatchObject({ code: 'request/invalid' });
  });

  it('accepts one of two who take the last place concurrently', async () => {
    const { url } = await owner.api.team.createLink({ businessId, role: 'recruiter', maxUses: 1 });
    const people = await Promise.all([app.person(), app.person(), app.person()]);
    const answers = await Promise.allSettled(
      people.map(({ api }) => api.team.accept({ token: tokenIn(url) })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await owner.api.team.members({ businessId })).members).toHaveLength(3);
  });
});

describe('team.opened', () => {
  it('shows a guest the inviter, the business and the address', async () => {
    await invite(owner, 'leila@example.test', 'finance');
    const token = await mailedTo('leila@example.test');
    expect(await app.apiAs(null).team.opened({ token })).toMatchObject({
      businessName: 'Café Solheim',
      verified: true,
      role: 'finance',
      status: 'open',
      invitedBy: 'Ingrid Solheim',
      email: 'leila@example.test',
      reader: 'guest',
    });
    const leila = await app.person({ email: 'leila@example.test' });
    expect(await leila.api.team.opened({ token })).toMatchObject({
      email: 'leila@example.test',
      reader: 'addressee',
    });
    expect(await (await app.person()).api.team.opened({ token })).toMatchObject({
      email: 'leila@example.test',
      reader: 'other-address',
    });
    expect(await manager.api.team.opened({ token })).toMatchObject({ reader: 'member' });
    expect(await failure(app.apiAs(null).team.opened(nobody))).toMatchObject({
      code: 'team/invitation-not-found',
    });
  });
});

describe('team.received', () => {
  it('shows invitations to the own address in the app, with a notification', async () => {
    const guest = await app.person({ name: 'Omar Idrissi' });
    const stranger = await app.person();
    const { id } = await invite(manager, guest.email);
    expect(await topicsOf(guest)).toEqual(['team-invited']);
    expect(await guest.api.team.received()).toMatchObject([{ id, businessId, role: 'recruiter' }]);
    expect(await stranger.api.team.received()).toEqual([]);
    app.clock.forward({ days: teamLimits.invitationDays });
    expect(await guest.api.team.received()).toEqual([]);
  });
});

describe('team.acceptReceived', () => {
  it('adds the addressee without the link, and nobody else', async () => {
    const guest = await app.person();
    const stranger = await app.person();
    const { id: teamInvitationId } = await invite(manager, guest.email);
    expect(await failure(stranger.api.team.acceptReceived({ teamInvitationId }))).toMatchObject({
      code: 'team/invitation-not-found',
    });
    const waiting = async () => (await guest.api.notifications.list({ waiting: 'true' })).items;
    expect(await waiting()).toHaveLength(1);
    app.clock.forward({ minutes: 1 });
    await manager.api.team.resend({ teamInvitationId });
    expect(await waiting()).toHaveLength(1);
    const joined = { businessId, role: 'recruiter' };
    for (const _twice of [1, 2])
      expect(await guest.api.team.acceptReceived({ teamInvitationId })).toEqual(joined);
    expect(await waiting()).toEqual([]);
    expect(await guest.api.team.received()).toEqual([]);
  });
});

describe('team.declineReceived', () => {
  it('declines without the link, and notifies the inviter', async () => {
    const guest = await app.person();
    const stranger = await app.person();
    const { id: teamInvitationId } = await invite(manager, guest.email);
    expect(await failure(stranger.api.team.declineReceived({ teamInvitationId }))).toMatchObject({
      code: 'team/invitation-not-found',
    });
    expect(await guest.api.team.declineReceived({ teamInvitationId })).toEqual([]);
    expect(await topicsOf(manager)).toEqual(['team-invitation-declined']);
    expect(await failure(guest.api.team.acceptReceived({ teamInvitationId }))).toMatchObject({
      code: 'team/invitation-over',
    });
  });
});

describe('team.accept', () => {
  it('adds the addressee once, and notifies the inviter and the owners', async () => {
    const guest = await app.person({ name: 'Omar Idrissi' });
    await invite(manager, guest.email);
    const token = await mailedTo(guest.email);
    for (const _twice of [1, 2])
      expect(await guest.api.team.accept({ token })).toEqual({ businessId, role: 'recruiter' });
    expect((await guest.api.businesses.mine())[0]).toMatchObject({ id: businessId, role: 'recruiter' });
    expect(await topicsOf(owner)).toEqual(['team-joined']);
    expect(await topicsOf(manager)).toEqual(['team-joined']);
    expect(await failure(manager.api.team.accept({ token }))).toMatchObject({ code: 'team/already-member' });
  });

  it('proves the address that the invitation was mailed to, and no other', async () => {
    const signUp = async (email: string) => {
      const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
      await page.post('/sign-up/email', { email, password: 'correct horse' });
      const verify = (invitation: string) => page.post('/verify-email-by-invitation', { invitation });
      return { page, verify };
    };
    await invite(manager, 'omar@example.test');
    const invitation = await mailedTo('omar@example.test');
    const sam = await signUp('sam@example.test');
    expect((await sam.verify(invitation)).json().code).toBe('auth/invalid-action-code');
    const omar = await signUp('omar@example.test');
    expect((await omar.verify(nobody.token)).json().code).toBe('auth/invalid-action-code');
    expect((await omar.verify('x')).statusCode).toBe(400);
    expect((await omar.verify(invitation)).statusCode).toBe(200);
    const { token } = (await omar.page.post('/access-token')).json();
    expect(await app.apiAs(token).team.accept({ token: invitation })).toMatchObject({ role: 'recruiter' });
    const { url } = await owner.api.team.createLink({ businessId, role: 'recruiter', maxUses: 5 });
    expect((await sam.verify(tokenIn(url))).json().code).toBe('auth/invalid-action-code');
  });

  it('rejects another address, and an expired, revoked or unknown invitation', async () => {
    const guest = await app.person();
    const stranger = await app.person();
    const invitation = await invite(owner, guest.email);
    const token = await mailedTo(guest.email);
    expect(await failure(stranger.api.team.accept({ token }))).toMatchObject({ code: 'team/other-address' });
    app.clock.forward({ days: teamLimits.invitationDays });
    expect(await failure(guest.api.team.accept({ token }))).toMatchObject({
      code: 'team/invitation-over',
      data: { status: 'expired' },
    });
    await app.runDue();
    expect(await listed()).toMatchObject([{ id: invitation.id, status: 'expired' }]);
    expect(await failure(guest.api.team.accept(nobody))).toMatchObject({ code: 'team/invitation-not-found' });
  });

  it('either joins or fails during a concurrent revocation', async () => {
    for (const _round of [1, 2, 3, 4]) {
      const guest = await app.person();
      const invitation = await invite(owner, guest.email);
      const token = await mailedTo(guest.email);
      const [joined, revoked] = await Promise.allSettled([
        guest.api.team.accept({ token }),
        owner.api.team.revoke({ teamInvitationId: invitation.id }),
      ]);
      const isMember = (await owner.api.team.members({ businessId })).members.some(
        ({ accountId }) => accountId === guest.accountId,
      );
      expect([joined.status, revoked.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(isMember).toBe(joined.status === 'fulfilled');
    }
  });

  it('sends a verified business back to verification for a new owner', async () => {
    const guest = await app.person();
    await invite(owner, guest.email, 'owner');
    await guest.api.team.accept({ token: await mailedTo(guest.email) });
    expect(await owner.api.businesses.get({ businessId })).toMatchObject({ status: 'submitted' });
  });

  it('adds a new member to the rooms of the business', async () => {
    const guest = await app.person();
    await invite(owner, guest.email);
    const token = await mailedTo(guest.email);
    const socket = await app.socket(guest);
    await guest.api.team.accept({ token });
    await expect.poll(() => socket.signals.some(({ kind }) => kind === 'record')).toBe(true);
    await expect
      .poll(async () => {
        await owner.api.businesses.update({
          businessId,
          description: crypto.randomUUID(),
          version: (await owner.api.businesses.get({ businessId })).version,
        });
        return socket.signals.filter((signal) => signal.kind === 'record' && signal.record === 'business')
          .length;
      })
      .toBeGreaterThan(1);
  });
});

describe('team.decline', () => {
  it('ends an email invitation for its addressee only, and notifies', async () => {
    const guest = await app.person({ name: 'Omar' });
    const stranger = await app.person();
    await invite(manager, guest.email);
    const token = await mailedTo(guest.email);
    expect(await failure(stranger.api.team.decline({ token }))).toMatchObject({ code: 'team/other-address' });
    for (const _twice of [1, 2])
      expect(await guest.api.team.decline({ token })).toMatchObject({ status: 'declined' });
    expect(await topicsOf(manager)).toEqual(['team-invitation-declined']);
    expect(await failure(guest.api.team.accept({ token }))).toMatchObject({ code: 'team/invitation-over' });
    const { url } = await owner.api.team.createLink({ businessId, role: 'recruiter', maxUses: 1 });
    expect(await failure(guest.api.team.decline({ token: tokenIn(url) }))).toMatchObject({
      code: 'team/other-address',
    });
  });
});

describe('team.ask', () => {
  it('notifies the team of the requested address, and sending it there invalidates the old link', async () => {
    const other = await app.person({ name: 'Sam Okafor' });
    const invitation = await invite(manager, 'work@example.test');
    const token = await mailedTo('work@example.test');
    for (const _twice of [1, 2])
      expect(await other.api.team.ask({ token })).toMatchObject({ reader: 'other-address', asked: true });
    expect(await listed()).toMatchObject([{ askedBy: { name: 'Sam Okafor', email: other.email } }]);
    expect(await topicsOf(manager)).toEqual(['team-invitation-asked']);
    await manager.api.team.resend({ teamInvitationId: invitation.id, toAsker: true });
    expect(await listed()).toMatchObject([{ email: other.email, askedBy: null }]);
    expect(await failure(other.api.team.accept({ token }))).toMatchObject({
      code: 'team/invitation-not-found',
    });
    expect(await other.api.team.accept({ token: await mailedTo(other.email) })).toMatchObject({
      role: 'recruiter',
    });
  });

  it('rejects members and closed invitations', async () => {
    const invitation = await invite(owner, 'work@example.test');
    const token = await mailedTo('work@example.test');
    expect(await failure(manager.api.team.ask({ token }))).toMatchObject({ code: 'team/already-member' });
    await owner.api.team.revoke({ teamInvitationId: invitation.id });
    expect(await failure((await app.person()).api.team.ask({ token }))).toMatchObject({
      code: 'team/invitation-over',
    });
  });
});

describe('team.resend', () => {
  it('sends a new link for another week and invalidates the old one', async () => {
    const guest = await app.person();
    const invitation = await invite(owner, guest.email);
    const old = await mailedTo(guest.email);
    app.clock.forward({ days: teamLimits.invitationDays });
    await app.runDue();
    expect(await owner.api.team.resend({ teamInvitationId: invitation.id })).toMatchObject({
      status: 'open',
    });
    expect(await failure(guest.api.team.accept({ token: old }))).toMatchObject({
      code: 'team/invitation-not-found',
    });
    app.clock.forward({ days: 6 });
    expect(await guest.api.team.accept({ token: await mailedTo(guest.email) })).toMatchObject({ businessId });
    expect(await failure(owner.api.team.resend({ teamInvitationId: invitation.id }))).toMatchObject({
      code: 'team/invitation-over',
    });
  });

  it('allows only members who manage that role, and rejects links', async () => {
    const sent = await invite(owner, 'next@example.test', 'manager');
    const request = { teamInvitationId: sent.id };
    expect(await failure(manager.api.team.resend(request))).toMatchObject({ code: 'business/not-allowed' });
    expect(await failure((await app.person()).api.team.resend(request))).toMatchObject({
      code: 'team/invitation-not-found',
    });
    const { invitation } = await owner.api.team.createLink({ businessId, role: 'recruiter', maxUses: 1 });
    expect(await failure(owner.api.team.resend({ teamInvitationId: invitation.id }))).toMatchObject({
      code: 'team/invitation-not-found',
    });
  });
});

describe('team.renewLink', () => {
  it('gives a link another address and invalidates the old one', async () => {
    const link = await owner.api.team.createLink({ businessId, role: 'recruiter', maxUses: 3 });
    const request = { teamInvitationId: link.invitation.id };
    const renewed = await owner.api.team.renewLink(request);
    const guest = await app.person();
    expect(await failure(guest.api.team.accept({ token: tokenIn(link.url) }))).toMatchObject({
      code: 'team/invitation-not-found',
    });
    expect(await guest.api.team.accept({ token: tokenIn(renewed.url) })).toMatchObject({ businessId });
    const byMail = await invite(owner, 'mail@example.test');
    expect(await failure(owner.api.team.renewLink({ teamInvitationId: byMail.id }))).toMatchObject({
      code: 'team/invitation-not-found',
    });
  });
});

describe('team.revoke', () => {
  it('ends an invitation, even on a repeat, but not an accepted one', async () => {
    const guest = await app.person();
    const invitation = await invite(owner, guest.email);
    const request = { teamInvitationId: invitation.id };
    const token = await mailedTo(guest.email);
    for (const _twice of [1, 2])
      expect(await owner.api.team.revoke(request)).toMatchObject({ status: 'revoked' });
    expect(await failure(guest.api.team.accept({ token }))).toMatchObject({
      code: 'team/invitation-over',
      data: { status: 'revoked' },
    });
    const { id: teamInvitationId } = await invite(owner, guest.email);
    await guest.api.team.accept({ token: await mailedTo(guest.email) });
    expect((await listed()).map(({ id }) => id)).not.toContain(teamInvitationId);
    expect(await failure(owner.api.team.revoke({ teamInvitationId }))).toMatchObject({
      code: 'team/invitation-over',
    });
  });

  it('stops the mail if it was revoked before sending', async () => {
    const invitation = await invite(owner, 'never@example.test');
    await owner.api.team.revoke({ teamInvitationId: invitation.id });
    await expect(mailedTo('never@example.test')).rejects.toThrow('no invitation');
  });
});
