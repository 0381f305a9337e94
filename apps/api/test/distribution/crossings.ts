/**
 * The statements of the hot paths that several machines would have to answer together: those that name no place for some of their tables, or
 * that read tables of different groups. Each is described by its groups and by the tables without a place; `why` says what would become of it.
 */
export type Crossing = { groups: string; without: string; paths: readonly string[]; why: string };

/** In place of a list of all paths. */
export const everyCall = 'every call';
const moves = ['attendance.checkIn', 'timesheets.submitHours', 'timesheets.approve'];
const offers = ['offers.accept', 'offers.make'];

const names =
  'Names, pictures and badges of people and businesses, read with the work. Would be kept in the row, or read by id afterwards.';
const lists = "A caller's own list over all areas. Usually one area, which the account would keep.";
const files = 'Files of the account that sent them. Would be kept with the message or delivery.';
const ledger =
  'Found by its key or physical place inside the ledger. The account is known one statement earlier and would be named here as well.';

export const crossings: readonly Crossing[] = [
  {
    groups: 'account',
    without: 'account_deletions accounts sanctions second_factor_checks sessions',
    paths: [everyCall],
    why: 'Who is calling, by the session alone. The token names the account too, so the statement could.',
  },
  {
    groups: 'area+business',
    without: 'branches businesses',
    paths: ['applications.submit', 'jobs.create', 'jobs.get', 'jobs.publish'],
    why: names,
  },
  { groups: 'area+business', without: 'businesses', paths: ['applications.mine'], why: names },
  { groups: 'account+area+business', without: 'accounts businesses profiles', paths: offers, why: names },
  { groups: 'account+area+business', without: 'businesses', paths: offers, why: names },
  { groups: 'account+area+business', without: 'accounts businesses', paths: moves, why: names },
  {
    groups: 'account+area+business',
    without: 'accounts branches businesses profiles',
    paths: ['attendance.checkIn', 'attendance.checkOut', 'timesheets.approve', 'timesheets.submitHours'],
    why: names,
  },
  { groups: 'account+area+business', without: 'accounts', paths: ['messages.send'], why: names },
  {
    groups: 'account+area+business',
    without: 'accounts business_members businesses chat_settings conversations presence profiles',
    paths: ['conversations.list'],
    why: names,
  },
  {
    groups: 'account+area',
    without: 'files',
    paths: ['attendance.checkIn', 'attendance.checkOut', 'timesheets.approve', 'timesheets.submitHours'],
    why: files,
  },
  {
    groups: 'account+area',
    without: 'accounts files profiles',
    paths: ['conversations.list', 'conversations.messages'],
    why: files,
  },
  {
    groups: 'area+business',
    without: 'businesses holds jobs',
    paths: ['nearby.search', 'nearby.search by words'],
    why: 'A search around a point. Squares belong to areas, so it could name one or, at a border, two. The badge of the business would be kept in the job.',
  },
  {
    groups: 'area',
    without: 'jobs',
    paths: ['jobs.publish', 'nearby.search by words'],
    why: 'Pay of similar jobs around it, for screening: the same area as the job, which it could name. Jobs around a search, which are only estimated.',
  },
  {
    groups: 'account+area+business',
    without: 'engagements sanctions',
    paths: ['jobs.publish'],
    why: 'How much work a business has had done, in all areas. Would be counted with the business.',
  },
  {
    groups: 'account+area+business',
    without: 'engagements interviews',
    paths: ['applications.submit'],
    why: 'How reliable a worker was in all areas. Would be counted with the account.',
  },
  {
    groups: 'area',
    without: 'engagements',
    paths: ['applications.submit'],
    why: 'Other work at the same time, in all areas. Would be kept as times with the account.',
  },
  {
    groups: 'area',
    without: 'applications',
    paths: ['applications.submit'],
    why: 'The limit of applications a day, in all areas. Would be counted with the account.',
  },
  {
    groups: 'account+area',
    without: 'application_moves applications engagements files interviews offers',
    paths: ['applications.mine'],
    why: lists,
  },
  {
    groups: 'account+area+business',
    without: 'accounts businesses engagements hours_claims profiles',
    paths: ['engagements.mine'],
    why: lists,
  },
  {
    groups: 'area+business',
    without: 'business_members conversations jobs',
    paths: ['conversations.list'],
    why: lists,
  },
  {
    groups: 'area+business',
    without: 'business_members conversations jobs unread_conversations',
    paths: ['conversations.list'],
    why: lists,
  },
  {
    groups: 'account+area+business',
    without:
      'applications charges disputes engagements holds interviews job_invitations jobs ledger_postings notifications offers releases tips withdrawals',
    paths: ['notifications.list'],
    why: 'What still waits behind each notice. Would be asked by area, from the ids in the notices.',
  },
  {
    groups: 'area+business',
    without: '',
    paths: ['conversations.messages', 'messages.send'],
    why: 'Readers of a conversation from the members of the business. Its job has members as well, in the same area.',
  },
  {
    groups: 'account+business',
    without: 'business_members businesses',
    paths: [
      'applications.submit',
      'messages.send',
      'timesheets.approve',
      ...offers,
      'attendance.checkIn',
      'timesheets.submitHours',
    ],
    why: 'The time zone of a recipient without one of their own. Would be kept with the account.',
  },
  { groups: 'account', without: 'ledger_entries', paths: ['offers.make', 'timesheets.approve'], why: ledger },
  {
    groups: 'account',
    without: 'ledger_accounts',
    paths: ['offers.make', 'timesheets.approve'],
    why: ledger,
  },
  {
    groups: 'account',
    without: 'ledger_deferred',
    paths: ['offers.make', 'timesheets.approve'],
    why: ledger,
  },
  {
    groups: 'business',
    without: 'cards charges',
    paths: ['offers.make'],
    why: "A charge by what it pays for. The offer's business is known and would be named.",
  },
  {
    groups: 'account',
    without: 'saved_jobs',
    paths: ['offers.accept'],
    why: 'Who saved a job, to tell them that it is taken: all accounts, in a task of its own.',
  },
  {
    groups: 'account+area+business',
    without: 'referrals',
    paths: ['timesheets.approve'],
    why: 'Who invited either side, at the first approved work. A task of its own.',
  },
];
