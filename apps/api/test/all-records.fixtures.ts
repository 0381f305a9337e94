import sharp from 'sharp';
import { makeApplication } from '../src/hiring/applications/applications.fixtures.ts';
import { makeInterview } from '../src/hiring/interviews/interviews.fixtures.ts';
import { makeJob } from '../src/hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../src/hiring/offers/offers.fixtures.ts';
import { makeInvitation, makeNote, makeTags } from '../src/hiring/pipeline/pipeline.fixtures.ts';
import { makeBank, payWorker } from '../src/money/payouts/payouts.fixtures.ts';
import { makeSellerReportOf } from '../src/money/seller-reports/seller-reports.fixtures.ts';
import { makeWorkerInvoice } from '../src/money/worker-invoices/worker-invoices.fixtures.ts';
import { makeBranch } from '../src/people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../src/people/businesses/businesses.fixtures.ts';
import { makeFile } from '../src/people/files/files.fixtures.ts';
import { makeIdentityPhotos } from '../src/people/identity-checks/identity-checks.fixtures.ts';
import { keepPasskey } from '../src/people/passkeys/passkeys.fixtures.ts';
import { signAccessToken } from '../src/people/sign-in/access-tokens.ts';
import { makeTeamInvitation } from '../src/people/team/team.fixtures.ts';
import { makeConversation, makeMessage } from '../src/talk/messages/messages.fixtures.ts';
import { makeReport } from '../src/trust/reports/reports.fixtures.ts';
import { makeReview } from '../src/trust/reviews/reviews.fixtures.ts';
import { makeSanction } from '../src/trust/sanctions/sanctions.fixtures.ts';
import { makeTicket } from '../src/trust/tickets/tickets.fixtures.ts';
import { makeEngagement, workThrough } from '../src/work/engagements/engagements.fixtures.ts';
import type { Person, useTestApp } from './harness.ts';
import { browserAt } from './services/push-services.ts';

export type World = Awaited<ReturnType<typeof makeWorld>>;

type App = ReturnType<typeof useTestApp>;

const first = <Item>(items: readonly Item[], what: string): Item => {
  const [item] = items;
  if (item === undefined) throw new Error(`the world has no ${what}`);
  return item;
};

/**
 * Makes one of every record, of one business and one worker, and the people who must not reach
 * them. `ids` are by path parameter; `mark` is in every text that only the two sides may read.
 */
export async function makeWorld(app: App) {
  const mark = 'for-the-two-sides-only';
  const owner = await app.person({ name: 'Nadia Brandt' });
  const worker = await app.person({ name: 'Leila Haddad' });
  const sam = await app.person({ name: 'Sam Okafor' });
  const rival = await app.person({ name: 'Rita Rossi' });
  const finance = await app.person({ name: 'Fin Visser' });
  const recruiter = await app.person({ name: 'Rob de Wit' });
  const coordinator = await app.person({ name: 'Cor Bakker' });
  const manager = await app.person({ name: 'Mia Jansen' });
  const scope = (person: Person) => app.scopeOf(person);
  const business = await makeBusiness(app.db, scope(owner));
  await makeMember(app.db, app.clock, business.id, finance.accountId, 'finance');
  await makeMember(app.db, app.clock, business.id, recruiter.accountId, 'recruiter');
  await makeMember(app.db, app.clock, business.id, coordinator.accountId, 'coordinator');
  await makeMember(app.db, app.clock, business.id, manager.accountId, 'manager');
  const { own, limited } = await makeLimited(app, owner, business.id);

  const teamInvitation = await makeTeamInvitation(app.db, scope(owner), business.id, {
    email: 'invited@example.test',
  });

  const { method, withdrawal, review } = await makePaidWork(app, { owner, worker }, business.id, mark);

  const disputed = await makeDisputedTask(app, { owner, worker }, business.id, mark);

  const offered = await makeJob(app.db, scope(owner), business.id, { kind: 'task', title: 'Oil the door' });
  const forOffer = await makeApplication(app.db, scope(worker), offered.id);
  const offer = await makeOffer(app.db, scope(owner), forOffer.id, { message: mark });
  const job = await makeJob(app.db, scope(owner), business.id);
  const cv = await makeFile(app.db, scope(worker));
  const application = await makeApplication(app.db, scope(worker), job.id, {
    coverNote: mark,
    cvFileId: cv.id,
  });
  await makeApplication(app.db, scope(sam), job.id);
  const interview = await makeInterview(app.db, scope(owner), application.id, { message: mark });
  const pool = await makePool(owner, { businessId: business.id, workerId: worker.accountId }, mark);
  const template = await owner.api.jobTemplates.save({ jobId: job.id, name: mark });
  const note = await makeNote(app.db, scope(owner), application.id, mark);
  await makeTags(app.db, scope(owner), application.id, [mark]);
  const conversation = await makeConversation(app.db, scope(worker), job.id);
  const message = await makeMessage(app.db, scope(worker), conversation.id, mark);
  const another = await makeJob(app.db, scope(owner), business.id, { kind: 'task', title: 'Sweep the yard' });
  const invitation = await makeInvitation(app.db, scope(owner), {
    jobId: another.id,
    workerId: worker.accountId,
    message: mark,
  });
  const giveaway = await makeGiveaway(app, { owner, worker }, business.id, job.id);
  const device = await worker.api.devices.add({
    kind: 'web',
    label: 'Phone',
    endpoint: browserAt('https://fcm.googleapis.com').endpoint,
    keys: browserAt('https://fcm.googleapis.com').keys,
  });
  const { items: lines } = await worker.api.statements.mine({});
  const { items: entries } = await owner.api.statements.forBusiness({ businessId: business.id });
  const budgetRequest = await makeBudgetRequest({ owner, recruiter }, business.id, job.id);
  const invoices = await owner.api.invoices.issue({ businessId: business.id });
  await makeWorkerInvoice(app, worker, business.id);
  const { items: workerInvoices } = await worker.api.workerInvoices.mine({});
  const { items: receipts } = await owner.api.receipts.list({ businessId: business.id });
  const { items: notices } = await worker.api.notifications.list({});
  const { cards } = await owner.api.wallet.get({ businessId: business.id });
  const rowOf = async (table: 'charges' | 'holds') =>
    first(
      await app.db.selectFrom(table).select('id').where('businessId', '=', business.id).execute(),
      `row of ${table}`,
    ).id;

  const branch = await makeBranch(app.db, scope(owner), business.id, { openingNotes: mark });
  const rivals = await makeRivals(app, rival, sam);
  const photo = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#888' } })
    .png()
    .toBuffer();

  return {
    mark,
    owner,
    worker,
    other: sam,
    rival,
    finance,
    recruiter,
    coordinator,
    manager,
    limited,
    ownBranchId: own.id,
    tokenOf: (person: Person) => signAccessToken(app.secret, app.clock, person),
    ids: {
      businessId: business.id,
      jobId: job.id,
      applicationId: application.id,
      workerId: worker.accountId,
      sessionId: worker.sessionId,
      passkeyId: await keepPasskey(app.db, app, worker.accountId),

      giveawayId: giveaway.id,
      interviewId: interview.id,
      offerId: offer.id,
      engagementId: disputed.id,
      noteId: note.id,
      poolId: pool.id,
      templateId: template.id,
      disputeId: disputed.dispute?.id,
      invitationId: invitation.id,
      fileId: cv.id,
      conversationId: conversation.id,
      seq: message.seq,
      methodId: method.id,
      withdrawalId: withdrawal.id,
      deviceId: device.id,
      cardId: first(cards, 'card').id,
      entryId: first(lines, 'line of the worker').id,
      invoiceId: first(invoices, 'invoice').id,
      sellerReportId: await makeSellerReportOf(app, worker),
      workerInvoiceId: first(workerInvoices, "worker's invoice").id,
      budgetRequestId: budgetRequest.id,
      bankPaymentId: await makeUnmatched(app, owner, business.id),
      receiptId: first(receipts, 'receipt').id,
      notificationId: first(notices, 'notice').id,
      savedSearchId: (await worker.api.savedSearches.create(search)).id,
      chargeId: await rowOf('charges'),
      holdId: await rowOf('holds'),
      branchId: branch.id,
      kioskId: (await owner.api.kiosks.create({ branchId: branch.id, name: mark })).kiosk.id,
      memberId: recruiter.accountId,
      teamInvitationId: teamInvitation.id,
      teamMoveId: await demoted(app, owner, business.id),
      reviewId: review.id,
      year: 2026,
      certificateId: await identified(app, worker),
      documentId: await proved(app, owner, business.id, mark),
      ticketId: (await makeTicket(app.db, scope(worker), { body: mark })).id,
      reportId: (await makeReport(app.db, scope(worker), job.id, { note: mark })).id,
      sanctionId: await warned(app, { owner, worker }, mark),
    } as Record<string, unknown>,
    businessEntryId: first(entries, 'line of the business').id,
    chatFileId: (await makeFile(app.db, scope(worker), { purpose: 'chat' })).id,
    photoId: (
      await makeFile(app.db, scope(worker), {
        purpose: 'photo',
        name: 'me.png',
        bytes: new Uint8Array(photo),
      })
    ).id,
    ...rivals,
  };
}

/** A bank transfer that no business could be found for. */
async function makeUnmatched(app: App, owner: Person, businessId: string): Promise<string> {
  await owner.api.bankTransfers.makeTest({ businessId, amountMinor: 5_000, withoutReference: true });
  const row = await app.db
    .selectFrom('bank_payments')
    .select('id')
    .where('state', '=', 'unmatched')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** A request of a recruiter, whose limit is removed again. */
async function makeBudgetRequest(
  { owner, recruiter }: { owner: Person; recruiter: Person },
  businessId: string,
  jobId: string,
) {
  const limit = { businessId, memberId: recruiter.accountId };
  await owner.api.budgets.set({ ...limit, limitMinor: 1 });
  const request = await recruiter.api.budgets.ask({ jobId, amountMinor: 2 });
  await owner.api.budgets.set({ ...limit, limitMinor: null });
  return request;
}

/** A shift of the worker that is open to someone in a pool of the business. */
async function makeGiveaway(
  app: App,
  { owner, worker }: { owner: Person; worker: Person },
  businessId: string,
  jobId: string,
) {
  const colleague = await app.person({ name: 'Kim Colleague' });
  await makeApplication(app.db, app.scopeOf(colleague), jobId);
  const { id: poolId } = await owner.api.pools.create({ businessId, name: 'Stand-ins' });
  await owner.api.pools.add({ poolId, workerIds: [colleague.accountId] });
  const scopes = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
  const shift = await makeEngagement(app.db, scopes, businessId, { title: 'Close the bar' });
  return worker.api.giveaways.offer({ engagementId: shift.id, audience: 'colleagues' });
}

/** A second owner made finance, which both can undo; returns the log line. */
async function demoted(app: App, owner: Person, businessId: string): Promise<string> {
  const { accountId } = await app.person({ name: 'Former Owner' });
  await makeMember(app.db, app.clock, businessId, accountId, 'owner');
  const change = { businessId, memberId: accountId, role: 'finance', fromRole: 'owner' } as const;
  await owner.api.team.changeRole(change);
  return first((await owner.api.team.log({ businessId })).items, 'line of the log').id;
}

async function makeDisputedTask(
  app: App,
  { owner, worker }: { owner: Person; worker: Person },
  businessId: string,
  mark: string,
) {
  const scopes = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
  const task = await makeEngagement(app.db, scopes, businessId, { kind: 'task', title: 'Paint the fence' });
  const target = { engagementId: task.id, version: task.version };
  const { version } = await worker.api.timesheets.deliver({ ...target, note: mark });
  return owner.api.disputes.file({
    engagementId: task.id,
    version,
    reason: mark,
    amountMinor: 100,
  });
}

/** A recruiter limited to a branch that has none of the records. */
async function makeLimited(app: App, owner: Person, businessId: string) {
  const own = await makeBranch(app.db, app.scopeOf(owner), businessId, { name: 'Own corner' });
  const limited = await app.person({ name: 'Lia Moreno' });
  await makeMember(app.db, app.clock, businessId, limited.accountId, 'recruiter', [own.id]);
  return { own, limited };
}

const search = {
  name: 'Barista near Haarlem',
  place: 'Haarlem',
  lat: 52.38,
  lng: 4.64,
  radiusKm: 10,
  alert: 'daily' as const,
  category: null,
  kind: null,
  minPay: null,
  currency: null,
  from: null,
  to: null,
  q: 'barista',
};
async function warned(
  app: App,
  { owner, worker }: { owner: Person; worker: Person },
  facts: string,
): Promise<string> {
  const target = { kind: 'account', id: worker.accountId } as const;
  return (await makeSanction(app.db, app.scopeOf(owner), { target, facts })).id;
}

async function identified(app: App, person: Person): Promise<string> {
  await person.api.identityChecks.submit(await makeIdentityPhotos(app.db, app.scopeOf(person)));
  const copy = await makeFile(app.db, app.scopeOf(person), { purpose: 'certificate' });
  const sent = { kind: 'first_aid', expiresOn: '2029-05-03', fileId: copy.id } as const;
  return first(await person.api.certificates.add(sent), 'certificate').id;
}

async function proved(app: App, owner: Person, businessId: string, mark: string) {
  const scope = app.scopeOf(owner);
  const { id: fileId } = await makeFile(app.db, scope, { purpose: 'business', name: `${mark}.pdf` });
  const proof = { businessId, kind: 'registration' as const, fileId };
  return (await owner.api.businessVerification.addDocument(proof)).documents[0]?.id;
}

async function makePool({ api }: Person, of: { businessId: string; workerId: string }, mark: string) {
  const { businessId, workerId } = of;
  await api.pools.addNote({ ...of, text: mark });
  return api.pools.create({ businessId, name: mark, workerIds: [workerId] });
}

/** A new bank account can be used after three days. */
async function makePaidWork(
  app: App,
  { owner, worker }: { owner: Person; worker: Person },
  businessId: string,
  mark: string,
) {
  const scopes = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
  const method = await makeBank(app.db, scopes.worker);
  const shift = await makeEngagement(app.db, scopes, businessId);
  const at = (side: 'worker' | 'recruiter', moment: Date) => ({
    ...scopes[side],
    clock: { now: () => moment },
  });
  await workThrough(app.db, at, shift, 'completed');
  app.clock.forward({ days: 5 });
  await app.runDue();
  const review = await makeReview(app.db, scopes.worker, shift.id, { body: mark });
  await payWorker(app.db, scopes.worker, worker.accountId, 10_000, { atOnce: true });
  const withdrawal = await worker.api.payouts.withdraw({
    methodId: method.id,
    amountMinor: 2_000,
    speed: 'standard',
  });
  return { method, withdrawal, review };
}

async function makeRivals(app: App, rival: Person, applicant: Person) {
  const scope = app.scopeOf(rival);
  const applicantScope = app.scopeOf(applicant);
  const { id: businessId } = await makeBusiness(app.db, scope, { name: 'Bar Rossi' });
  const job = await makeJob(app.db, scope, businessId, { kind: 'task' });
  const application = await makeApplication(app.db, applicantScope, job.id);
  const emptyJob = await makeJob(app.db, scope, businessId, { kind: 'task' });
  return {
    rivalBusinessId: businessId,
    rivalVersion: (await rival.api.businesses.get({ businessId })).version,
    rivalJobId: emptyJob.id,
    rivalApplicationId: application.id,
    otherConversationId: (await makeConversation(app.db, applicantScope, job.id)).id,
  };
}
