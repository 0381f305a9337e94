/** Screens to prefetch, by the side or state of the user. The build lists their files in the page. */
export const prefetchTargets = {
  work: ['explore', 'job-desc', 'my-work', 'account'],
  hire: ['my-business', 'listed-job', 'account'],
};
export const guestPrefetchTargets = ['explore', 'login', 'register'];
