/** What people open next from their side's first screen; a guest gets nothing that needs an account. The build lists their files in the page. */
export const screensAhead = {
  work: ['explore', 'job-desc', 'my-work', 'account'],
  hire: ['my-business', 'listed-job', 'account'],
};
export const guestScreensAhead = ['explore', 'login', 'register'];
