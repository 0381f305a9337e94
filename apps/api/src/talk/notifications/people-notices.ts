import { checksPath, teamPath, verificationPath } from '@nearhand/contract/app-paths';
import type { PeopleEvents } from '../../people/hooks.ts';
import { notifyAll } from './notifications.ts';

const verificationTopics = { verify: 'business-verified', 'request-info': 'business-info-asked' } as const;

/** Notifies the managers of a business of a verification or a question. A rejection is a sanction with its own notice. */
export const notifyOfVerification: PeopleEvents['businessDecided'] = async (tx, scope, business, decided) => {
  const { decision, reason } = decided;
  if (decision === 'reject') return;
  const topic = verificationTopics[decision];
  await notifyAll(
    tx,
    scope,
    business.managerIds.map((accountId) => ({
      accountId,
      topic,
      data: { side: 'business', businessName: business.name, reason: reason || undefined },
      path: decision === 'verify' ? '/my-business' : verificationPath(business.id),
      dedupeKey: `${topic}/${business.id}/${scope.clock.now().toISOString()}`,
    })),
  );
};

const identityTopics = {
  verify: 'identity-document-checked',
  'request-info': 'identity-document-asked',
} as const;

/** Notifies someone of their verified document, or a question about it. A refusal is a sanction with its own notice. */
export const notifyOfIdentityCheck: PeopleEvents['identityDecided'] = async (tx, scope, check, decided) => {
  if (decided.decision === 'refuse') return;
  const topic = identityTopics[decided.decision];
  await notifyAll(tx, scope, [
    {
      accountId: check.accountId,
      topic,
      data: { reason: decided.reason || undefined },
      path: checksPath,
      dedupeKey: `${topic}/${check.id}`,
    },
  ]);
};

/** Notifies a worker of a confirmed certificate. A refusal is a sanction with its own notice. */
export const notifyOfCertificate: PeopleEvents['certificateDecided'] = async (
  tx,
  scope,
  certificate,
  decided,
) => {
  if (decided.decision === 'refuse') return;
  const { id, accountId, kind, expiresOn } = certificate;
  const topic = 'certificate-checked';
  await notifyAll(tx, scope, [
    {
      accountId,
      topic,
      data: { variant: kind, by: expiresOn },
      path: checksPath,
      dedupeKey: `${topic}/${id}`,
    },
  ]);
};

/** Notifies a worker of a certificate that expires soon or has expired. */
export const notifyOfCertificateExpiry: PeopleEvents['certificateNews'] = (
  tx,
  scope,
  certificate,
  { news, event },
) => {
  const { accountId, kind, expiresOn } = certificate;
  return notifyAll(tx, scope, [
    {
      accountId,
      topic: `certificate-${news}` as const,
      data: { variant: kind, by: expiresOn },
      path: checksPath,
      dedupeKey: `certificate-${news}/${event}`,
    },
  ]);
};

/** Notifies the members whom a change of the team concerns. */
export const notifyOfTeamChange: PeopleEvents['teamChanged'] = (tx, scope, change) => {
  const { kind, to, business, personName, role, by, event } = change;
  return notifyAll(
    tx,
    scope,
    to.map((accountId) => ({
      accountId,
      topic: `team-${kind}` as const,
      data: {
        side: 'business',
        businessName: business.name,
        workerName: personName,
        variant: role,
        by: by?.toISOString(),
      },
      path: kind === 'removed' || kind === 'invited' ? '/tabs/menu/business' : teamPath(business.id),
      dedupeKey: `team-${kind}/${event}`,
    })),
  );
};

/** Notifies the other members of a closed business. */
export const notifyOfClosedBusiness: PeopleEvents['businessClosed'] = (tx, scope, { id, name, memberIds }) =>
  notifyAll(
    tx,
    scope,
    memberIds.map((accountId) => ({
      accountId,
      topic: 'business-closed' as const,
      data: { side: 'business', businessName: name },
      path: '/tabs/menu/business',
      dedupeKey: `business-closed/${id}`,
    })),
  );
