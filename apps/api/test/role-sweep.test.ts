import { type MemberRole, memberRoles } from '@nearhand/contract/member-roles';
import { type Capability, capabilities, roleTable } from '@nearhand/contract/people/team.rules';
import { beforeAll, describe, expect, it } from 'vitest';
import { callInWorld } from './call-in-world.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';
import { makeWorld, type World } from './foreign-world.ts';
import { useTestApp } from './harness.ts';

const app = useTestApp();
let world: World;

/** What an operation needs by its access, where nothing more precise is said below. */
const byAccess: Record<string, Capability> = {
  member: 'view',
  'member:recruiter': 'applicants',
  'member:manager': 'details',
  'member:owner': 'ownership',
  'member:finance': 'money',
};

/** Operations whose access alone does not name the row of the table: by name, or all of a slice. */
const byName: Record<string, Capability> = {
  'jobs.*': 'jobs',
  'seats.*': 'jobs',
  'pools.*': 'pools',
  'attendance.siteCode': 'work',
  'attendance.checkInFor': 'work',
  'attendance.checkOutFor': 'work',
  'engagements.forBusiness': 'work',
  'engagements.reportNoShow': 'work',
  'engagements.cancel': 'work',
  'engagements.get': 'view-money',
  'timesheets.counter': 'work',
  'timesheets.requestChanges': 'work',
  'timesheets.approve': 'work',
  'disputes.propose': 'work',
  'reviews.write': 'work',
  'pay.*': 'spend',
  'pay.releasePreview': 'view-money',
  'holds.pay': 'spend',
  'holds.get': 'view-money',
  'charges.get': 'view-money',
  'wallet.get': 'view-money',
  'offers.get': 'view-money',
  'interviews.get': 'applicants',
  'interviews.cancel': 'applicants',
  'interviews.reschedule': 'applicants',
  'conversations.get': 'messages',
  'conversations.messages': 'messages',
  'conversations.mute': 'messages',
  'messages.send': 'messages',
  'messages.react': 'messages',
  'dashboard.figures': 'figures',
  'team.invite': 'team',
  'team.createLink': 'team',
  'team.invitations': 'team',
  'team.resend': 'team',
  'team.revoke': 'team',
  'team.changeRole': 'team',
  'team.remove': 'team',
};

/** Answered in another way than by a role, each with the reason. */
const byRecord: Record<string, string> = {
  'pipeline.deleteNote': 'its author',
  'pools.deleteNote': 'its author',
  'pools.add': 'workers whom the business knows, others are a 404',
  'businessVerification.addDocument': 'a file of the caller, others are a 404',
  'businessVerification.checkDomain': 'a domain that was named, otherwise a 404',
  'team.leave': 'everyone but the last owner, whom it refuses with a 409',
  'team.acceptOwnership': 'whom it was offered to',
  'team.declineOwnership': 'whom it was offered to',
  'team.renewLink': 'the invitation of the world is a mail, not a link',
};

const capabilityOf = ({ name, meta }: ContractOperation): Capability | undefined =>
  byName[name] ?? byName[`${name.split('.')[0]}.*`] ?? byAccess[meta.access];

const merchantOperations = contractOperations.filter(
  (entry) =>
    /\{\w+\}/.test(entry.path) &&
    (entry.name in byName || entry.meta.access.startsWith('member')) &&
    !(entry.name in byRecord),
);

type Answer = { role: MemberRole; name: string; capability: Capability; allowed: boolean; answer: string };
const answers: Answer[] = [];

/** Undoes each call, so that all of them meet the same world. */
function undoEveryCall(): void {
  const begin = app.db.transaction.bind(app.db);
  app.db.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    builder.execute = async (work) => {
      let result: { value: unknown } | undefined;
      const undone = new Error('undone');
      try {
        await execute(async (tx) => {
          result = { value: await work(tx) };
          throw undone;
        });
      } catch (error) {
        if (error !== undone) throw error;
      }
      return result?.value as never;
    };
    return builder;
  };
}

beforeAll(async () => {
  world = await makeWorld(app);
  const people = {
    owner: world.owner,
    manager: world.manager,
    recruiter: world.recruiter,
    finance: world.finance,
  };
  const sessionIds = Object.values(people).map(({ sessionId }) => sessionId);
  await app.db
    .insertInto('password_checks')
    .values(sessionIds.map((session_id) => ({ session_id, at: app.clock.now() })))
    .execute();
  undoEveryCall();
  for (const role of memberRoles)
    for (const entry of merchantOperations) {
      const response = await callInWorld(app, world, people[role], entry);
      const capability = capabilityOf(entry);
      if (capability === undefined) throw new Error(`${entry.name} has no capability`);
      answers.push({
        role,
        name: entry.name,
        capability,
        allowed: ![401, 403, 404].includes(response.statusCode),
        answer: `${response.statusCode} ${response.body.slice(0, 120)}`,
      });
    }
}, 240_000);

/** Answers that a table does not foresee. */
const unforeseen = (table: Record<Capability, readonly MemberRole[]>) =>
  answers
    .filter(({ role, capability, allowed }) => allowed !== table[capability].includes(role))
    .map(({ role, name, answer }) => `${role} ${name}: ${answer}`);

describe('every merchant operation', () => {
  it('was called as every role, and none was refused for its input', () => {
    expect(answers.length).toBeGreaterThan(4 * 70);
    expect(answers.filter(({ answer }) => /^(400|500)/.test(answer))).toEqual([]);
    expect(new Set(answers.map(({ capability }) => capability))).toEqual(new Set(capabilities));
  });

  it('is open to exactly the roles of its row in the table', () => {
    expect(unforeseen(roleTable)).toEqual([]);
  });

  it.each(capabilities.flatMap((capability) => memberRoles.map((role) => [capability, role] as const)))(
    'would show a wrong entry for %s and %s',
    (capability, role) => {
      const row: readonly MemberRole[] = roleTable[capability];
      const wrong = row.includes(role) ? row.filter((one) => one !== role) : [...row, role];
      expect(unforeseen({ ...roleTable, [capability]: wrong })).not.toEqual([]);
    },
  );
});
