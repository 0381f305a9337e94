/** Screens to prefetch, by the side or state of the user. The build lists their files in the page. */
export const screensAhead = {
  work: ['explore', 'job-desc', 'my-work', 'account'],
  hire: ['my-business', 'listed-job', 'account'],
};
export const guestScreensAhead = ['explore', 'login', 'register'];
