export type MenuSide = 'work' | 'hire';

export type Route = {
  path: string;
  /** Requires a signed-in user with a verified email (spec §5); others go to /getting-started and return later. */
  guarded: boolean;
  actor: Actor;
  screen: string | { redirect: string };
  side?: MenuSide;
  tab?: true;
  /** A screen without menu or tab bar. A verified user is redirected from `guest` screens (spec §4). */
  entry?: 'guest' | 'setup';
};

/** Every path of the app. A screen is named after its first segment, a tab after its last. */
export const routes: readonly Route[] = [
  { path: '/', guarded: false, actor: 'any', screen: { redirect: '/tabs/menu/explore' } },
  { path: '/tabs', guarded: false, actor: 'any', screen: { redirect: '/tabs/menu/explore' } },

  { path: '/tabs/menu/explore', guarded: false, actor: 'any', screen: 'explore', side: 'work', tab: true },
  { path: '/tabs/menu/my-work', guarded: false, actor: 'worker', screen: 'my-work', side: 'work', tab: true },
  {
    path: '/tabs/menu/my-work/:applicationid',
    guarded: true,
    actor: 'worker',
    screen: 'application',
    side: 'work',
  },
  {
    path: '/tabs/menu/my-work/engagement/:engagementid',
    guarded: true,
    actor: 'worker',
    screen: 'engagement',
    side: 'work',
  },
  {
    path: '/tabs/menu/jobs/engagement/:engagementid',
    guarded: true,
    actor: 'merchant',
    screen: 'merchant-engagement',
    side: 'hire',
  },
  {
    path: '/tabs/menu/business',
    guarded: false,
    actor: 'merchant',
    screen: 'my-business',
    side: 'hire',
    tab: true,
  },
  {
    path: '/tabs/menu/jobs',
    guarded: false,
    actor: 'merchant',
    screen: 'listed-job',
    side: 'hire',
    tab: true,
  },
  { path: '/tabs/menu/messages', guarded: false, actor: 'both', screen: 'chat', tab: true },
  { path: '/tabs/menu/change-email', guarded: false, actor: 'any', screen: 'change-email', entry: 'setup' },
  // Guests need help and the terms too, and `/help-center` and `/toc` are guarded (ADR 161).
  { path: '/tabs/menu/terms', guarded: false, actor: 'any', screen: 'public-terms' },
  { path: '/tabs/menu/help', guarded: false, actor: 'any', screen: 'help' },
  { path: '/tabs/menu/help/:slug', guarded: false, actor: 'any', screen: 'help-article' },
  { path: '/tabs/menu/contact', guarded: false, actor: 'any', screen: 'contact' },
  { path: '/tabs/menu/report/:kind/:subjectid', guarded: false, actor: 'any', screen: 'report' },
  { path: '/tabs/menu/decisions', guarded: false, actor: 'any', screen: 'decisions' },
  { path: '/tabs/menu/decisions/:sanctionid', guarded: false, actor: 'any', screen: 'decision' },
  { path: '/tabs/menu/request/:ticketid', guarded: false, actor: 'any', screen: 'ticket' },
  { path: '/tabs/menu/account', guarded: false, actor: 'any', screen: 'account', tab: true },

  { path: '/flashscreen', guarded: false, actor: 'any', screen: 'flashscreen', entry: 'setup' },
  { path: '/getting-started', guarded: false, actor: 'guest', screen: 'getting-started', entry: 'guest' },
  { path: '/register', guarded: false, actor: 'guest', screen: 'register', entry: 'guest' },
  { path: '/login', guarded: false, actor: 'guest', screen: 'login', entry: 'guest' },
  { path: '/expertise', guarded: false, actor: 'new worker', screen: 'expertise', entry: 'setup' },
  { path: '/fill-profile', guarded: false, actor: 'new user', screen: 'fill-profile', entry: 'setup' },
  { path: '/complete-signup', guarded: false, actor: 'new user', screen: 'complete-signup', entry: 'setup' },
  { path: '/loading', guarded: false, actor: 'any', screen: 'loading', entry: 'setup' },
  { path: '/kiosk', guarded: false, actor: 'any', screen: 'kiosk', entry: 'setup' },

  { path: '/edit-job/:jobid', guarded: false, actor: 'merchant', screen: 'edit-job', side: 'hire' },
  {
    path: '/all-job-applicants',
    guarded: false,
    actor: 'merchant',
    screen: 'all-job-applicants',
    side: 'hire',
  },
  { path: '/favorite', guarded: false, actor: 'worker', screen: 'favorite' },
  { path: '/join-team/:token', guarded: false, actor: 'any', screen: 'join-team' },
  { path: '/owner-change/:moveid', guarded: true, actor: 'any', screen: 'owner-change' },
  { path: '/interview', guarded: false, actor: 'both', screen: 'interview' },

  { path: '/toc', guarded: true, actor: 'any', screen: 'toc' },
  { path: '/nearby-jobs-list', guarded: true, actor: 'worker', screen: 'nearby-jobs-list', side: 'work' },
  { path: '/job-desc/:jobid', guarded: true, actor: 'worker', screen: 'job-desc', side: 'work' },
  { path: '/job-apply-form/:jobid', guarded: true, actor: 'worker', screen: 'job-apply-form', side: 'work' },
  {
    path: '/job-applied-success/:jobid',
    guarded: true,
    actor: 'worker',
    screen: 'job-applied-success',
    side: 'work',
  },
  { path: '/withdraw', guarded: true, actor: 'worker', screen: 'withdraw', side: 'work' },
  { path: '/user-transaction', guarded: true, actor: 'worker', screen: 'user-transaction', side: 'work' },
  { path: '/notifications', guarded: true, actor: 'any', screen: 'notifications' },
  { path: '/register-business', guarded: true, actor: 'any', screen: 'register-business', side: 'hire' },
  { path: '/myprofile', guarded: true, actor: 'worker', screen: 'myprofile', side: 'work' },
  { path: '/giveaway', guarded: true, actor: 'both', screen: 'giveaway' },
  { path: '/verify', guarded: true, actor: 'any', screen: 'verify' },
  { path: '/rating-review', guarded: true, actor: 'worker', screen: 'rating-review', side: 'work' },
  { path: '/share-refer', guarded: true, actor: 'any', screen: 'share-refer' },
  { path: '/chat', guarded: true, actor: 'both', screen: 'chat' },
  { path: '/account-settings', guarded: true, actor: 'any', screen: 'account-settings' },
  { path: '/notification-settings', guarded: true, actor: 'any', screen: 'notification-settings' },
  { path: '/help-center', guarded: true, actor: 'any', screen: 'help-center' },
  { path: '/find-workers', guarded: true, actor: 'merchant', screen: 'find-workers', side: 'hire' },
  { path: '/saved-workers', guarded: true, actor: 'merchant', screen: 'saved-workers', side: 'hire' },
  { path: '/my-business', guarded: true, actor: 'merchant', screen: 'my-business', side: 'hire' },
  { path: '/release-payment', guarded: true, actor: 'merchant', screen: 'release-payment', side: 'hire' },
  {
    path: '/merchant-transaction',
    guarded: true,
    actor: 'merchant',
    screen: 'merchant-transaction',
    side: 'hire',
  },
  { path: '/edit-business', guarded: true, actor: 'merchant', screen: 'edit-business', side: 'hire' },
  { path: '/create-job', guarded: true, actor: 'merchant', screen: 'create-job', side: 'hire' },
  { path: '/listed-job', guarded: true, actor: 'merchant', screen: 'listed-job', side: 'hire' },
  { path: '/completed-job', guarded: true, actor: 'both', screen: 'completed-job' },
  {
    path: '/job-applicants/:jobid',
    guarded: true,
    actor: 'merchant',
    screen: 'job-applicants',
    side: 'hire',
  },
  {
    path: '/worker-details/:workerid',
    guarded: true,
    actor: 'merchant',
    screen: 'worker-details',
    side: 'hire',
  },
  { path: '/to-interview', guarded: true, actor: 'merchant', screen: 'to-interview', side: 'hire' },
  { path: '/business-review', guarded: true, actor: 'both', screen: 'business-review' },
  { path: '/share-job', guarded: true, actor: 'merchant', screen: 'share-job', side: 'hire' },
  { path: '/change-password', guarded: true, actor: 'any', screen: 'change-password' },
  {
    path: '/merchant-ongoing-jobs',
    guarded: true,
    actor: 'merchant',
    screen: 'merchant-ongoing-jobs',
    side: 'hire',
  },
  { path: '/roster', guarded: true, actor: 'merchant', screen: 'roster', side: 'hire' },
  { path: '/working-now', guarded: true, actor: 'merchant', screen: 'working-now', side: 'hire' },
];

/** Home, where disallowed links lead (spec §2). */

const patterns = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/:[a-z]+/g, '[A-Za-z0-9_-]+')}/?$`),
}));

export function routeOf(path: string): Route | undefined {
  return patterns.find(({ pattern }) => pattern.test(path))?.route;
}

/** The specification's routes (spec §2): path, guarded, and audience. A test compares them with the original. */
export const specRoutes = [
  ['/', false, 'any'],
  ['/tabs', false, 'any'],
  ['/flashscreen', false, 'any'],
  ['/getting-started', false, 'guest'],
  ['/register', false, 'guest'],
  ['/login', false, 'guest'],
  ['/expertise', false, 'new worker'],
  ['/fill-profile', false, 'new user'],
  ['/complete-signup', false, 'new user'],
  ['/loading', false, 'any'],
  ['/edit-job/:jobid', false, 'merchant'],
  ['/all-job-applicants', false, 'merchant'],
  ['/favorite', false, 'worker'],
  ['/interview', false, 'both'],
  ['/toc', true, 'any'],
  ['/nearby-jobs-list', true, 'worker'],
  ['/job-desc/:jobid', true, 'worker'],
  ['/job-apply-form/:jobid', true, 'worker'],
  ['/job-applied-success/:jobid', true, 'worker'],
  ['/withdraw', true, 'worker'],
  ['/user-transaction', true, 'worker'],
  ['/notifications', true, 'any'],
  ['/register-business', true, 'any'],
  ['/myprofile', true, 'worker'],
  ['/verify', true, 'any'],
  ['/rating-review', true, 'worker'],
  ['/share-refer', true, 'any'],
  ['/chat', true, 'both'],
  ['/account-settings', true, 'any'],
  ['/notification-settings', true, 'any'],
  ['/help-center', true, 'any'],
  ['/my-business', true, 'merchant'],
  ['/release-payment', true, 'merchant'],
  ['/merchant-transaction', true, 'merchant'],
  ['/edit-business', true, 'merchant'],
  ['/create-job', true, 'merchant'],
  ['/listed-job', true, 'merchant'],
  ['/completed-job', true, 'both'],
  ['/job-applicants/:jobid', true, 'merchant'],
  ['/worker-details/:workerid', true, 'merchant'],
  ['/to-interview', true, 'merchant'],
  ['/business-review', true, 'both'],
  ['/share-job', true, 'merchant'],
  ['/change-password', true, 'any'],
  ['/merchant-ongoing-jobs', true, 'merchant'],
] as const satisfies readonly (readonly [path: string, guarded: boolean, actor: string])[];

type Actor = (typeof specRoutes)[number][2];
