import type { MemberRole } from '@nearhand/contract/member-roles';
import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import { teamLimits } from '@nearhand/contract/people/team.rules';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import { makeSanction } from '../../trust/sanctions/sanctions.fixtures.ts';
import { makeBranch } from '../branches/branches.fixtures.ts';
import { verifyBusiness } from '../businesses/business-lifecycle.ts';
import { makeBusiness, makeMember } from '../businesses/businesses.fixtures.ts';
import { keepPasskey } from '../passkeys/passkeys.fixtures.ts';
import { signedInEarlier } from '../sign-in/second-step.fixtures.ts';

const app = useTestApp();
let owner: Person;
let manager: Person;
let recruiter: Person;
let businessId: string;

beforeEach(async () => {
  app.clock.forward({ days: 1 });
  owner = await app.person({ name: 'Ingrid Solheim' });
  const business = await makeBusiness(app.db, app.scopeOf(owner), { name: 'Café Solheim' });
  businessId = business.id;
  manager = await member('manager', 'Maria Manager');
  recruiter = await member('recruiter', 'Omar Idrissi');
});

async function member(role: MemberRole, name: string) {
  const person = await app.person({ name });
  await makeMember(app.db, app.clock, businessId, person.accountId, role);
  return person;
}
const roles = async () =>
  (await owner.api.team.members({ businessId })).members.map(({ name, role }) => [name, role]);
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items
    .map(({ topic }) => topic)
    .filter((key) => key.startsWith('team-'));
const suspend = async ({ accountId }: Person) => {
  const operator = await app.person({ name: 'Olivia Operator' });
  await makeSanction(app.db, app.scopeOf(operator), {
    target: { kind: 'account', id: accountId },
    measure: 'suspension',
    scope: 'everything',
  });
};
/** Simulates `/verify-password`, which the test of passwords covers. */
const enterPassword = (person: Person) =>
  app.db
    .insertInto('password_checks')
    .values({ sessionId: person.sessionId, at: app.clock.now() })
    .onConflict((conflict) => conflict.column('sessionId').doUpdateSet({ at: app.clock.now() }))
    .execute();

describe('team.members', () => {
  it("lists the team, owners first, with the caller's possible actions", async () => {
    const { members, invitableRoles, seesLog } = await owner.api.team.members({ businessId });
    expect(members.map(({ name, role, isYou, actions }) => [name, role, isYou, actions])).toEqual([
      ['Ingrid Solheim', 'owner', true, []],
      ['Maria Manager', 'manager', false, ['change-role', 'remove', 'offer-ownership']],
      ['Omar Idrissi', 'recruiter', false, ['change-role', 'remove', 'offer-ownership']],
    ]);
    expect([invitableRoles, seesLog]).toEqual([
      ['owner', 'manager', 'recruiter', 'coordinator', 'finance'],
      true,
    ]);
    expect(members[1]).toMatchObject({
      email: manager.email,
      roleChoices: ['recruiter', 'coordinator', 'finance'],
    });
  });

  it('hides addresses from recruiters and finance, and shows managers those they manage', async () => {
    const members = await recruiter.api.team.members({ businessId });
    expect(members.members.map(({ email, actions }) => [email, actions])).toEqual([
      [null, []],
      [null, []],
      [recruiter.email, ['leave']],
    ]);
    expect([members.invitableRoles, members.seesLog]).toEqual([[], false]);
    const managed = await manager.api.team.members({ businessId });
    expect(managed.invitableRoles).toEqual(['recruiter', 'coordinator', 'finance']);
    expect(managed.members.map(({ actions }) => actions)).toEqual([[], ['leave'], ['change-role', 'remove']]);
    const finance = await member('finance', 'Fin Visser');
    expect((await finance.api.team.members({ businessId })).members).toHaveLength(4);
    expect(await failure((await app.person()).api.team.members({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
  });

  it('returns the day of the last activity, except for members who hide it', async () => {
    await recruiter.api.conversations.saveSettings({
      ...(await recruiter.api.conversations.settings()),
      showsLastSeen: false,
    });
    const { members } = await owner.api.team.members({ businessId });
    expect(members.find(({ name }) => name === 'Omar Idrissi')?.lastActiveOn).toBeNull();
    expect(members.find(({ name }) => name === 'Maria Manager')?.lastActiveOn).toMatch(/^\d{4}-/);
  });
});

describe('team.changeRole', () => {
  const change = (by: Person, of: Person, role: 'manager' | 'recruiter' | 'finance', fromRole: MemberRole) =>
    by.api.team.changeRole({ businessId, memberId: of.accountId, role, fromRole });

  it('changes the role at once and notifies; a repeat is a no-op', async () => {
    for (const _twice of [1, 2]) await change(manager, recruiter, 'finance', 'recruiter');
    expect(await recruiter.api.businesses.get({ businessId })).toMatchObject({
      role: 'finance',
      actions: [],
    });
    expect(await topicsOf(recruiter)).toEqual(['team-role-changed']);
    expect(await failure(change(owner, recruiter, 'manager', 'recruiter'))).toMatchObject({
      code: 'team/role-changed',
      data: { role: 'finance' },
    });
  });

  it('rejects oneself, roles above, and callers who manage nobody', async () => {
    const refused = { code: 'business/not-allowed' };
    expect(await failure(change(manager, manager, 'recruiter', 'manager'))).toMatchObject(refused);
    expect(await failure(change(manager, owner, 'recruiter', 'owner'))).toMatchObject(refused);
    expect(await failure(change(manager, recruiter, 'manager', 'recruiter'))).toMatchObject(refused);
    expect(await failure(change(recruiter, manager, 'finance', 'manager'))).toMatchObject(refused);
    expect(await failure(change(owner, await app.person(), 'finance', 'recruiter'))).toMatchObject({
      code: 'team/member-not-found',
    });
  });

  it("demotes one of two owners and cancels a former manager's invitations", async () => {
    const second = await member('owner', 'Second Owner');
    await change(owner, second, 'manager', 'owner');
    const { url } = await manager.api.team.createLink({ businessId, role: 'recruiter', maxUses: 5 });
    await change(owner, manager, 'recruiter', 'manager');
    const token = url.split('/join-team/')[1] ?? '';
    expect(await failure((await app.person()).api.team.accept({ token }))).toMatchObject({
      code: 'team/invitation-over',
    });
  });
});

describe('team.remove', () => {
  const remove = (by: Person, of: Person) => by.api.team.remove({ businessId, memberId: of.accountId });

  it('ends access at once, including sockets, and the work stays with the business', async () => {
    const job = await makeJob(app.db, app.scopeOf(recruiter), businessId);
    const socket = await app.socket(recruiter);
    for (const _twice of [1, 2]) await remove(manager, recruiter);
    expect(await failure(recruiter.api.businesses.get({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
    expect(await failure(recruiter.api.jobs.listed({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
    expect(await recruiter.api.businesses.mine()).toEqual([]);
    expect((await owner.api.jobs.listed({ businessId })).items.map(({ id }) => id)).toEqual([job.id]);
    expect(await topicsOf(recruiter)).toEqual(['team-removed']);
    // On a busy machine one check takes a second.
    const patience = { timeout: 10_000 };
    await expect.poll(() => socket.signals.length, patience).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        const before = socket.signals.length;
        const { version } = await owner.api.businesses.get({ businessId });
        await owner.api.businesses.update({ businessId, version, description: crypto.randomUUID() });
        await new Promise((resolve) => setTimeout(resolve, 100));
        return socket.signals.length - before;
      }, patience)
      .toBe(0);
  });

  it("allows managers for roles below them, and blocks a return through one's own link", async () => {
    expect(await failure(remove(manager, owner))).toMatchObject({ code: 'business/not-allowed' });
    expect(await failure(remove(recruiter, manager))).toMatchObject({ code: 'business/not-allowed' });
    expect(await failure(remove(owner, owner))).toMatchObject({ code: 'business/not-allowed' });
    const { url } = await manager.api.team.createLink({ businessId, role: 'recruiter', maxUses: 5 });
    await remove(owner, manager);
    expect(
      await failure(manager.api.team.accept({ token: url.split('/join-team/')[1] ?? '' })),
    ).toMatchObject({
      code: 'team/invitation-over',
    });
  });
});

describe('team.removals', () => {
  it('lists the teams that removed the caller, until they join again', async () => {
    await manager.api.team.remove({ businessId, memberId: recruiter.accountId });
    const { name: businessName } = await owner.api.businesses.get({ businessId });
    const at = app.clock.now().toISOString();
    expect(await recruiter.api.team.removals()).toEqual([{ businessId, businessName, at }]);
    expect(await manager.api.team.removals()).toEqual([]);
    await makeMember(app.db, app.clock, businessId, recruiter.accountId, 'recruiter');
    expect(await recruiter.api.team.removals()).toEqual([]);
  });
});

describe('team.leave', () => {
  it('allows everyone but the last owner, and notifies their managers', async () => {
    expect(await recruiter.api.team.leave({ businessId })).toEqual({ businessId });
    expect(await failure(owner.api.team.leave({ businessId }))).toMatchObject({ code: 'team/last-owner' });
    expect(await topicsOf(manager)).toEqual(['team-left']);
    expect(await topicsOf(owner)).toEqual(['team-left']);
    expect(await failure(recruiter.api.team.leave({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
  });

  it('rejects the last active owner: others are disabled or deleting their account', async () => {
    const leave = () => owner.api.team.leave({ businessId });
    const disabled = await member('owner', 'Dina Disabled');
    await app.db
      .updateTable('accounts')
      .set({ disabledAt: app.clock.now() })
      .where('id', '=', disabled.accountId)
      .execute();
    const leaving = await member('owner', 'Lea Leaving');
    const now = app.clock.now();
    await app.db
      .insertInto('account_deletions')
      .values({
        id: newId(now),
        accountId: leaving.accountId,
        status: 'scheduled',
        requestedAt: now,
        deleteAt: now,
      })
      .execute();
    expect(await failure(leave())).toMatchObject({ code: 'team/last-owner' });
    const { members } = await owner.api.team.members({ businessId });
    expect(members.find(({ isYou }) => isYou)?.actions).toEqual([]);
    expect((await owner.api.accountDeletion.get()).obstacles).toMatchObject([
      { kind: 'business', businessId },
    ]);
    await member('owner', 'Ada Active');
    await leave();
  });

  it('keeps one owner of two who leave, are demoted or removed concurrently', async () => {
    for (const way of ['leave', 'demote', 'remove'] as const) {
      const second = await member('owner', 'Second Owner');
      const first = (await owner.api.businesses.mine()).some(({ role }) => role === 'owner')
        ? owner
        : manager;
      const act = async (by: Person, of: Person): Promise<unknown> => {
        const { accountId: memberId } = of;
        if (way === 'leave') return by.api.team.leave({ businessId });
        if (way === 'remove') return by.api.team.remove({ businessId, memberId });
        return by.api.team.changeRole({ businessId, memberId, role: 'manager', fromRole: 'owner' });
      };
      await Promise.allSettled([act(first, second), act(second, first)]);
      const owners = await app.db
        .selectFrom('business_members')
        .select('accountId')
        .where('businessId', '=', businessId)
        .where('role', '=', 'owner')
        .execute();
      expect(owners, way).toHaveLength(1);
      // The next round starts from the first owner again.
      await app.db.deleteFrom('business_members').where('businessId', '=', businessId).execute();
      await makeMember(app.db, app.clock, businessId, owner.accountId, 'owner');
    }
  });
});

describe('a session without a recent proof', () => {
  it("can't add, change or remove a member, or leave", async () => {
    const second = await member('owner', 'Second Owner');
    const { invitation: link } = await owner.api.team.createLink({ businessId, role: 'manager', maxUses: 2 });
    const mailed = await owner.api.team.invite({ businessId, email: 'x@example.test', role: 'manager' });
    await signedInEarlier(app, owner);
    const { team } = owner.api;
    const of = { businessId, memberId: second.accountId };
    const calls = [
      () => team.invite({ businessId, email: 'thief@example.test', role: 'owner' }),
      () => team.createLink({ businessId, role: 'recruiter', maxUses: 1 }),
      () => team.resend({ teamInvitationId: mailed.id }),
      () => team.renewLink({ teamInvitationId: link.id }),
      () => team.changeRole({ ...of, role: 'manager', fromRole: 'owner' }),
      () => team.remove(of),
      () => team.leave({ businessId }),
      () => team.offerOwnership({ businessId, memberId: manager.accountId }),
    ];
    for (const call of calls)
      expect(await failure(call())).toMatchObject({ status: 403, code: 'session/password-required' });
    await enterPassword(owner);
    await team.remove(of);
  });

  it('stays without one after signing in, for an account with a password or passkey', async () => {
    await keepPasskey(app.db, app, owner.accountId);
    const invitation = { businessId, email: 'new@example.test', role: 'owner' } as const;
    expect(await failure(owner.api.team.invite(invitation))).toMatchObject({
      code: 'session/password-required',
    });
    await enterPassword(owner);
    await owner.api.team.invite(invitation);
  });
});

/** The latest mail to someone about owners: its subject, and the change that it can undo. */
async function ownerNews(person: Person) {
  await app.runDue();
  const mail = app.mails.findLast(({ to, subject }) => to === person.email && /owner|own /.test(subject));
  return { subject: mail?.subject, teamMoveId: mail?.text.match(/\/owner-change\/([0-9a-f-]+)/)?.[1] ?? '' };
}
const ownersNow = async () => {
  const members = await app.db
    .selectFrom('business_members')
    .innerJoin('accounts', 'accounts.id', 'accountId')
    .select('accounts.name')
    .where('businessId', '=', businessId)
    .where('role', '=', 'owner')
    .orderBy('accounts.name')
    .execute();
  return members.map(({ name }) => name);
};
const tokenIn = (url: string) => url.split('/join-team/')[1] ?? '';
/** A thief with the session and the password invites an accomplice as owner, who removes the real one. */
async function takeOver() {
  const thief = await app.person({ name: 'Zoe Thief' });
  await owner.api.team.invite({ businessId, email: thief.email, role: 'owner' });
  const invited = await ownerNews(owner);
  const mail = app.mails.findLast(({ to }) => to === thief.email);
  await thief.api.team.accept({ token: /\/join-team\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '' });
  const joined = await ownerNews(owner);
  app.clock.forward({ minutes: 1 });
  await thief.api.team.remove({ businessId, memberId: owner.accountId });
  return { thief, invited, joined, removed: await ownerNews(owner) };
}

describe('team.ownerChange', () => {
  it('is mailed to all owners, and visible only to previous ones', async () => {
    const { thief, invited, joined, removed } = await takeOver();
    expect([invited.subject, joined.subject, removed.subject]).toEqual([
      `${thief.email} was invited to own Café Solheim`,
      'Zoe Thief is now an owner of Café Solheim',
      'Ingrid Solheim is no longer an owner of Café Solheim',
    ]);
    expect((await ownerNews(thief)).subject).toBe(removed.subject);
    const { teamMoveId } = joined;
    expect(await owner.api.team.ownerChange({ teamMoveId })).toMatchObject({
      change: 'became-owner',
      personName: 'Zoe Thief',
      status: 'open',
    });
    for (const other of [thief, manager, await app.person()])
      expect(await failure(other.api.team.ownerChange({ teamMoveId }))).toMatchObject({
        status: 404,
        code: 'team/change-not-found',
      });
  });
});

describe('team.undoOwnerChange', () => {
  it('gives a removed owner the business back and removes the owner added since', async () => {
    const { thief, joined } = await takeOver();
    await thief.api.team.invite({ businessId, email: 'third@example.test', role: 'owner' });
    expect(await ownersNow()).toEqual(['Zoe Thief']);
    const undo = () => owner.api.team.undoOwnerChange({ teamMoveId: joined.teamMoveId });
    await signedInEarlier(app, owner);
    expect(await failure(undo())).toMatchObject({ code: 'session/password-required' });
    await enterPassword(owner);
    for (const _twice of [1, 2]) expect(await undo()).toMatchObject({ status: 'undone' });
    expect(await ownersNow()).toEqual(['Ingrid Solheim']);
    expect(await failure(thief.api.businesses.get({ businessId }))).toMatchObject({
      code: 'business/not-found',
    });
    const invitations = await owner.api.team.invitations({ businessId });
    expect(invitations.items.filter(({ status }) => status === 'open')).toEqual([]);
    expect((await ownerNews(thief)).subject).toBe('The owners of Café Solheim were restored');
    // The removal also counts as undone, and the accomplice was not an owner before.
    const late = (await owner.api.team.log({ businessId })).items.find(({ action }) => action === 'removed');
    expect(await failure(thief.api.team.undoOwnerChange({ teamMoveId: joined.teamMoveId }))).toMatchObject({
      code: 'team/change-not-found',
    });
    expect(await thief.api.team.undoOwnerChange({ teamMoveId: late?.id ?? '' })).toMatchObject({
      status: 'undone',
    });
    expect(await ownersNow()).toEqual(['Ingrid Solheim']);
  });

  it('also removes everyone added by the removed owner since, and by those', async () => {
    const { url: earlier } = await owner.api.team.createLink({ businessId, role: 'finance', maxUses: 5 });
    const bookkeeper = await app.person({ name: 'Bea Books' });
    await bookkeeper.api.team.accept({ token: tokenIn(earlier) });
    app.clock.forward({ minutes: 1 });
    const { thief, joined } = await takeOver();
    const helper = await app.person({ name: 'Hal Helper' });
    const link = await thief.api.team.createLink({ businessId, role: 'manager', maxUses: 5 });
    await helper.api.team.accept({ token: tokenIn(link.url) });
    const spy = await app.person({ name: 'Sly Spy' });
    await enterPassword(helper);
    const second = await helper.api.team.createLink({ businessId, role: 'finance', maxUses: 5 });
    await spy.api.team.accept({ token: tokenIn(second.url) });
    await enterPassword(owner);
    await owner.api.team.undoOwnerChange({ teamMoveId: joined.teamMoveId });
    expect(await roles()).toEqual([
      ['Ingrid Solheim', 'owner'],
      ['Maria Manager', 'manager'],
      ['Omar Idrissi', 'recruiter'],
      ['Bea Books', 'finance'],
    ]);
    expect(await topicsOf(spy)).toEqual(['team-removed']);
    for (const { url } of [link, second])
      expect(await failure(spy.api.team.accept({ token: tokenIn(url) }))).toMatchObject({
        code: 'team/invitation-over',
      });
  });

  it('requires an operator after repeated undos by a removed owner', async () => {
    const rogue = await member('owner', 'Rex Rogue');
    const remove = () => owner.api.team.remove({ businessId, memberId: rogue.accountId });
    await remove();
    const removed = await ownerNews(rogue);
    await enterPassword(rogue);
    await rogue.api.team.undoOwnerChange({ teamMoveId: removed.teamMoveId });
    expect(await ownersNow()).toEqual(['Ingrid Solheim', 'Rex Rogue']);
    expect(await owner.api.businesses.get({ businessId })).toMatchObject({ status: 'submitted' });
    const of = { businessId, memberId: rogue.accountId };
    const changes = [
      remove,
      () => owner.api.team.changeRole({ ...of, role: 'manager', fromRole: 'owner' }),
      () => owner.api.team.invite({ businessId, email: 'third@example.test', role: 'owner' }),
      () => offer(owner, manager),
      () => rogue.api.team.leave({ businessId }),
      () => rogue.api.team.remove({ businessId, memberId: owner.accountId }),
    ];
    for (const change of changes)
      expect(await failure(change())).toMatchObject({ status: 409, code: 'team/owners-frozen' });
    const frozen = await owner.api.team.members({ businessId });
    expect(frozen).toMatchObject({
      ownersFrozen: true,
      invitableRoles: ['manager', 'recruiter', 'coordinator', 'finance'],
    });
    expect(frozen.members.flatMap(({ role, actions }) => (role === 'owner' ? actions : []))).toEqual([]);
    expect(frozen.members.flatMap(({ actions }) => actions)).not.toContain('offer-ownership');
    // The team below the owners can still work.
    await owner.api.team.remove({ businessId, memberId: recruiter.accountId });
    app.clock.forward({ minutes: 1 });
    await app.db
      .transaction()
      .execute((tx) => verifyBusiness(tx, { operator: 'operator:test', clock: app.clock }, businessId));
    expect(await owner.api.team.members({ businessId })).toMatchObject({ ownersFrozen: false });
    await remove();
    expect(await ownersNow()).toEqual(['Ingrid Solheim']);
    // Operators have reviewed the change, so a second undo is up to them.
    const again = await ownerNews(rogue);
    expect(again.teamMoveId).toBe('');
    const { items } = await owner.api.team.log({ businessId });
    const second = { teamMoveId: items.find(({ action }) => action === 'removed')?.id ?? '' };
    expect(await rogue.api.team.ownerChange(second)).toMatchObject({ status: 'over' });
    await enterPassword(rogue);
    expect(await failure(rogue.api.team.undoOwnerChange(second))).toMatchObject({ code: 'team/change-over' });
    expect(await ownersNow()).toEqual(['Ingrid Solheim']);
  });

  it('rejects someone who is fully suspended', async () => {
    const rogue = await member('owner', 'Rex Rogue');
    await owner.api.team.remove({ businessId, memberId: rogue.accountId });
    const { teamMoveId } = await ownerNews(rogue);
    await suspend(rogue);
    await enterPassword(rogue);
    expect(await failure(rogue.api.team.undoOwnerChange({ teamMoveId }))).toMatchObject({
      code: 'account/suspended',
    });
  });

  it('restores the branch limits of a recruiter who became an owner', async () => {
    const branch = await makeBranch(app.db, app.scopeOf(owner), businessId);
    await owner.api.team.changeRole({
      businessId,
      memberId: recruiter.accountId,
      role: 'recruiter',
      fromRole: 'recruiter',
      branchIds: [branch.id],
    });
    await offer(owner, recruiter);
    await recruiter.api.team.acceptOwnership({ businessId });
    const { teamMoveId } = await ownerNews(owner);
    await enterPassword(owner);
    await owner.api.team.undoOwnerChange({ teamMoveId });
    const { members } = await owner.api.team.members({ businessId });
    expect(members.find(({ name }) => name === 'Omar Idrissi')).toMatchObject({
      role: 'recruiter',
      branches: [{ id: branch.id }],
    });
  });

  it('still restores the owner after a thief undid a later change', async () => {
    const { thief, joined, removed } = await takeOver();
    await enterPassword(thief);
    await thief.api.team.undoOwnerChange({ teamMoveId: removed.teamMoveId });
    expect(await ownersNow()).toEqual(['Ingrid Solheim', 'Zoe Thief']);
    await enterPassword(owner);
    await owner.api.team.undoOwnerChange({ teamMoveId: joined.teamMoveId });
    expect(await ownersNow()).toEqual(['Ingrid Solheim']);
  });

  it('gives roles back after a demotion and a handover, for 72 hours', async () => {
    const second = await member('owner', 'Second Owner');
    await owner.api.team.changeRole({
      businessId,
      memberId: second.accountId,
      role: 'finance',
      fromRole: 'owner',
    });
    const demoted = await ownerNews(second);
    app.clock.forward({ minutes: 1 });
    await offer(owner, manager);
    await manager.api.team.acceptOwnership({ businessId });
    const handedOver = await ownerNews(owner);
    expect(await ownersNow()).toEqual(['Maria Manager']);
    app.clock.forward({ hours: teamLimits.undoHours - 1 });
    await owner.api.team.undoOwnerChange({ teamMoveId: handedOver.teamMoveId });
    expect(await ownersNow()).toEqual(['Ingrid Solheim']);
    expect(await manager.api.businesses.get({ businessId })).toMatchObject({ role: 'manager' });
    app.clock.forward({ hours: 2 });
    expect(await failure(second.api.team.undoOwnerChange({ teamMoveId: demoted.teamMoveId }))).toMatchObject({
      code: 'team/change-over',
    });
  });
});

describe('team.log', () => {
  it('shows owners who did what, newest first, in pages', async () => {
    await manager.api.team.changeRole({
      businessId,
      memberId: recruiter.accountId,
      role: 'finance',
      fromRole: 'recruiter',
    });
    app.clock.forward({ seconds: 1 });
    await owner.api.team.invite({ businessId, email: 'new@example.test', role: 'manager' });
    app.clock.forward({ seconds: 1 });
    await recruiter.api.team.leave({ businessId });
    const first = await owner.api.team.log({ businessId, limit: 2 });
    expect(first.items).toMatchObject([
      { action: 'left', actorName: 'Omar Idrissi', subject: 'Omar Idrissi', fromRole: 'finance' },
      { action: 'invited', actorName: 'Ingrid Solheim', subject: 'new@example.test', toRole: 'manager' },
    ]);
    const rest = await owner.api.team.log({ businessId, limit: 2, cursor: first.nextCursor ?? '' });
    expect(rest).toMatchObject({
      items: [
        { action: 'role-changed', actorName: 'Maria Manager', fromRole: 'recruiter', toRole: 'finance' },
      ],
      nextCursor: null,
    });
    expect(await failure(manager.api.team.log({ businessId }))).toMatchObject({
      code: 'business/not-allowed',
    });
  });
});

const offer = (by: Person, to: Person) => by.api.team.offerOwnership({ businessId, memberId: to.accountId });

describe('team.offerOwnership', () => {
  it('requires a recent password, and allows only one open offer', async () => {
    await signedInEarlier(app, owner);
    expect(await failure(offer(owner, manager))).toMatchObject({ code: 'session/password-required' });
    await enterPassword(owner);
    app.clock.forward({ minutes: passkeyLimits.proofMinutes + 1 });
    expect(await failure(offer(owner, manager))).toMatchObject({ code: 'session/password-required' });
    await enterPassword(owner);
    for (const _twice of [1, 2])
      expect((await offer(owner, manager)).ownershipOffer).toMatchObject({
        you: 'from',
        toName: 'Maria Manager',
      });
    expect(await failure(offer(owner, recruiter))).toMatchObject({ code: 'team/ownership-open' });
    expect(await topicsOf(manager)).toEqual(['team-ownership-offered']);
    expect((await recruiter.api.team.members({ businessId })).ownershipOffer).toMatchObject({ you: 'other' });
  });

  it('allows only owners, for members who are not owners', async () => {
    await enterPassword(manager);
    expect(await failure(offer(manager, recruiter))).toMatchObject({ code: 'business/not-allowed' });
    await enterPassword(owner);
    expect(await failure(offer(owner, owner))).toMatchObject({ code: 'business/not-allowed' });
    expect(await failure(offer(owner, await app.person()))).toMatchObject({ code: 'team/member-not-found' });
  });

  it('expires with a notice to its owner, and ends when the other one leaves', async () => {
    await enterPassword(owner);
    await offer(owner, manager);
    app.clock.forward({ days: teamLimits.ownershipDays });
    await app.runDue();
    expect((await owner.api.team.members({ businessId })).ownershipOffer).toBeNull();
    expect(await topicsOf(owner)).toEqual(['team-ownership-expired']);
    await enterPassword(owner);
    await offer(owner, recruiter);
    await recruiter.api.team.leave({ businessId });
    expect((await owner.api.team.members({ businessId })).ownershipOffer).toBeNull();
  });
});

describe('the sole owner, suspended from everything', () => {
  it('hands the business over to a member, verified by operators, and leaves', async () => {
    await suspend(owner);
    await enterPassword(owner);
    await offer(owner, manager);
    await manager.api.team.acceptOwnership({ businessId });
    expect(await manager.api.businesses.get({ businessId })).toMatchObject({
      role: 'owner',
      status: 'submitted',
    });
    await enterPassword(owner);
    await owner.api.team.leave({ businessId });
    expect(await ownersNow()).toEqual(['Maria Manager']);
  });
});

describe('team.acceptOwnership', () => {
  it('swaps the roles, requires verification again and notifies, once', async () => {
    await enterPassword(owner);
    await offer(owner, recruiter);
    const accept = () => recruiter.api.team.acceptOwnership({ businessId });
    await signedInEarlier(app, recruiter);
    expect(await failure(accept())).toMatchObject({ code: 'session/password-required' });
    await enterPassword(recruiter);
    await enterPassword(manager);
    expect(await failure(manager.api.team.acceptOwnership({ businessId }))).toMatchObject({
      code: 'team/no-ownership-offer',
    });
    await accept();
    expect(await roles()).toEqual([
      ['Omar Idrissi', 'owner'],
      ['Ingrid Solheim', 'manager'],
      ['Maria Manager', 'manager'],
    ]);
    expect(await recruiter.api.businesses.get({ businessId })).toMatchObject({ status: 'submitted' });
    expect(await topicsOf(owner)).toEqual(['team-ownership-accepted']);
    expect(await failure(accept())).toMatchObject({ code: 'team/no-ownership-offer' });
  });
});

describe('team.declineOwnership', () => {
  it('changes nothing and notifies the owner', async () => {
    await enterPassword(owner);
    await offer(owner, manager);
    expect(await failure(recruiter.api.team.declineOwnership({ businessId }))).toMatchObject({
      code: 'team/no-ownership-offer',
    });
    expect((await manager.api.team.declineOwnership({ businessId })).ownershipOffer).toBeNull();
    expect(await topicsOf(owner)).toEqual(['team-ownership-declined']);
    expect((await roles())[0]).toEqual(['Ingrid Solheim', 'owner']);
  });
});

describe('team.withdrawOwnership', () => {
  it("allows only owners, and the offer can't be accepted any more", async () => {
    await enterPassword(owner);
    await offer(owner, manager);
    expect(await failure(manager.api.team.withdrawOwnership({ businessId }))).toMatchObject({
      code: 'business/not-allowed',
    });
    expect((await owner.api.team.withdrawOwnership({ businessId })).ownershipOffer).toBeNull();
    await enterPassword(manager);
    expect(await failure(manager.api.team.acceptOwnership({ businessId }))).toMatchObject({
      code: 'team/no-ownership-offer',
    });
    expect(await failure(owner.api.team.withdrawOwnership({ businessId }))).toMatchObject({
      code: 'team/no-ownership-offer',
    });
  });
});

describe('a recruiter limited to branches', () => {
  const branch = (name: string) => makeBranch(app.db, app.scopeOf(owner), businessId, { name });
  const change = (branchIds: string[] | null, role: 'recruiter' | 'manager' = 'recruiter') =>
    manager.api.team.changeRole({
      businessId,
      memberId: recruiter.accountId,
      role,
      branchIds,
      fromRole: 'recruiter',
    });
  const branchesOf = async () =>
    (await owner.api.team.members({ businessId })).members
      .find(({ name }) => name === 'Omar Idrissi')
      ?.branches?.map(({ name }) => name) ?? null;

  it("gets and loses branches from managers, with entries in the owners' log", async () => {
    const north = await branch('Noord');
    const west = await branch('West');
    await change([north.id, west.id, north.id]);
    expect(await branchesOf()).toEqual(['Noord', 'West']);
    expect((await recruiter.api.businesses.get({ businessId })).branchIds).toEqual([north.id, west.id]);
    await change([west.id]);
    await change([west.id]);
    expect(await branchesOf()).toEqual(['West']);
    const log = (await owner.api.team.log({ businessId })).items;
    expect(log.map(({ action }) => action)).toEqual(['branches-changed', 'branches-changed']);
    await change(null);
    expect(await branchesOf()).toBeNull();
  });

  it('requires at least one branch of this business, and no manager role', async () => {
    const { id } = await branch('Noord');
    const stranger = await app.person();
    const otherBusiness = await makeBusiness(app.db, app.scopeOf(stranger));
    const theirs = await makeBranch(app.db, app.scopeOf(stranger), otherBusiness.id);
    expect(await failure(change([theirs.id]))).toMatchObject({ status: 404, code: 'branch/not-found' });
    expect(await failure(change([]))).toMatchObject({ code: 'request/invalid' });
    await change([id]);
    await owner.api.team.changeRole({
      businessId,
      memberId: recruiter.accountId,
      role: 'manager',
      branchIds: [id],
      fromRole: 'recruiter',
    });
    expect(await branchesOf()).toBeNull();
  });

  it("joins by an invitation with its branches, which can't be deleted then", async () => {
    const { id } = await branch('Noord');
    const { invitation, url } = await owner.api.team.createLink({
      businessId,
      role: 'recruiter',
      branchIds: [id],
      maxUses: 1,
    });
    expect(invitation.branches).toEqual([{ id, name: 'Noord' }]);
    expect(await failure(owner.api.branches.delete({ branchId: id }))).toMatchObject({
      code: 'branch/in-use',
    });
    const newcomer = await app.person({ name: 'Lia Moreno' });
    const token = url.split('/').at(-1) ?? '';
    expect(await newcomer.api.team.opened({ token })).toMatchObject({ branches: ['Noord'] });
    await newcomer.api.team.accept({ token });
    expect((await newcomer.api.businesses.get({ businessId })).branchIds).toEqual([id]);
    const listed = await newcomer.api.branches.list({ businessId });
    expect(listed.branches.map(({ name }) => name)).toEqual(['Noord']);
  });
});
